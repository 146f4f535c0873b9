"""On every row of the test sets of real tables, onnxruntime predicts as the default does."""

import pytest

from benchmarks.problems import DATA
from benchmarks.problems.data import read_set, read_table
from pseudolinear import MeasureClassifier

pytest.importorskip("onnx", reason="needs onnx")
pytest.importorskip("onnxruntime", reason="needs onnxruntime")
from persistence.onnx.equality import assert_equal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (DATA / "more.json").exists(), reason=f"no data sets in {DATA}"),
]


@pytest.mark.parametrize("name", ["german", "hmda", "sick"])
def test_raw_tables(name):
    """Raw columns, with their gaps and categories."""
    table = read_table(name)
    clf = MeasureClassifier(random_state=0).fit(table.X_train, table.y_train)
    assert_equal(clf, table.X_test)


@pytest.mark.parametrize("name", ["yeast", "flags"])
def test_labels(name):
    X, Y, X_test, _ = read_set(name)
    assert_equal(MeasureClassifier(measure="f1_macro", random_state=0).fit(X, Y), X_test)


@pytest.mark.parametrize("name", ["steelfaults"])
def test_classes(name):
    X, y, X_test, _ = read_set(name)
    clf = MeasureClassifier(measure="f1_macro", effort="best", random_state=0)
    assert_equal(clf.fit(X, y), X_test)
