"""Thresholds of many labels at once are those that are found one by one."""

from __future__ import annotations

import numpy as np
import pytest
from extreme.rows import draw
from scipy import sparse

from pseudolinear import FBeta, Jaccard, best_thresholds
from pseudolinear._problem import LabelProblem
from pseudolinear.extreme import cut_columns
from pseudolinear.kinds import Goal
from pseudolinear.selection import Candidate, Shrunk
from pseudolinear.thresholds import label_curve


@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
@pytest.mark.parametrize("measure", [FBeta, Jaccard])
def test_without_shrinkage_they_are_exact(measure, average):
    goal = measure(average=average)
    for seed in range(5):
        scores, Y = draw(seed=seed)
        found, _ = cut_columns(scores, Y, goal, trust=0)
        assert found.value == pytest.approx(best_thresholds(Y.toarray(), scores, goal).value)
        flagged = (scores >= found.thresholds).astype(int)
        assert goal.score(Y.toarray(), flagged) == pytest.approx(found.value)


def test_rare_labels_are_shrunk_as_a_few_labels_are():
    scores, Y = draw(n_rows=400)
    goals, candidates = [], []
    for label in range(Y.shape[1]):
        y = Y[:, [label]].toarray()[:, 0]
        curve = label_curve(y, scores[:, label])
        goals.append(Goal((label,), FBeta(), np.asarray(y.mean()), len(y)))
        problem = LabelProblem(label, (1.0, 1.0), {})
        candidates.append([Candidate(problem, 1.0, curve, (), 0.0, True)])
    choices = Shrunk().recut(goals, candidates)
    found, _ = cut_columns(scores, Y, FBeta(average="macro"))
    assert found.thresholds == pytest.approx([choice.thresholds[0] for choice in choices])
    assert found.value == pytest.approx(np.mean([choice.value for choice in choices]))


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_a_shortlist_is_cut_as_if_all_other_labels_were_last(average):
    scores, Y = draw(digits=9)
    some = np.random.default_rng(0).random(scores.shape) < 0.4
    listed = sparse.csr_matrix(np.where(some, scores, 0.0))
    goal = FBeta(average=average)
    found, _ = cut_columns(listed, Y, goal, trust=0)
    flagged = (some & (scores >= found.thresholds)).astype(int)
    assert goal.score(Y.toarray(), flagged) == pytest.approx(found.value)
    far = np.where(some, scores, -1e6)
    dense = best_thresholds(Y.toarray(), far, goal)
    assert found.value >= dense.value - 1e-9 or (dense.threshold < -10).any()
