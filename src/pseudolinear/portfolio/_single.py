"""The fit of a single learner."""

from __future__ import annotations

from dataclasses import replace

from pseudolinear._decision import Decision
from pseudolinear._journal import AGAIN, TRAINING
from pseudolinear.portfolio._common import Common, Fitted, decide
from pseudolinear.portfolio._floor import lift_to_floor
from pseudolinear.portfolio._member import Member
from pseudolinear.sweep import SweepResult


def fit_single(member: Member, common: Common, *, refit: bool) -> Fitted:
    """Sweep one learner and train what was chosen.

    Parameters
    ----------
    member : Member
        The learner.
    common : Common
        Rows, splits and rule.
    refit : bool
        Whether the chosen candidates are trained on all rows, or only on the training rows of the
        first split.

    Returns
    -------
    Fitted
        What predicts, and what was seen.
    """
    found = common.sweep(member, keep_scores=common.keeps_scores)
    if common.keeps_scores:  # of which only the chosen candidates are calibrated
        without = [[replace(candidate, scores=None) for candidate in own] for own in found.by_goal]
        found = replace(found, by_goal=without)
    return train_chosen(member, common, found, refit=refit)


def train_chosen(member: Member, common: Common, found: SweepResult, *, refit: bool) -> Fitted:
    """Train what a sweep has chosen; see :func:`fit_single`."""
    trainer, train = common.trainer(member), common.all_rows if refit else common.splits[0][0]
    problems = [candidate.problem for candidate in found.chosen.values()]
    with common.journal.stage(TRAINING if refit else AGAIN, 1):
        models = trainer.fit(problems, train)
    if not refit and len(common.splits) == 1:
        # Solved alone or in a batch, a problem ends within the learner's tolerance, not at the same
        # point; the threshold belongs to the model that is kept.
        (split,) = common.splits
        pairs = zip(problems, trainer.scores(models, split), strict=True)
        found = found.recut([common.cutter(p.label, split[1], s) for p, s in pairs])
    features = common.rows.fitted([member.view], train)
    decision = Decision(
        found.kind,
        features,
        member.view,
        member.learner,
        [],
        None,
        common.calibration(found),
        common.policy,
    )
    return lift_to_floor(common, Fitted(decide(found, decision, models), found), train)
