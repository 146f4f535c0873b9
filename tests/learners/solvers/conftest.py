"""Fixtures of the tests of the solvers."""

import pytest

from pseudolinear.learners.solvers import _special


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    """Solve smooth losses on few features as on many: small problems are what tests can afford."""
    monkeypatch.setattr(_special, "NARROW_NUMBERS", 0)
