"""Small fitted classifiers of every kind, with rows that they have not seen."""

from functools import cache

import numpy as np
from sklearn.datasets import load_iris, make_classification, make_multilabel_classification

from pseudolinear import MeasureClassifier

HOSTILE = [
    "<script>document.title = 'hacked'</script>",
    "</script><script>document.title = 'hacked'</script>",
    '"><img src=x onerror="document.title=\'hacked\'">',
    "quotes \" ' and & and \\ and ${document.title}",
    "line\u2028and\u2029paragraph",
    "a lone surrogate \ud800",
    "long " * 1000,
    "nul \x00 and \x1b",
]


@cache
def binary(measure="f1"):
    """Return a classifier, rows and classes."""
    X, y = make_classification(
        900, n_features=6, n_informative=4, weights=[0.8], flip_y=0.05, random_state=0
    )
    y = np.where(y == 1, "fraud", "fine")
    clf = MeasureClassifier("linear", measure=measure, random_state=0).fit(X[:450], y[:450])
    return clf, X[450:], y[450:]


@cache
def multilabel(names=()):
    """Return a classifier, rows and a frame of labels."""
    X, Y = make_multilabel_classification(600, n_classes=8, n_labels=3, random_state=0)
    sets = [[names[i] if names else f"topic {i}" for i in np.flatnonzero(row)] for row in Y]
    clf = MeasureClassifier("linear", measure="f1_macro", random_state=0)
    return clf.fit(X[:300], sets[:300]), X[300:], sets[300:]


@cache
def multiclass():
    """Return a classifier, rows and classes."""
    X, y = load_iris(return_X_y=True)
    X = X[:, :2]
    y = np.array(["setosa", "versicolor", "virginica"])[y]
    clf = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X[::2], y[::2])
    return clf, X[1::2], y[1::2]
