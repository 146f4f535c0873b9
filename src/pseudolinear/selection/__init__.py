"""Which candidates, cut where, make the classifier."""
