"""What predicts and what was seen are two objects."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression

from pseudolinear import LinearLearner, MeasureClassifier

X, y = make_classification(400, n_classes=3, n_informative=5, random_state=0)
_, Y = make_multilabel_classification(400, random_state=0)
PROBLEMS = {
    "binary": (y == 2, {}),
    "words": (np.array(["no", "yes"])[(y == 2).astype(int)], {}),
    "multilabel": (Y, {"measure": "f1_macro"}),
    "multiclass": (y, {"measure": "f1_macro"}),
    "portfolio": (y == 2, {"estimator": [LinearLearner(), LogisticRegression()]}),
    "auto": (y == 2, {"estimator": "auto"}),
}


@pytest.fixture(scope="module", params=PROBLEMS)
def fitted(request):
    """A classifier and its target."""
    target, params = PROBLEMS[request.param]
    params = {"estimator": "linear", "random_state": 0} | params
    return MeasureClassifier(**params).fit(X, target), target


def test_decision_alone_predicts_the_same(fitted):
    """Also after a round trip through bytes."""
    classifier, _ = fitted
    decision = pickle.loads(pickle.dumps(classifier.decision_))
    assert (decision.predict(X) == classifier.predict(X)).all()
    assert (decision.decision_function(X) == classifier.decision_function(X)).all()


@pytest.mark.parametrize("estimator", ["linear", "lifted", [LinearLearner(), LogisticRegression()]])
def test_decision_holds_no_training_rows(estimator):
    """Its size does not grow with the rows; similarities are to a fixed number of rows."""
    few, many = (
        MeasureClassifier(estimator, random_state=0).fit(np.tile(X, (n, 1)), np.tile(y == 2, n))
        for n in (1, 4)
    )
    size = len(pickle.dumps(few.decision_))
    assert len(pickle.dumps(many.decision_)) < 1.05 * size
    assert size < X.nbytes / 2 or estimator == "lifted"


def test_slim_predicts_scores_and_states_its_certificate(fitted):
    """Everything that needs no evidence stays."""
    classifier, target = fitted
    slim = classifier.slim()
    assert (slim.predict(X) == classifier.predict(X)).all()
    assert slim.score(X, target) == classifier.score(X, target)
    assert slim.certificate_ == classifier.certificate_
    evidence = len(pickle.dumps(classifier._sweep))
    assert len(pickle.dumps(slim)) < len(pickle.dumps(classifier)) - evidence / 2


@pytest.mark.parametrize("name", ["sweep_", "frontier_"])
def test_slim_says_what_needs_the_evidence(fitted, name):
    """One sentence says what is gone and what to use instead."""
    slim = fitted[0].slim()
    with pytest.raises(AttributeError, match="use the classifier that was fitted"):
        getattr(slim, name)


def test_slim_cannot_be_retargeted(fitted):
    """The thresholds of other measures are in the evidence."""
    with pytest.raises(AttributeError, match="cannot be retargeted"):
        fitted[0].slim().retarget("f2")
    fitted[0].sweep_  # noqa: B018  the classifier itself keeps its evidence


def test_unfitted_classifier_has_no_evidence_to_drop():
    """Asking too early is told from asking too late."""
    with pytest.raises(NotFittedError):
        MeasureClassifier().slim()
