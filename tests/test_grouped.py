"""by_group: decisions that keep what their thresholds promise, wherever they are made."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_multilabel_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

import pseudolinear
from pseudolinear import (
    Budget,
    ExpectedCost,
    MeasureClassifier,
    RecallAtPrecision,
    best_group_thresholds,
)
from pseudolinear.report import report_on_evidence

ODDS = ("recall", "false_positive_rate")


def table(n=1200, seed=0):
    """Rows whose first column is the group; one group is harder and has fewer positives."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 2, n)
    y = (rng.random(n) < 0.25 + 0.25 * group).astype(int)
    X = y[:, None] + rng.normal(size=(n, 3)) * (2.0 - group)[:, None]
    return np.column_stack([group, X]), y


def frame_of(X):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X[:, 1:], columns=["a", "b", "c"])
    return frame.assign(sex=np.where(X[:, 0] == 1, "m", "f"))


@pytest.fixture(scope="module")
def fitted():
    X, y = table(seed=1)
    return MeasureClassifier("linear", random_state=0).fit(X, y)


def rates_of(predicted, y, group):
    for k in (0, 1):
        own = group == k
        yield predicted[own & (y == 1)].mean(), predicted[own & (y == 0)].mean()


@pytest.mark.parametrize("rate", ["recall", "false_positive_rate", "selection_rate"])
def test_single_cuts_give_exactly_the_promised_rates(fitted, rate):
    """On the rows that chose them; the value of the cut is the score."""
    X, y = table()
    fair = fitted.by_group(0, X, y, rate=rate, within=0.02, randomise=False)
    cut = fair.group_cut_
    found = rates_of(fair.predict(X), y, X[:, 0])
    for group, (recall, fall_out) in zip(cut.groups, found, strict=True):
        assert group.recall == pytest.approx(recall)
        assert group.false_positive_rate == pytest.approx(fall_out)
    assert cut.gap(rate) <= 0.02 + 1e-9
    assert fair.score(X, y) == pytest.approx(cut.value)


def test_draws_give_the_promised_rates_nearly(fitted):
    """Up to the chance of the draws, of which a few hundred decide."""
    X, y = table(6000)
    fair = fitted.by_group(0, X, y, rate=ODDS, within=0.0)
    assert fair.group_cut_.randomised
    found = rates_of(fair.predict(X), y, X[:, 0])
    for group, (recall, fall_out) in zip(fair.group_cut_.groups, found, strict=True):
        assert (recall, fall_out) == pytest.approx(
            (group.recall, group.false_positive_rate), abs=0.03
        )
    assert fair.score(X, y) == pytest.approx(fair.group_cut_.value, abs=0.02)


def test_draws_decide_between_equal_scores():
    """Of a score with few values, some rows of one value are predicted and some are not."""
    X, y = table(4000)
    tree = RandomForestClassifier(1, max_depth=2, random_state=0).fit(X, y)
    clf = MeasureClassifier(tree, cv="prefit").fit(X[1:], y[1:])
    fair = clf.by_group(0, X, y, within=0.0)
    scores = tree.predict_proba(X)[:, 1]
    groups = [fair.predict(X)[scores == one] for one in np.unique(scores)]
    assert any(0 < one.mean() < 1 for one in groups)
    recalls = [recall for recall, _ in rates_of(fair.predict(X), y, X[:, 0])]
    assert recalls[0] == pytest.approx(recalls[1], abs=0.03)


def test_decisions_do_not_depend_on_the_batch(fitted):
    """Row by row, backwards, and after saving: the same predictions; another seed gives others."""
    X, y = table(400)
    fair = fitted.by_group(0, X, y, rate=ODDS, within=0.0)
    predicted = fair.predict(X)
    assert (fair.predict(X[::-1])[::-1] == predicted).all()
    assert (np.concatenate([fair.predict(X[[i]]) for i in range(60)]) == predicted[:60]).all()
    other = fitted.by_group(0, X, y, rate=ODDS, within=0.0, seed=1)
    assert (other.predict(X) != predicted).any()


