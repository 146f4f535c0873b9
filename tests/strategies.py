"""Rows, targets, weights and parameters as people have them, odd ones among them.

Everything is drawn from a seed and a few choices, so that a failing example is short and shrinks.
"""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from pseudolinear import FBeta, Jaccard, KernelLearner, LinearLearner


class Problem(NamedTuple):
    """What is fitted: rows, targets, weights, and the parameters of the classifier."""

    X: Any
    y: Any
    weight: Any
    params: dict[str, Any]


def _plain(X, rng):
    return X


def _with_large_column(X, rng):
    return X * np.where(np.arange(X.shape[1]) == 0, 10.0 ** rng.integers(3, 308), 1.0)


def _tiny(X, rng):
    return X * 10.0 ** -rng.integers(3, 320)


def _constant(X, rng):
    return np.full_like(X, rng.choice([0.0, 1.0, -3.5, 1e9]))


def _with_equal_columns(X, rng):
    return np.repeat(X[:, :1], X.shape[1], axis=1)


def _with_equal_rows(X, rng):
    return X[rng.integers(0, max(len(X) // 5, 1), len(X))]


def _rounded(X, rng):
    return X.round()


def _with_holes(X, rng):
    return np.where(rng.random(X.shape) < 0.1, np.nan, X)


def _with_infinity(X, rng):
    return np.where(rng.random(X.shape) < 0.02, np.inf, X)


VALUES = [
    _with_large_column, _tiny, _constant, _with_equal_columns, _with_equal_rows,
    _rounded, _with_holes, _with_infinity,
]  # fmt: skip


def _sparse(X, rng):
    return sparse.csr_matrix(np.where(rng.random(X.shape) < 0.5, np.nan_to_num(X), 0.0))


def _repeated(X, rng):
    """Return a matrix with entries given twice, unsorted, and some that are zero."""
    rows = _sparse(X, rng).tocoo()
    twice = [np.concatenate([part, part])[::-1] for part in (rows.row, rows.col)]
    data = np.concatenate([rows.data, np.zeros_like(rows.data)])[::-1]
    return sparse.csr_matrix(sparse.coo_matrix((data, tuple(twice)), shape=X.shape))


def _frame(X, rng):
    frame = pd.DataFrame(X).add_prefix("x")
    frame["colour"] = rng.choice(["red", "green", "blue"], len(X))
    frame["paid"] = rng.random(len(X)) < 0.5
    return frame


LAYOUTS = {
    "array": lambda X, rng: X,
    "float32": lambda X, rng: X.astype(np.float32),
    "columns first": lambda X, rng: np.asfortranarray(X),
    "every second": lambda X, rng: np.repeat(X, 2, axis=0)[::2],
    "list": lambda X, rng: X.tolist(),
    "csr": _sparse,
    "csc": lambda X, rng: _sparse(X, rng).tocsc(),
    "coo": lambda X, rng: _sparse(X, rng).tocoo(),
    "repeated entries": _repeated,
    "sparse array": lambda X, rng: sparse.csr_array(_sparse(X, rng)),
    "frame": _frame,
}


def _positives(Z, rng):
    return Z[:, 0] + 0.5 * rng.normal(size=len(Z)) > rng.choice([-1.0, 0.0, 1.0, 2.5])


TARGETS = {
    "0/1": lambda Z, rng: _positives(Z, rng).astype(int),
    "bool": _positives,
    "texts": lambda Z, rng: np.where(_positives(Z, rng), "yes", "no"),
    "-1/1": lambda Z, rng: np.where(_positives(Z, rng), 1.0, -1.0),
    "one class": lambda Z, rng: np.ones(len(Z), dtype=int),
    "one positive": lambda Z, rng: (np.arange(len(Z)) == 0).astype(int),
    "classes": lambda Z, rng: rng.integers(0, 4, len(Z)),
    "labels": lambda Z, rng: (Z[:, :3] > 0.3).astype(int),
    "sets": lambda Z, rng: [set(np.flatnonzero(row > 0.5).tolist()) for row in Z],
    "with None": lambda Z, rng: np.where(_positives(Z, rng), 1, None),
    "mixed": lambda Z, rng: np.array(
        ["yes" if one else 0 for one in _positives(Z, rng)], dtype=object
    ),
    "fractions": lambda Z, rng: rng.random(len(Z)),
}
WEIGHTS = {
    "none": lambda n, rng: None,
    "counts": lambda n, rng: rng.integers(0, 4, n),
    "fractions": lambda n, rng: rng.random(n),
    "far apart": lambda n, rng: 10.0 ** rng.uniform(-7, 7, n),
    "too far apart": lambda n, rng: 10.0 ** rng.uniform(-60, 60, n),
    "tiny": lambda n, rng: np.full(n, 1e-300),
    "small": lambda n, rng: 1e-20 * rng.random(n),
    "huge": lambda n, rng: np.full(n, 1e20),
    "zero": lambda n, rng: np.zeros(n),
    "negative": lambda n, rng: rng.normal(size=n),
}
LEARNERS = {
    "linear": "linear",
    "logistic": LinearLearner(),
    "squared hinge": LinearLearner("squared_hinge"),
    "hinge": LinearLearner("hinge"),
    "kernel": KernelLearner(),
    "any": LogisticRegression(),
}
C_VALUES = [1e-12, 1e-3, 1e6, 1e14, 1e20, 1e300, 0.0, -1.0, np.nan]
ONE = [None, "f1", FBeta(2.0), Jaccard(), "accuracy"]
SEVERAL = [None, "f1_macro", "f1_micro", FBeta(0.5, average="macro")]
SEVERAL_TARGETS = ("classes", "labels", "sets")
COMMON = {  # what is drawn of everything that is not to be odd
    "values": [_plain, _with_equal_rows, _rounded],
    "layout": ["array", "frame", "csr"],
    "target": ["0/1", "texts", "classes", "labels", "sets"],
    "weight": ["none", "none", "counts", "fractions"],
    "C": [1.0, 0.1],
}
ODD = {
    "values": VALUES,
    "layout": sorted(LAYOUTS),
    "target": sorted(TARGETS),
    "weight": sorted(WEIGHTS),
    "C": C_VALUES,
}


@st.composite
def problems(draw):
    """Draw a problem: small, and odd in at most two ways at once."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n, d = draw(st.sampled_from([4, 12, 40, 120])), draw(st.sampled_from([1, 3, 8]))
    Z = rng.normal(size=(n, max(d, 3)))
    odd = draw(st.sets(st.sampled_from(sorted(ODD)), max_size=2))
    drawn = {
        name: draw(st.sampled_from((ODD if name in odd else COMMON)[name])) for name in sorted(ODD)
    }
    with np.errstate(over="ignore"):
        X = LAYOUTS[drawn["layout"]](drawn["values"](Z[:, :d], rng), rng)
    learner = draw(st.sampled_from(sorted(LEARNERS)))
    params: dict[str, Any] = {"estimator": LEARNERS[learner], "random_state": 0}
    several = drawn["target"] in SEVERAL_TARGETS
    params["measure"] = draw(st.sampled_from(SEVERAL if several else ONE))
    if learner not in ("linear", "any"):
        params["param_grid"] = {"C": [drawn["C"]]}
    params["cv"] = draw(st.sampled_from([3, 3, 2, "holdout"]))
    return Problem(X, TARGETS[drawn["target"]](Z, rng), WEIGHTS[drawn["weight"]](n, rng), params)
