"""The fit of a single learner."""

from __future__ import annotations

from pseudolinear.portfolio._common import Common, Fitted, decide
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
    found = common.sweep(member, common.trainer(member))
    return train_chosen(member, common, found, refit=refit)


def train_chosen(member: Member, common: Common, found: SweepResult, *, refit: bool) -> Fitted:
    """Train what a sweep has chosen; see :func:`fit_single`."""
    trainer = common.trainer(member)
    problems = [candidate.problem for candidate in found.chosen.values()]
    models = trainer.fit(problems, common.all_rows if refit else common.splits[0][0])
    if not refit and len(common.splits) == 1:
        # Solved alone or in a batch, a problem ends within the learner's tolerance, not at the same
        # point; the threshold belongs to the model that is kept.
        (split,) = common.splits
        pairs = zip(problems, trainer.scores(models, split), strict=True)
        found = found.recut([common.cutter(p.label, split[1], s) for p, s in pairs])
    return Fitted(decide(found, member.learner, models), found)
