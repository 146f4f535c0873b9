"""Numbers that several loops and solvers share."""

LANES = 8  # doubles in a vector register: problems are solved side by side in multiples of it
MARGIN_EPS = 1e-15  # rounding of a margin near 1: its share of a duality gap is stated with the gap
TINY = 1e-300  # in place of a sum that may vanish: its quotients stay finite, and count for nothing
