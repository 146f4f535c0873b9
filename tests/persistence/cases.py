"""Fitted classifiers of every kind, each with rows to predict."""

from functools import cache

import numpy as np
import pandas as pd
import polars as pl
from scipy import sparse
from sklearn.compose import make_column_transformer
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.ensemble import (
    AdaBoostClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from pseudolinear import (
    FBeta,
    Grid,
    IterativeKFold,
    KernelLearner,
    LinearFractional,
    LinearLearner,
    MeasureClassifier,
    RecallAtPrecision,
)
from pseudolinear.learners import BoostingLearner, EarlyStoppingLearner, JointLearner

NAMES = ["sport", "news", "<script>"]


@cache
def binary():
    return make_classification(200, 8, weights=[0.8], flip_y=0.05, random_state=0)


@cache
def classes():
    X, y = make_classification(200, 8, n_informative=5, n_classes=3, random_state=0)
    return X, np.array(["red", "green", "blue"])[y]


@cache
def multilabel():
    return make_multilabel_classification(200, 10, n_classes=3, random_state=0)


def sets(kind=list):
    X, Y = multilabel()
    return X, [kind(np.array(NAMES)[row > 0].tolist()) for row in Y]


@cache
def texts():
    rng = np.random.default_rng(0)
    words = np.array([f"word{i}" for i in range(40)])
    y = rng.integers(0, 2, 200)
    return [" ".join(rng.choice(words[: 20 + 20 * label], 12)) for label in y], y


@cache
def table():
    """Numbers with gaps, categories, dates, text, and codes."""
    rng = np.random.default_rng(1)
    n = 220
    number = rng.normal(size=n)
    kind = rng.choice(["a", "b", "c"], n)
    frame = pd.DataFrame(
        {
            "number": np.where(rng.random(n) < 0.1, np.nan, number),
            "kind": np.where(rng.random(n) < 0.05, None, kind),
            "size": pd.Categorical(rng.choice(["small", "large"], n)),
            "flag": rng.random(n) < 0.5,
            "day": pd.date_range("2024-01-01", periods=n, freq="7h"),
            "written": pd.date_range("2023-01-01", periods=n, freq="D").astype(str),
            "note": [" ".join(rng.choice(["good", "bad", "old", "new", f"w{i}"], 5))
                     for i in range(n)],
            "code": [f"x{i % 120:03d}-{i % 5}" for i in range(n)],
        }
    )  # fmt: skip
    return frame, np.where(number + (kind == "a") > 0.8, "yes", "no")


def fit(X, y, *args, **params):
    return MeasureClassifier(*args, **({"random_state": 0} | params)).fit(X, y), X


def retargeted(**rows):
    X, y = binary()
    return MeasureClassifier("linear", random_state=0).fit(X, y).retarget("f2", **rows), X


def prefit():
    X, y = binary()
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X[:100], y[:100])
    return fit(X[100:], y[100:], FrozenEstimator(tree))


def prefit_portfolio():
    X, y = binary()
    ones = [GaussianNB().fit(X[:100], y[:100]), LogisticRegression().fit(X[:100], y[:100])]
    return fit(X[100:], y[100:], ones, cv="prefit")


def mixed_pipeline():
    frame, y = table()
    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), ["kind", "size"]), (TfidfVectorizer(), "note")
    )
    return fit(frame, y, make_pipeline(columns, LogisticRegression()))


