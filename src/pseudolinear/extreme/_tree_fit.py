"""fit_tree: many labels by a tree, with a threshold of its own for each."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from pseudolinear._journal import TRAINING, Journal
from pseudolinear.extreme._cut_columns import cut_columns
from pseudolinear.extreme._fit import LabelRows, ManyFitted
from pseudolinear.extreme._label_tree import LabelTree
from pseudolinear.extreme._tree_learner import TreeLearner
from pseudolinear.extreme._truncation import Truncation
from pseudolinear.measures import Measure
from pseudolinear.sweep import Workers

VALIDATING = "tree, held-out rows"


def fit_tree(
    rows: LabelRows,
    measure: Measure,
    *,
    seed: int,
    budget: int,
    workers: Workers,
    journal: Journal,
) -> ManyFitted:
    """Fit a tree of labels, and cut the scores of held-out rows.

    All folds share the tree of all rows: the score of a label depends on what else is below its
    nodes, so that thresholds of other trees would not fit it.

    Parameters
    ----------
    rows, measure, seed, budget, workers, journal
        As for :func:`fit_many`. A tree needs a few numbers for each row and label of a node, and
        is trained by one job, so `budget` and `workers` change nothing.

    Returns
    -------
    ManyFitted
        What scores, and what was seen.
    """
    if rows.weight is not None:
        raise ValueError(
            "estimator='tree' takes no sample_weight; leave it out, or take estimator='linear'."
        )
    learner = TreeLearner(random_state=seed)
    X, Y = _csr(rows.matrix), _csr(rows.codes)
    tree = learner.grow(X, Y)
    labels = np.flatnonzero((rows.prevalence > 0) & (rows.prevalence < 1))
    scores, truth = _held_out(rows, Y, learner, tree, journal)
    cuts, curves = cut_columns(scores[:, labels], truth[:, labels], measure)
    with journal.stage(TRAINING, 1):
        journal.expect(1)
        model = learner.fit(X, Y, tree)
        journal.step()
    one = np.ones(len(labels))
    truncation = Truncation(learner.truncation, np.nan, model.kept)
    n_problems = len(tree.child) * (len(rows.splits) + 1)
    level, C = one * np.nan, one * learner.C
    return ManyFitted(model, labels, cuts, curves, level, one, C, truncation, n_problems, 0)


def _held_out(
    rows: LabelRows, Y: Any, learner: TreeLearner, tree: LabelTree, journal: Journal
) -> tuple[Any, Any]:
    """Return the scores of the rows that the folds hold out, and their labels."""
    scores = []
    with journal.stage(VALIDATING, len(rows.splits)):
        journal.expect(len(rows.splits))
        for fold in rows.folds:
            model = learner.fit(_csr(fold.X_train), Y[fold.train], tree)
            scores.append(model.shortlist(_csr(fold.X_test)).scores)
            journal.step()
    tested = np.concatenate([test for _, test in rows.splits])
    return sparse.vstack(scores, format="csr"), Y[tested]


def _csr(X: Any) -> sparse.csr_array:
    return sparse.csr_array(X)