def test_margins_and_probabilities_agree_with_predictions(fitted):
    """The decision function is positive, and the likeliest class the predicted one."""
    X, y = table(400)
    fair = fitted.by_group(0, X, y, rate=ODDS, within=0.0)
    predicted = fair.predict(X)
    assert ((fair.decision_function(X) > 0) == predicted).all()
    assert (fair.predict_proba(X).argmax(axis=1) == predicted).all()


def test_saved_and_slimmed_classifiers_decide_alike(fitted, tmp_path):
    """With their thresholds and draws; exports refuse."""
    X, y = table(400)
    fair = fitted.by_group(0, X, y, rate=ODDS, within=0.0)
    fair.save(tmp_path / "fair.plm")
    loaded = pseudolinear.load(tmp_path / "fair.plm")
    for same in (loaded, fair.slim()):
        assert (same.predict(X) == fair.predict(X)).all()
        assert str(same.group_cut_) == str(fair.group_cut_)
    assert loaded.evaluate(X[1:], y[1:], by=0).value == fair.score(X[1:], y[1:])
    with pytest.raises(ValueError, match="GroupThresholds looks at more than the score"):
        fair.to_sklearn()


def test_frames_name_their_column(fitted, tmp_path):
    """A column of texts, of pandas or polars, that the model may use as well."""
    pl = pytest.importorskip("polars")
    X, y = table(800)
    frame = frame_of(X)
    clf = MeasureClassifier("linear", random_state=0).fit(frame[:400], y[:400])
    fair = clf.by_group("sex", frame[400:], y[400:], within=0.01)
    predicted = fair.predict(frame)
    assert (fair.predict(pl.from_pandas(frame)) == predicted).all()
    assert fair.evaluate(frame[401:], y[401:], by="sex").by.gap is not None
    fair.save(tmp_path / "fair.plm")
    assert (pseudolinear.load(tmp_path / "fair.plm").predict(frame) == predicted).all()
    with pytest.raises(ValueError, match="X has no column 'gender'"):
        clf.by_group("gender", frame, y)
    gaps = frame.assign(sex=frame["sex"].where(frame.index >= 5))
    for ask in (clf.by_group, lambda by, X, y: clf.evaluate(X, y, by=by)):
        with pytest.raises(ValueError, match="The column 'sex' is missing in 5 of 800 rows"):
            ask("sex", gaps, y)


def test_sparse_rows_have_positions():
    """A column of a sparse matrix tells the group."""
    X, y = table(400)
    rows = sparse.csr_matrix(X)
    clf = MeasureClassifier("linear", random_state=0).fit(rows[1:], y[1:])
    fair = clf.by_group(0, rows, y, randomise=False)
    assert fair.score(rows, y) == pytest.approx(fair.group_cut_.value)


def test_unknown_groups_are_cut_where_all_were(fitted):
    """With one warning that counts them; gaps too."""
    X, y = table(400)
    fair = fitted.by_group(0, X, y, within=0.0)
    strange = X.copy()
    strange[:3, 0] = 7
    with pytest.warns(
        UserWarning, match="No threshold was chosen for the group of 3 rows, such as 7"
    ):
        predicted = fair.predict(strange)
    assert (predicted[:3] == fitted.predict(strange[:3])).all()
    assert (predicted[3:] == fair.predict(X[3:])).all()


def test_the_cut_is_that_of_the_scores(fitted):
    """by_group chooses what best_group_thresholds chooses on the decision function."""
    X, y = table(500)
    fair = fitted.by_group(0, X, y)
    cut = best_group_thresholds(y, fitted.decision_function(X), X[:, 0])
    assert fair.group_cut_.value == cut.value
    assert [g.thresholds for g in fair.group_cut_.groups] == [g.thresholds for g in cut.groups]
    again = fair.by_group(0, X, y)  # of the plain decision, not of the moved margins
    assert str(again.group_cut_) == str(cut)


