"""Several learners on the same folds, and their combination."""
