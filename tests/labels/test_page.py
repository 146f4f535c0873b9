"""The page on labels: its code gives what it shows."""

import doctest
from pathlib import Path

import pytest


def test_page_shows_what_its_code_gives():
    """All of it, in one go."""
    pytest.importorskip("pandas")
    page = Path(__file__).parents[2] / "docs" / "labels.md"
    failed, tried = doctest.testfile(
        str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE
    )
    assert tried > 10
    assert failed == 0