def test_weights_and_measures_are_the_classifiers():
    """Rows count by their weight, and the measure is that of the fit; also a negative class."""
    X, y = table(500)
    words = np.where(y == 1, "a", "b")  # the positive class comes first
    weight = np.random.default_rng(0).integers(1, 3, 500)
    clf = MeasureClassifier("linear", measure="balanced_accuracy", pos_label="a", random_state=0)
    fair = clf.fit(X[1:], words[1:]).by_group(0, X, words, randomise=False, sample_weight=weight)
    assert fair.score(X, words, sample_weight=weight) == pytest.approx(fair.group_cut_.value)


@pytest.mark.parametrize("estimator", ["auto", LogisticRegression()], ids=str)
def test_any_estimator_will_do(estimator):
    """Portfolios and wrapped classifiers."""
    X, y = table(400)
    clf = MeasureClassifier(estimator, effort="fast", random_state=0).fit(X[1:], y[1:])
    fair = clf.by_group(0, X, y, randomise=False)
    assert fair.score(X, y) == pytest.approx(fair.group_cut_.value)


def test_the_summary_says_it_and_the_original_stays(fitted):
    """The copy alone has thresholds per group."""
    X, y = table(400)
    before = fitted.predict(X)
    fair = fitted.by_group(0, X, y, within=0.0)
    assert "one threshold per group of 0" in str(fair)
    assert "with the threshold of the fit" in str(fair)
    assert "expected" not in str(fair)
    assert (fitted.predict(X) == before).all()
    assert not hasattr(fitted, "group_cut_")


def test_what_cannot_be_done_is_said(fitted):
    """In one sentence each."""
    X, y = table(400)
    several, labels = make_multilabel_classification(200, 4, n_classes=2, random_state=0)
    multilabel = MeasureClassifier("linear", measure="f1_macro", random_state=0)
    with pytest.raises(ValueError, match="this problem is multilabel"):
        multilabel.fit(several, labels).by_group(0, several, labels)
    constrained = MeasureClassifier("linear", measure=RecallAtPrecision(0.5), random_state=0)
    with pytest.raises(ValueError, match="retarget it first"):
        constrained.fit(X, y).by_group(0, X, y)
    with pytest.raises(ValueError, match="retarget it first"):
        fitted.retarget(Budget(30)).by_group(0, X, y)
    by_row = MeasureClassifier("linear", measure=ExpectedCost(fn="a", fp=2), random_state=0)
    by_row.fit(frame_of(abs(X)), y)
    with pytest.raises(ValueError, match="fit with fixed costs"):
        by_row.by_group("sex", frame_of(abs(X)), y)
    with pytest.raises(ValueError, match="the one that it was made from"):
        fitted.by_group(0, X, y).retarget("f2")
    with pytest.raises(TypeError, match="the name or the position of a column"):
        fitted.by_group(X[:, 0], X, y)
    with pytest.raises(ValueError, match="has no column 9"):
        fitted.by_group(9, X, y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        fitted.by_group(0, X, y[:-1])
    with pytest.raises(ValueError, match="50 groups are too many"):
        fitted.by_group(1, X, y)


def test_a_report_page_can_be_written(fitted, tmp_path):
    """Of rows, with the decisions of the policy."""
    X, y = table(300)
    fair = fitted.by_group(0, X, y, within=0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert fair.report(tmp_path / "page.html", X[1:], y[1:]).exists()


def test_nothing_is_expected_of_thresholds_that_the_sweep_does_not_know(fitted):
    """The honest score was of one threshold: no page, summary or slimmed copy has it."""
    X, y = table(400)
    fair = fitted.by_group(0, X, y)
    assert not hasattr(fair, "honest_score_")
    assert not hasattr(fair.slim(), "honest_interval_")
    assert not hasattr(fitted.slim().by_group(0, X, y), "honest_score_")
    headline = report_on_evidence(fair).headline
    assert headline.value == fitted.best_score_
    assert "with the threshold of the fit" in headline.source


def test_a_seed_is_a_whole_number(fitted):
    """Which is hashed with every row."""
    with pytest.raises(TypeError, match="seed must be a whole number"):
        fitted.by_group(0, *table(300), seed="a")
