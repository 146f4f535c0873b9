"""Comparison: what is shown of compare's result, and that it stays a list."""

import json
from copy import copy

import pandas as pd
import pytest

from pseudolinear import Comparison
from pseudolinear.rivals._comparison import against_best

BEST = {"method": "ours", "value": 0.8, "spread": 0.01, "below": 0.0, "low": 0.0, "high": 0.0}
BEST |= {"p_value": 1.0, "level": True, "seconds": 1.234, "solves": 7, "note": ""}
OTHER = BEST | {"method": "<b>", "value": 0.7, "below": 0.1, "low": 0.05, "high": 0.15}
OTHER |= {"p_value": 0.001, "level": False, "solves": None}
FAILED = BEST | {"method": "odd", "value": float("nan"), "note": "it has gaps"}


def test_a_line_per_method():
    """In a terminal; names are escaped in HTML."""
    found = Comparison([BEST, OTHER, FAILED], "f1")
    lines = str(found).splitlines()
    assert lines[0].split()[:3] == ["method", "f1", "below"]
    assert lines[1].split() == ["ours", "0.8000", "best", "1.23", "7"]
    assert "0.100 (0.050 to 0.150)" in lines[2]
    assert lines[3].split()[:2] == ["odd", "failed"]
    assert lines[3].endswith("it has gaps")
    assert "(Bonferroni)" in lines[4]
    assert repr(found) == "<Comparison of 3 methods by f1: best ours 0.8000>"
    assert "&lt;b&gt;" in found._repr_html_()
    assert repr(Comparison([FAILED], "f1")) == "<Comparison of 1 method by f1: best none>"


def test_it_is_a_list_of_dicts():
    """For JSON and data frames as well."""
    rows = [BEST, OTHER]
    found = Comparison(rows, "f1")
    assert found == rows
    assert json.loads(json.dumps(found)) == rows
    assert found.frame().equals(pd.DataFrame(rows))
    assert (copy(found), copy(found).measure) == (rows, "f1")


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        ({"below": 0, "low": 0, "high": 0, "level": True}, "best"),
        ({"below": 0, "low": -0.1, "high": 0.1, "level": True}, "no clear difference"),
        (
            {"below": 0.01, "low": -0.004, "high": 0.025, "level": True},
            "no clear difference: 0.010 (-0.004 to 0.025)",
        ),
        ({"below": 0.02, "low": 0.01, "high": 0.03, "level": False}, "0.020 (0.010 to 0.030)"),
    ],
)
def test_it_does_not_call_chance_a_level(row, shown):
    """Which is a value of the measure everywhere else."""
    assert against_best(row) == shown
