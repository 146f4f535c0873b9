"""Tables with categories and gaps predict in onnxruntime as they do here."""

import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from pseudolinear import MeasureClassifier

pytest.importorskip("onnx", reason="needs onnx")
pytest.importorskip("onnxruntime", reason="needs onnxruntime")
from persistence.onnx.equality import assert_equal, run
from persistence.tables import make_table

N_TRAINING = 500


@pytest.mark.parametrize(
    "estimator",
    [
        "linear",
        "boosting",
        "auto",
        *(
            pytest.param(other, marks=pytest.mark.slow)
            for other in (
                "lifted",
                "splines",
                "steps",
                "forest",
                LogisticRegression(),
                HistGradientBoostingClassifier(max_iter=20),
            )
        ),
    ],
    ids=str,
)
def test_tables(estimator):
    """Missing numbers, missing and unknown categories, booleans and a name that is an output's."""
    table, y = make_table()
    clf = MeasureClassifier(estimator, cost_sensitive=False, cv="holdout", random_state=0)
    assert_equal(clf.fit(table[:N_TRAINING], y[:N_TRAINING]), table)


def test_inputs_are_the_columns():
    """As a service would send them: doubles and strings, an empty one where it is missing."""
    table, y = make_table()
    clf = MeasureClassifier("linear", random_state=0).fit(table[:N_TRAINING], y[:N_TRAINING])
    model = clf.to_onnx()
    names = [one.name for one in model.graph.input]
    assert names == ["amount", "age", "member", "town", "code", "grade", "label_"]
    numbers = table[["amount", "age", "member"]].astype(float)
    strings = table[["town", "code", "grade", "label"]].astype(object).fillna("").astype(str)
    feeds = {name: numbers[[name]].to_numpy() for name in numbers}
    feeds |= {name: strings[[name]].to_numpy(dtype=object) for name in strings}
    feeds["label_"] = feeds.pop("label")
    assert (run(model, feeds)["label"] == clf.predict(table)).all()


def test_categories_alone_and_empty_strings():
    """An empty string is a category, as long as none is missing."""
    table, y = make_table()
    table = table[["code", "label"]].replace({"no": ""})
    clf = MeasureClassifier(random_state=0).fit(table[:N_TRAINING], y[:N_TRAINING])
    assert_equal(clf, table)
    table.loc[::5, "label"] = None
    clf = MeasureClassifier(random_state=0).fit(table[:N_TRAINING], y[:N_TRAINING])
    with pytest.raises(TypeError, match=r"'label_' cannot .* empty string as a category"):
        clf.to_onnx()


def test_arrays_of_objects():
    """Columns without names are called by their numbers."""
    table, y = make_table()
    X = table[["amount", "town"]].to_numpy(dtype=object)
    clf = MeasureClassifier("linear", random_state=0).fit(X[:N_TRAINING], y[:N_TRAINING])
    model = assert_equal(clf, X)
    assert [one.name for one in model.graph.input] == ["0", "1"]


def test_text_and_dates_are_refused():
    """One sentence names the column, says why and what to do instead."""
    table, y = make_table()
    table, y = table[:N_TRAINING], y[:N_TRAINING]
    texts = [f"{a} {b} and some words {i}" for i, (a, b) in enumerate(zip(y, y, strict=True))]
    clf = MeasureClassifier("linear", random_state=0).fit(table.assign(note=texts), y)
    with pytest.raises(TypeError, match=r"Column 'note' cannot .* holds text.* clf.save"):
        clf.to_onnx()
    pytest.importorskip("skrub", reason="dates need skrub")
    days = pd.date_range("2020-01-01", periods=len(y), freq="h")
    clf = MeasureClassifier("linear", random_state=0).fit(table.assign(day=days), y)
    with pytest.raises(TypeError, match=r"Column 'day' cannot .* holds dates"):
        clf.to_onnx()
