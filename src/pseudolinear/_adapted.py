"""What a fitted classifier makes of unlabelled rows of another population."""

from __future__ import annotations

import warnings
from dataclasses import replace
from numbers import Real
from typing import TYPE_CHECKING, Any, Self

from pseudolinear._label_budget import LabelRule
from pseudolinear._platt import between_cuts
from pseudolinear._retargeted import RetargetedPredictor
from pseudolinear.errors import ErrorCurves
from pseudolinear.kinds import check_label_shift

if TYPE_CHECKING:
    from pseudolinear.evaluation import Adaptation, LabelAdaptation, ScoreBins


class AdaptedPredictor(RetargetedPredictor):
    """Base of :class:`MeasureClassifier`: how it moves to where positives are rarer or more common.

    Attributes
    ----------
    adaptation_ : Adaptation
        What the rows of :meth:`adapt` have shown.
    """

    adaptation_: Adaptation

    def adapt(self, X: Any, *, confidence: float = 0.95) -> Self:
        """Return a classifier for the population of unlabelled rows; nothing is trained.

        The prevalence of each label among the rows is estimated from their scores, and thresholds
        and probabilities are those of ``retarget(prevalence=...)``. Rows of a class are taken to
        look as they did in training (label shift); where scores tell that they do not, a warning
        says so.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Rows of the new population, without labels.
        confidence : float, default=0.95
            Of the intervals of the prevalence.

        Returns
        -------
        MeasureClassifier
            Fitted; its `adaptation_` holds the estimates, and prints in a few lines.

        Examples
        --------
        >>> from sklearn.datasets import make_classification
        >>> X, y = make_classification(6000, class_sep=2, random_state=0)
        >>> clf = MeasureClassifier("linear", random_state=0).fit(X[:2000], y[:2000])
        >>> X, y = X[2000:], y[2000:]
        >>> rare = np.concatenate([np.flatnonzero(y == 0)[:1900], np.flatnonzero(y)[:100]])
        >>> adapted = clf.adapt(X[rare])
        >>> bool(0.04 < adapted.prevalence_ < 0.06)
        True
        >>> clf.score(X[rare], y[rare]) < adapted.score(X[rare], y[rare])
        True
        """
        from pseudolinear.evaluation import Adaptation

        if not isinstance(confidence, Real) or not 0.0 < confidence < 1.0:
            raise ValueError(f"confidence must lie between 0 and 1, got {confidence!r}.")
        self._check_retargetable(self._objective)
        kind = self.sweep_.kind
        check_label_shift(kind)
        names, bins = kind.label_names.tolist(), self._score_bins(X)
        labels = tuple(_estimate(names[k], own, confidence) for k, own in bins.items())
        found = Adaptation(labels, float(confidence), int(next(iter(bins.values())).n_new))
        if found.suspicious:
            warnings.warn(found.verdict, stacklevel=2)
        learns = isinstance(self.decision_.policy, LabelRule)  # of a budget, from such rows
        prevalence = {one.label: one.prevalence for one in labels}
        other = self.retarget(X=X if learns else None, prevalence=prevalence)
        other.adaptation_ = found
        return other

    def _score_bins(self, X: Any) -> dict[int, ScoreBins]:
        """Count the rows, and those that were validated, by their scores of each label."""
        from pseudolinear.evaluation import ScoreBins

        sweep, decision = self.sweep_, self.decision_
        seen = sweep.chosen_as_seen
        pairs = [pair for o in sweep.choices for pair in zip(o.candidates, o.cuts, strict=True)]
        cuts = {candidate.label: cut for candidate, cut in pairs}
        if any(len(candidate.curve.thresholds) < 2 for candidate in sweep.chosen.values()):
            raise ValueError(
                "adapt needs the errors at every threshold, and this classifier has kept those at "
                "one; fit with tune_threshold=True."
            )
        if not sweep.movable:
            raise ValueError(
                "adapt needs validation rows of both values of a label, and there are none; fit "
                "with folds (cv=3)."
            )
        scores = replace(decision, policy=None, threshold=0.0).margins(self._rows(X))

        def count(label: int) -> ScoreBins:
            curve, trained = sweep.chosen[label].curve, float(seen[label].curve.prevalence[0])
            between = between_cuts(ErrorCurves.of([curve])).scores
            log_odds = decision.calibration.of_column(label, between)
            own = scores[:, label]
            return ScoreBins.of(curve, cuts[label], log_odds, own, self._n_effective, trained)

        return {label: count(label) for label in sweep.movable}


def _estimate(name: Any, bins: ScoreBins, confidence: float) -> LabelAdaptation:
    """Estimate the prevalence of a label, and check that nothing else has changed."""
    from pseudolinear.evaluation import (
        LabelAdaptation,
        check_shift,
        estimate_by_confusion,
        estimate_by_likelihood,
    )

    likeliest, by_confusion = estimate_by_likelihood(bins), estimate_by_confusion(bins)
    return LabelAdaptation(
        name,
        bins.trained,
        likeliest.value,
        likeliest.interval(confidence),
        by_confusion.value,
        by_confusion.interval(confidence),
        check_shift(bins, likeliest.value),
    )
