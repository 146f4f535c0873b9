"""Labels with random scores, and every classifier that they allow."""

from fractions import Fraction

import numpy as np

from pseudolinear.experiments._curves import Curves

OPTIONS = ("none", "T", "CS", "CS&T")


LEVELS = (0.4, 1.0, 1.6)


def random_labels(seed, n_labels=3, n_rows=15, n_settings=2):
    """Labels and scores of every problem; scores have ties."""
    rng = np.random.default_rng(seed)
    y, y_test = (
        (rng.random((n_labels, n_rows)) < 0.4).astype(int),
        rng.integers(0, 2, (n_labels, n_rows)),
    )
    n_problems = len(LEVELS) * n_settings
    scores, scores_test = rng.normal(size=(2, n_labels, n_problems, n_rows)).round(1)
    curves = [
        Curves.from_scores(*parts) for parts in zip(y, scores, y_test, scores_test, strict=True)
    ]
    return y, scores, y_test, scores_test, curves, np.repeat(LEVELS, n_settings)


def all_classifiers(option, y, scores, levels):
    """List what an option may do with a label: (level, predictions), all thresholds tried."""
    for row, level in zip(scores, levels, strict=True):
        if option in ("none", "T") and level != 1.0:
            continue
        thresholds = [0.0] if option in ("none", "CS") else [np.inf, *row]
        for threshold in thresholds:
            yield level, (row >= threshold).astype(int)


def f1(fn, fp, positives):
    """F1 of counts, as a fraction; 0 where there is nothing to find and nothing found."""
    fn, fp, positives = int(fn), int(fp), int(positives)
    total = 2 * positives - fn + fp
    return Fraction(2 * (positives - fn), total) if total else Fraction(0)


def validation_f1(curves, cut):
    return f1(*curves.validation[cut], curves.positives[0])
