"""A measure with its interval."""
