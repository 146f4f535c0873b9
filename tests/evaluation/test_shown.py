"""Evaluation: what is shown of it, and in which words."""

import json

import numpy as np
from evaluation.predictions import FLAGGED, TRUE

from pseudolinear import (
    Budget,
    FBeta,
    MinimalCost,
    RecallAtPrecision,
    evaluate,
    evaluate_difference,
    get_measure,
)


def test_confusion_of_classes():
    """Rows are true classes, columns predicted ones."""
    result = evaluate(list("aabbc"), list("abbbc"), "f1_macro", method="delta")
    assert result.confusion.tolist() == [[1, 1, 0], [0, 2, 0], [0, 0, 1]]
    assert result.classes == ("a", "b", "c")


def test_shown_as_text_page_table_and_json():
    """Names are escaped in HTML."""
    true = np.array(["<b>", "ok"] * 20)
    result = evaluate(true, true[::-1], "f1", pos_label="<b>")
    assert "&lt;b&gt;" in result._repr_html_()
    assert "<b>" not in result._repr_html_()
    assert str(result).splitlines()[1].split()[:3] == ["label", "value", "low"]
    assert json.loads(json.dumps(result.to_dict()))["labels"][0]["label"] == "<b>"
    assert result.frame()["label"].tolist() == ["<b>"]


def test_evaluations_are_headed_by_words():
    """Names are left as they were given."""
    heads = {
        "mcc": "mcc ",
        FBeta(2.0): "F2 ",
        get_measure("cohen_kappa"): "Cohen's kappa ",
        RecallAtPrecision(0.5): "recall with a precision of at least 0.5 ",
        Budget(7): "recall with at most 7 rows flagged ",
        Budget(1): "recall with at most 1 row flagged ",
        Budget(share=0.5): "recall with at most 50 % of the rows flagged ",
        MinimalCost(2, 1): "mean cost (negative) ",
    }
    for measure, words in heads.items():
        assert str(evaluate(TRUE, FLAGGED, measure)).startswith(words)
        difference = evaluate_difference(TRUE, FLAGGED, TRUE, measure)
        assert str(difference).startswith(words)
