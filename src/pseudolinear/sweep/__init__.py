"""The sweep: problems from levels, training through folds, candidates."""
