"""The outcomes of fixed fits stay what they are, to the digits that all processors agree on."""

import json

import numpy as np
import pytest
from golden import cases
from threadpoolctl import threadpool_info

from pseudolinear.experiments import QUICK as QUICK_PROTOCOL
from pseudolinear.experiments import run, tables

EXPECTED = json.loads((cases.FOLDER / "outcomes.json").read_text())
QUICK = ("galaxy", "weighted", "classes", "default class")
RECORDED = {"Haswell", "Zen"}  # whose kernels of OpenBLAS the outcomes were recorded with

kernels = {library.get("architecture") for library in threadpool_info()} - {None}
pytestmark = pytest.mark.skipif(
    not kernels <= RECORDED,
    reason=f"recorded with other kernels than {kernels}: set OPENBLAS_CORETYPE=Haswell",
)
RELATIVE = 1e-5  # problems are solved to a gap of 1e-3, from the same start
POINTS = 0.5  # of F1 in percent: a row or two may fall on the other side


def params():
    for title, name, options in cases.cases():
        marks = [] if name in QUICK else [pytest.mark.slow]
        yield pytest.param(title, name, options, id=title, marks=marks)


@pytest.mark.parametrize(("title", "name", "options"), list(params()))
def test_outcomes_are_as_recorded(title, name, options):
    """Thresholds, levels, costs, settings, predictions and certificates, also after retargeting."""
    for full_title, found in cases.outcomes(name, options, title):
        expected = EXPECTED[full_title]
        for key in ("params", "n_candidates"):
            assert found[key] == expected[key], (full_title, key)
        assert found["n_positive"] == pytest.approx(expected["n_positive"], rel=0.01)
        for key in ("threshold", "level", "costs", "value"):
            np.testing.assert_allclose(found[key], expected[key], RELATIVE, err_msg=full_title)
        assert found["certificate"] == pytest.approx(expected["certificate"], abs=RELATIVE / 10)


@pytest.mark.slow
def test_tables_of_the_quick_protocol_are_as_recorded(tmp_path):
    """Every cell of `reproduce --quick`: mean and spread over the splits, and the default."""
    run(QUICK_PROTOCOL, tmp_path / "pieces.sqlite", verbose=False)
    expected = json.loads((cases.FOLDER / "quick_tables.json").read_text())
    found = tables(QUICK_PROTOCOL, tmp_path / "pieces.sqlite")
    for row, cell in zip(found, expected, strict=True):
        numbers = ("ours", "spread", "default")
        assert {name: row[name] for name in cell if name not in numbers} == {
            name: cell[name] for name in cell if name not in numbers
        }
        assert [row[name] for name in numbers] == pytest.approx(
            [cell[name] for name in numbers], abs=POINTS
        )
