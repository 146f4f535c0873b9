"""What is said of a number that breaks its limit."""

import numpy as np

from pseudolinear.thresholds._limit import Limit


def test_rounding_never_puts_a_number_on_the_other_side():
    assert "is 0.8996, below the 0.8999" in Limit("recall", 0.8999).broken(np.array([0.8996]))
    above = Limit("share of flagged rows", 0.1, floor=False).broken(np.array([0.10004]))
    assert "is 0.10004, above the 0.1 that" in above


def test_what_is_kept_or_not_known_is_not_said():
    assert Limit("recall", 0.9).broken(np.array([0.9 - 1e-15])) == ""
    assert Limit("precision", 0.9).broken(np.array([np.nan])) == ""
