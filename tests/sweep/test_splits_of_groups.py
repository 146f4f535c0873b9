"""Rows of one group are never in both parts of a split."""

import numpy as np
import pytest
import sklearn
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.model_selection import GroupKFold, LeaveOneGroupOut, cross_validate

from pseudolinear import MeasureClassifier
from pseudolinear.kinds import read_target
from pseudolinear.measures import get_measure
from pseudolinear.sweep import make_splits

X, y = make_classification(240, weights=[0.7], random_state=0)
_, Y = make_multilabel_classification(240, random_state=0)
GROUPS = np.random.RandomState(0).randint(0, 20, 240)


@pytest.mark.parametrize("cv", [3, "holdout", GroupKFold(4), LeaveOneGroupOut()], ids=str)
@pytest.mark.parametrize(("target", "measure"), [(y, "f1"), (Y, "f1_macro"), (y, "f1_macro")])
def test_no_group_is_on_both_sides(cv, target, measure):
    """Whatever the kind of problem and the way of splitting."""
    kind, codes = read_target(target, get_measure(measure))
    splits = make_splits(cv, X, codes, kind, 0, GROUPS)
    for train, test in splits:
        assert not set(GROUPS[train]) & set(GROUPS[test])
    if cv != "holdout":
        assert sorted(np.concatenate([test for _, test in splits])) == list(range(240))


def test_fit_takes_groups_for_the_splitter():
    """GroupKFold could not be used before, for lack of groups."""
    classifier = MeasureClassifier("linear", cv=GroupKFold(3), random_state=0).fit(
        X, y, groups=GROUPS
    )
    by_hand = list(GroupKFold(3).split(X, y, GROUPS))
    same = MeasureClassifier("linear", cv=by_hand, random_state=0).fit(X, y)
    assert classifier.threshold_ == same.threshold_
    assert classifier.best_score_ == same.best_score_


def test_groups_are_routed_as_metadata():
    """cross_validate hands the groups of its training rows to fit."""
    with sklearn.config_context(enable_metadata_routing=True):
        classifier = MeasureClassifier("linear", cv=GroupKFold(3), random_state=0)
        scores = cross_validate(
            classifier.set_fit_request(groups=True), X, y, cv=3, params={"groups": GROUPS}
        )
    assert np.isfinite(scores["test_score"]).all()


def test_groups_of_another_length_are_refused():
    """One group per row."""
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        MeasureClassifier("linear").fit(X, y, groups=GROUPS[:-1])
