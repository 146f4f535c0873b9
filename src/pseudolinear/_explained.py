"""What a fitted classifier says of itself: in words, in numbers with intervals, as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from pseudolinear._predictor import MeasurePredictor
from pseudolinear.measures import get_ratio
from pseudolinear.thresholds import combine

if TYPE_CHECKING:
    from pseudolinear.evaluation import Evaluation


class ExplainedPredictor(MeasurePredictor):
    """Base of :class:`MeasureClassifier`: what is read by people."""

    _interval: tuple[float, float] | None  # of a slimmed classifier
    _n_effective: float  # number of rows of equal weight that tell as much as those of the fit

    def evaluate(
        self,
        X: Any,
        y: Any,
        *,
        confidence: float = 0.95,
        method: str = "auto",
        sample_weight: Any = None,
        groups: Any = None,
    ) -> Evaluation:
        """Evaluate the predictions for given rows by the measure, with an interval for it.

        The rows must not be those of `fit`: for these see `honest_score_` and `honest_interval_`.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The rows.
        y : array-like, sparse matrix, data frame or list of collections
            True classes or labels, as in :meth:`score`.
        confidence, method, sample_weight, groups
            As for :func:`evaluate`.

        Returns
        -------
        Evaluation
            The value is that of :meth:`score`; of a constraint, what it is after.

        Examples
        --------
        >>> from sklearn.datasets import make_classification
        >>> X, y = make_classification(800, weights=[0.9], random_state=0)
        >>> clf = MeasureClassifier("linear", random_state=0).fit(X[:400], y[:400])
        >>> clf.evaluate(X[400:], y[400:]).value == clf.score(X[400:], y[400:])
        True
        """
        from pseudolinear.evaluation import assess

        kind, objective = self._fitted_decision().kind, self._objective
        return assess(
            kind.outcomes(y, self._predict(X), objective),
            kind.objective(objective),
            name=self.measure if isinstance(self.measure, str) else repr(self.measure),
            confidence=confidence,
            method=method,
            sample_weight=sample_weight,
            groups=groups,
        )

    @property
    def honest_interval_(self) -> tuple[float, float]:
        """Where the value on other rows lies, at 95 %, from the validation rows of the fit.

        It is the interval of the delta method around `honest_score_`. Rows are taken to be
        independent, also those of one group, and so are labels.
        """
        honest = self.honest_score_  # says why, where there is none
        if self._sweep is None:
            assert self._interval is not None
            return self._interval
        from pseudolinear.evaluation import honest_interval

        choices, goals = self._sweep.choices, self._sweep.goals
        pairs = [
            (c.curve, cut) for o in choices for c, cut in zip(o.candidates, o.cuts, strict=True)
        ]
        measure = goals[0].measure if len(goals) == 1 else get_ratio(self.measure)
        return honest_interval(
            honest,
            self._sweep.value,
            measure,
            combine(*zip(*pairs, strict=True)),
            self._n_effective,
        )

    def slim(self) -> Self:
        """Return a copy without the evidence: it predicts, scores and states its certificate.

        `sweep_`, `frontier_` and `retarget` need the evidence and say so; the honest score and its
        interval stay.

        Returns
        -------
        MeasureClassifier
            Fitted, and as small as what it predicts with.

        Examples
        --------
        >>> from sklearn.datasets import make_classification
        >>> X, y = make_classification(500, weights=[0.9], random_state=0)
        >>> clf = MeasureClassifier("linear", random_state=0).fit(X, y)
        >>> clf.slim().honest_interval_ == clf.honest_interval_
        True
        """
        other = super().slim()
        if self._sweep is not None:
            other._interval = None if other._honest is None else self.honest_interval_
        return other
