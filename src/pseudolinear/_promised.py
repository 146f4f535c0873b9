"""What a fitted classifier can promise of rows to come."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from numbers import Real
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils import check_consistent_length

from pseudolinear._evidenced import EvidencedPredictor
from pseudolinear._fingerprint import fingerprint
from pseudolinear.portfolio import Fitted
from pseudolinear.sweep import SweepResult

if TYPE_CHECKING:
    from pseudolinear.evaluation import Promise


class PromisedPredictor(EvidencedPredictor):
    """Base of :class:`MeasureClassifier`: thresholds that keep a promise."""

    promise_: Promise

    def guarantee(
        self,
        promise: str,
        X: Any,
        y: Any,
        *,
        error: float = 0.1,
        sample_weight: Any = None,
        groups: Any = None,
    ) -> Self:
        """Return a copy whose thresholds keep a promise on new rows, but for a chosen error.

        Fresh rows decide: thresholds of the fit are tested on them in an order that the fit has
        set, and one is taken that was accepted (Learn then Test, Angelopoulos et al. 2025). So
        the promise holds with probability ``1 - error`` over the draw of these rows, at every
        number of them. Of a recall the threshold is as high as can be, for precision; of a
        precision as low as can be, for recall; of any other measure the accepted one of the
        largest value. Nothing is trained.

        Parameters
        ----------
        promise : str
            Such as ``"recall >= 0.9"``, ``"precision >= 0.8"`` or ``"f1 >= 0.6"``: a measure of
            one label by name. Of several labels it is promised for every one of them, all
            together, so that each has its share of the error.
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Rows that took no part in the fit, drawn as those to come.
        y : array-like, sparse matrix, data frame or list of collections
            True classes or labels, as in :meth:`score`.
        error : float, default=0.1
            Probability that the promise does not hold, at most.
        sample_weight, groups : None
            Refused, since the bounds need independent rows of equal weight.

        Returns
        -------
        MeasureClassifier
            Fitted, with `promise_`: what is promised, and what was seen at the thresholds. Its
            `measure` is still that of the fit.

        Raises
        ------
        ValueError
            If no threshold can be promised to do; the message says what could be.

        Examples
        --------
        >>> from sklearn.datasets import make_classification
        >>> X, y = make_classification(2000, weights=[0.8], flip_y=0.1, random_state=0)
        >>> clf = MeasureClassifier("linear", random_state=0).fit(X[:1000], y[:1000])
        >>> careful = clf.guarantee("recall >= 0.8", X[1000:], y[1000:])
        >>> careful.promise_
        <Promise: recall >= 0.8 with probability 90 %, 1000 rows>
        >>> careful.threshold_ < clf.threshold_
        True
        """
        from pseudolinear.evaluation import Aim, make_promise

        found = self._sweep_to_cut(error, sample_weight, groups)
        aim, kind = Aim.read(promise), self.decision_.kind
        unset = replace(self.decision_, threshold=0.0 * np.atleast_1d(self.threshold_))
        true, scores = kind.truth(y), unset.margins(self._rows(X))
        check_consistent_length(scores, true)
        self._warn_if_seen(X)
        curves = {label: candidate.curve for label, candidate in found.chosen.items()}
        made, cuts = make_promise(aim, curves, true, scores, kind.label_names, float(error))
        found = found.cut_at(cuts)
        decision = replace(self.decision_, threshold=kind.thresholds(found.thresholds))
        other = copy(self)._keep(Fitted(decision, found))
        other.promise_, other._decided_on = made, (fingerprint(X),)
        return other

    def _sweep_to_cut(self, error: float, sample_weight: Any, groups: Any) -> SweepResult:
        """Return what holds the thresholds to test, unless nothing can be promised with it."""
        self._refuse_many("guarantee")
        decision = self._fitted_decision()
        if not decision.kind.separable:
            raise ValueError(
                "A promise is for labels that are decided one by one, and this classifier tells "
                f"{len(decision.kind.classes)} classes apart; fit one of them against the rest."
            )
        if decision.policy is not None:
            raise ValueError(
                f"A decision by {type(decision.policy).__name__} looks at more than thresholds, "
                "which are all that a promise can choose; use the classifier without it."
            )
        if self._sweep is None:
            raise ValueError(
                "This classifier was slimmed, so the thresholds to test are gone; use the one "
                "that was fitted, or save it by clf.save(path, evidence=True)."
            )
        if sample_weight is not None or groups is not None:
            raise ValueError(
                "A promise needs independent rows of equal weight, so it takes neither "
                "sample_weight nor groups; give one row of each group."
            )
        if not isinstance(error, Real) or not 0 < error < 1:
            raise ValueError(f"error must be between 0 and 1, as 0.1, got {error!r}.")
        return self._sweep