MACRO = {"measure": "f1_macro"}
CASES = {
    "linear": lambda: fit(*binary(), "linear"),
    "hinge": lambda: fit(*binary(), LinearLearner("hinge"), search=Grid(3)),
    "kernel": lambda: fit(*binary(), KernelLearner(gamma=0.1)),
    "polynomial kernel": lambda: fit(*binary(), KernelLearner(kernel="poly", degree=2)),
    "boosting": lambda: fit(*binary(), BoostingLearner(20)),
    "default": lambda: fit(*binary()),
    "best effort": lambda: fit(*binary(), effort="best"),
    "classes": lambda: fit(*classes(), **MACRO),
    "linear classes": lambda: fit(*classes(), "linear", measure="accuracy"),
    "kernel classes": lambda: fit(*classes(), KernelLearner(), **MACRO),
    "labels": lambda: fit(*multilabel(), **MACRO),
    "micro": lambda: fit(*multilabel(), "linear", measure="f1_micro"),
    "lists": lambda: fit(*sets(), "linear", **MACRO),
    "sets": lambda: fit(*sets(frozenset), "linear", **MACRO),
    "sparse labels": lambda: fit(
        multilabel()[0], sparse.csr_array(multilabel()[1]), "linear", **MACRO
    ),
    "frame of labels": lambda: fit(
        multilabel()[0], pd.DataFrame(multilabel()[1] > 0, columns=NAMES), "linear", **MACRO
    ),
    "column of lists": lambda: fit(
        pl.DataFrame(multilabel()[0]), pl.Series("tags", sets()[1]), "linear", **MACRO
    ),
    "table": lambda: fit(*table()),
    "table, best effort": lambda: fit(*table(), effort="best"),
    "steps": lambda: fit(*table(), "steps"),
    "polars table": lambda: fit(pl.from_pandas(table()[0]), table()[1], "linear"),
    "time zones": lambda: fit(
        table()[0].assign(day=table()[0].day.dt.tz_localize("UTC")), table()[1], "linear"
    ),
    "texts": lambda: fit(*texts()),
    "sparse rows": lambda: fit(sparse.csr_matrix(binary()[0]), binary()[1], "linear"),
    "forest": lambda: fit(*binary(), RandomForestClassifier(10)),
    "gradient boosting": lambda: fit(*binary(), GradientBoostingClassifier(n_estimators=10)),
    "histograms": lambda: fit(*binary(), HistGradientBoostingClassifier(max_iter=10)),
    "adaboost": lambda: fit(*binary(), AdaBoostClassifier(n_estimators=5)),
    "stochastic": lambda: fit(*binary(), SGDClassifier(loss="log_loss")),
    "network": lambda: fit(
        *binary(), make_pipeline(StandardScaler(), MLPClassifier((4,), max_iter=2000)),
        cost_sensitive=False,
    ),
    "pipeline": mixed_pipeline,
    "list of learners": lambda: fit(*binary(), ["linear", GaussianNB()]),
    "joint": lambda: fit(*multilabel(), JointLearner(RandomForestClassifier(10)), **MACRO),
    "prefit": prefit,
    "prefit portfolio": prefit_portfolio,
    "retargeted": retargeted,
    "retargeted with rows": lambda: retargeted(X=binary()[0], y=binary()[1]),
    "constraint": lambda: fit(*binary(), "linear", measure=RecallAtPrecision(0.6)),
    "measure": lambda: fit(*binary(), "linear", measure=FBeta(0.5), search=Grid(3)),
    "own measure": lambda: fit(
        *binary(), "linear", measure=LinearFractional(0.6, [-2, 0], 0.6, [-1, 1])
    ),
    "splitter": lambda: fit(
        *binary(), "linear", cv=StratifiedKFold(3), param_grid={"C": [0.1, 1.0]}
    ),
    "iterative folds": lambda: fit(*multilabel(), "linear", cv=IterativeKFold(2), **MACRO),
    "seeded by a state": lambda: fit(
        *binary(), "linear", random_state=np.random.RandomState(0)
    ),
}  # fmt: skip


def early_stopping():
    from lightgbm import LGBMClassifier

    booster = LGBMClassifier(n_estimators=30, early_stopping_round=5, verbose=-1)
    return fit(*binary(), EarlyStoppingLearner(booster))


CASES["early stopping"] = early_stopping


@cache
def fitted(name):
    """Return the fitted classifier of a case and its rows."""
    return CASES[name]()
