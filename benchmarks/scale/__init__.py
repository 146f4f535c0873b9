"""Many rows, many labels, several machines."""
