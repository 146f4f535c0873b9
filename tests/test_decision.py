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
}


@pytest.fixture(scope="module", params=PROBLEMS)
def fitted(request):
    """A classifier and its target."""
    target, params = PROBLEMS[request.param]
    return MeasureClassifier(random_state=0, **params).fit(X, target), target


def test_decision_alone_predicts_the_same(fitted):
    """Also after a round trip through bytes."""
    classifier, _ = fitted
    decision = pickle.loads(pickle.dumps(classifier.decision_))
    assert (decision.predict(X) == classifier.predict(X)).all()
    assert (decision.decision_function(X) == classifier.decision_function(X)).all()


def test_decision_holds_no_training_rows(fitted):
    """Its size does not grow with the rows (other than by what the learner itself keeps)."""
    classifier, _ = fitted
    assert len(pickle.dumps(classifier.decision_)) < X.nbytes / 2


def test_slim_predicts_scores_and_states_its_certificate(fitted):
    """Everything that needs no evidence stays."""
    classifier, target = fitted
    slim = classifier.slim()
    assert (slim.predict(X) == classifier.predict(X)).all()
    assert slim.score(X, target) == classifier.score(X, target)
    assert slim.certificate_ == classifier.certificate_
    assert len(pickle.dumps(slim)) < len(pickle.dumps(classifier)) / 2


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
