"""scikit-learn's other tools take the classifier as one of their own."""

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.datasets import make_classification
from sklearn.ensemble import StackingClassifier, VotingClassifier
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.frozen import FrozenEstimator
from sklearn.inspection import DecisionBoundaryDisplay, permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    HalvingGridSearchCV,
    cross_val_predict,
    cross_val_score,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import ClassifierChain
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from pseudolinear import Grid, LinearLearner, MeasureClassifier

X, y = make_classification(200, 4, weights=[0.7], class_sep=2.0, random_state=0)
NAMES = np.where(y, "bad", "good")
LABELS = np.stack([y, X[:, 0] > 0.5], axis=1).astype(int)
FRAME = pd.DataFrame(X, columns=list("abcd")).assign(kind=np.where(X[:, 0] > 0, "u", "v"))


def measured(estimator="linear", **params):
    return MeasureClassifier(estimator, search=Grid(2), random_state=0, **params)


TOOLS = {
    "calibrated": lambda: CalibratedClassifierCV(measured(), cv=2).fit(X, NAMES),
    "frozen": lambda: CalibratedClassifierCV(FrozenEstimator(measured().fit(X, NAMES))).fit(
        X, NAMES
    ),
    "stacked": lambda: StackingClassifier([("m", measured())], cv=2).fit(X, NAMES),
    "last of a stack": lambda: StackingClassifier(
        [("l", LogisticRegression())], final_estimator=measured(), cv=2
    ).fit(X, NAMES),
    "voting": lambda: VotingClassifier(
        [("m", measured()), ("l", LogisticRegression())], voting="soft"
    ).fit(X, NAMES),
    "fixed": lambda: FixedThresholdClassifier(measured(), threshold=0.4, pos_label="bad").fit(
        X, NAMES
    ),
    "search": lambda: GridSearchCV(
        measured(), {"measure": ["f1", "f2"], "estimator": ["linear", LogisticRegression()]}, cv=2
    ).fit(X, NAMES),
    "inner parameters": lambda: GridSearchCV(
        measured(LogisticRegression()), {"estimator__C": [0.1, 1.0]}, cv=2
    ).fit(X, NAMES),
    "halving": lambda: HalvingGridSearchCV(
        measured(), {"measure": ["f1", "f2"]}, min_resources=60, cv=2
    ).fit(X, NAMES),
    "in itself": lambda: measured(measured()).fit(X, NAMES),
}


@pytest.mark.parametrize("tool", TOOLS)
def test_tools_around_the_classifier(tool):
    """They fit, and predict well."""
    assert f1_score(NAMES, TOOLS[tool]().predict(X), pos_label="bad") > 0.8


@pytest.mark.parametrize("tool", [OneVsRestClassifier, ClassifierChain])
def test_tools_that_split_labels(tool):
    """A classifier for each label."""
    found = tool(measured()).fit(X, LABELS).predict(X)
    assert f1_score(LABELS, found, average="macro") > 0.8


def test_scorers_and_predictions_of_cross_validation():
    """A scorer sees predictions in the classes of y; every method gives one value per row."""
    scorer = make_scorer(f1_score, pos_label="bad")
    values = cross_val_score(measured(), X, NAMES, cv=2, scoring=scorer)
    np.testing.assert_allclose(values, cross_val_score(measured(), X, NAMES, cv=2))
    decision = cross_val_predict(measured(), X, NAMES, cv=2, method="decision_function")
    assert decision.shape == y.shape


def test_inspection():
    """Importances by permutation, of a table as well, and a picture of the boundary."""
    found = permutation_importance(measured().fit(FRAME, NAMES), FRAME, NAMES, n_repeats=2)
    assert len(found.importances_mean) == 5
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    plane = FRAME[["a", "b"]]
    drawn = DecisionBoundaryDisplay.from_estimator(measured().fit(plane, NAMES), plane)
    assert np.isfinite(drawn.response).all()
    plt.close("all")


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_steps_before_the_classifier_may_give_frames(library):
    """`set_output` is for transformers; the classifier takes the frames that they give."""
    pytest.importorskip(library)
    encode = make_column_transformer(
        (OneHotEncoder(sparse_output=False), ["kind"]), remainder=StandardScaler()
    )
    arrays = make_pipeline(encode, measured()).fit(FRAME, NAMES)
    frames = make_pipeline(sklearn.clone(encode), measured()).set_output(transform=library)
    frames.fit(FRAME, NAMES)
    np.testing.assert_allclose(frames.decision_function(FRAME), arrays.decision_function(FRAME))
    assert frames[-1].feature_names_in_[0] == "onehotencoder__kind_u"


@pytest.mark.parametrize("backend", ["sequential", "threading"])
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_steps_inside_the_classifier_may_give_frames(library, backend):
    """Also where the configuration says so: it holds in every worker."""
    pytest.importorskip(library)
    select = make_column_transformer((StandardScaler(), ["a", "b"]))
    base = make_pipeline(StandardScaler(), select, LogisticRegression())
    with sklearn.config_context(transform_output=library), joblib.parallel_config(backend):
        clf = measured(base, n_jobs=2).fit(FRAME[list("abcd")], NAMES)
        assert clf.score(FRAME[list("abcd")], NAMES) > 0.8


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("estimator", ["splines", "steps", "lifted"])
def test_features_inside_do_not_mind_what_transformers_give(estimator, library):
    """`set_config(transform_output=...)` is for the steps of the user, not for ours."""
    pytest.importorskip(library)
    expected = measured(estimator).fit(FRAME, NAMES).decision_function(FRAME)
    with sklearn.config_context(transform_output=library):
        found = measured(estimator).fit(FRAME, NAMES).decision_function(FRAME)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("estimator", ["linear", ["linear", "boosting"]])
def test_a_name_has_no_parameters_to_search(estimator):
    """One sentence says what to give in its place; both at once work, as in scikit-learn."""
    search = GridSearchCV(MeasureClassifier(estimator), {"estimator__C": [0.1, 1.0]}, cv=2)
    with pytest.raises(ValueError, match=r"give an object, such as LinearLearner\(\)") as told:
        search.fit(X, y)
    assert "estimator__C" in str(told.value)
    assert "param_grid={'C': [...]}" in str(told.value)
    clf = MeasureClassifier("linear").set_params(estimator=LinearLearner(), estimator__tol=0.1)
    assert clf.estimator.tol == 0.1
