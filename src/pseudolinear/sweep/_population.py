"""Candidates in another population: one in which labels have another prevalence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from scipy.special import logit

from pseudolinear.kinds import Goal
from pseudolinear.search import level_at, share_of
from pseudolinear.selection import Candidate


def at_prevalence(candidate: Candidate, population: Mapping[int, float]) -> Candidate:
    """Move the errors of a candidate, if the population says anything else of its label.

    A label of which the validation rows have shown one value only stays as it is.
    """
    here, wanted = candidate.curve.prevalence[0], population.get(candidate.label)
    if wanted is None or wanted == here or not 0.0 < here < 1.0:
        return candidate
    return candidate.at_prevalence(wanted)


def move_candidate(
    candidate: Candidate, population: Mapping[int, float], old: Goal, new: Goal
) -> Candidate:
    """Move a candidate, with its level, to another population.

    Its level becomes the one whose costs there are those of its training: a cost of c for each
    false negative is one of c p / p' once their share is multiplied by p' / p.

    Parameters
    ----------
    candidate : Candidate
        As it was before.
    population : mapping from int to float
        Prevalence of the labels that are moved.
    old, new : Goal
        What it is for, before and there.

    Returns
    -------
    Candidate
        In the new population.
    """
    i = old.labels.index(candidate.label)
    p, wanted = (float(np.atleast_1d(goal.prevalence)[i]) for goal in (old, new))
    share = share_of(old.measure, old.prevalence, candidate.level)
    if p != wanted:
        fp, fn = share * (1.0 - p) / (1.0 - wanted), (1.0 - share) * p / wanted
        share = fp / (fn + fp)
    level = level_at(new.measure, new.prevalence, np.array([share]))
    return replace(at_prevalence(candidate, population), level=float(level[0]))


def log_odds_shift(old: Mapping[int, Candidate], new: Mapping[int, Candidate]) -> dict[int, float]:
    """Return by how much log-odds move from the population of some candidates to that of others.

    By Bayes' rule, the odds of a row are those of its label times a ratio of densities that label
    shift leaves as it is.
    """
    pairs = {k: (old[k].curve.prevalence[0], c.curve.prevalence[0]) for k, c in new.items()}
    return {k: float(logit(there) - logit(p)) for k, (p, there) in pairs.items() if p != there}
