"""What a fitted classifier is worth on given rows, in memory or in parts."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

from pseudolinear._evidenced import EvidencedPredictor
from pseudolinear._validation import named_column
from pseudolinear.measures import ExpectedCost, Measure, Objective, short_name
from pseudolinear.scale import is_parted, judge, light, open_engine

if TYPE_CHECKING:
    from pseudolinear.evaluation import Evaluation


class EvaluatedPredictor(EvidencedPredictor):
    """Base of :class:`MeasureClassifier`: the measure on other rows."""

    n_jobs: int | None

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Return the measure itself on the given rows; of a constraint, what it is after.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame or rows in parts
            The rows.
        y : array-like, sparse matrix, data frame, list of collections or name of a column
            True classes or labels, as in `fit`; a matrix without names has its columns in the
            order of `classes_`. Columns of a frame are found by name and must be the labels of
            `fit`; a class, or a label in collections, that `fit` has not seen is never predicted,
            so that its rows count as negative or as errors, and a warning says so.
        sample_weight : array-like of shape (n_samples,) or name of a column, default=None
            Weight of each row.

        Returns
        -------
        float
            Value of the measure.
        """
        if is_parted(X):
            return self._evaluate_parts(X, y, self.measure, sample_weight).value
        kind = self._fitted_decision().kind
        return kind.score(y, self._predict(X), self._objective_on(X), sample_weight)

    def evaluate(
        self,
        X: Any,
        y: Any = None,
        measure: str | Measure | Objective | None = None,
        *,
        confidence: float = 0.95,
        method: str = "auto",
        sample_weight: Any = None,
        groups: Any = None,
        by: Any = None,
    ) -> Evaluation:
        """Evaluate the predictions for given rows by a measure, with an interval for it.

        The rows must not be those of `fit`, which a warning says where it is noticed: for these see
        `honest_score_` and `honest_interval_`.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame or rows in parts
            The rows.
        y : array-like, sparse matrix, data frame, list of collections or name of a column
            True classes or labels, as in :meth:`score`.
        measure : str, Measure or Objective, default=None
            As for :func:`evaluate`; None is the measure of the fit. Predictions stay the same:
            :meth:`retarget` makes those that are best for another measure.
        confidence, method, sample_weight, groups
            As for :func:`evaluate`. Rows in parts have no `groups`.
        by : str, int or array-like of shape (n_samples,), default=None
            What rows are compared by, as for :func:`evaluate`; also the name of a column of X, or
            of an array its position. Rows in parts are not compared.

        Returns
        -------
        Evaluation
            The value of the measure of the fit is that of :meth:`score`; of a constraint, what it
            is after.

        Examples
        --------
        >>> from sklearn.datasets import make_classification
        >>> X, y = make_classification(800, weights=[0.9], random_state=0)
        >>> clf = MeasureClassifier("linear", random_state=0).fit(X[:400], y[:400])
        >>> clf.evaluate(X[400:], y[400:]).value == clf.score(X[400:], y[400:])
        True

        Another measure of the same predictions, and of those that are made for it:

        >>> clf.evaluate(X[400:], y[400:], measure="f2").value
        0.595
        >>> clf.retarget("f2").evaluate(X[400:], y[400:]).value
        0.711
        """
        aim = self.measure if measure is None else measure
        if is_parted(X):
            if groups is not None or by is not None:
                raise ValueError("groups and by are for rows in memory; leave them out.")
            return self._evaluate_parts(
                X, y, aim, sample_weight, confidence=confidence, method=method
            )
        from pseudolinear.evaluation import assess, read_measure

        kind, objective = self._fitted_decision().kind, read_measure(aim)
        if isinstance(objective, ExpectedCost):
            objective = objective.on(X)
        own = kind.objective(objective)
        outcomes = kind.outcomes(y, self._predict(X), objective)
        self._warn_if_seen(X)
        named = isinstance(by, str | int)
        return assess(
            outcomes,
            own,
            name=short_name(aim, len(kind.label_names)),
            classes=kind.classes,
            confidence=confidence,
            method=method,
            sample_weight=sample_weight,
            groups=groups,
            by=named_column(X, by, "evaluate(by=...)") if named else by,
            by_name=str(by if named else getattr(by, "name", None) or "group"),
        )

    def _evaluate_parts(
        self,
        X: Any,
        y: Any,
        measure: str | Measure | Objective,
        sample_weight: Any,
        **how: Any,
    ) -> Evaluation:
        """Evaluate part after part."""
        from pseudolinear.evaluation import evaluate_batches, read_measure

        decision, objective = self._fitted_decision(), read_measure(measure)
        kind, strings = decision.kind, decision.features.schema.strings
        kind.objective(objective)  # refuses what is not for this kind of problem
        names = getattr(self, "feature_names_in_", None)
        one = len(kind.label_names) == 1
        averaged = getattr(objective, "average", "binary") != "binary"
        named = getattr(objective, "pos_label", None) is not None
        with closing(open_engine(X, y, sample_weight, self.n_jobs, names, strings)) as engine:
            return evaluate_batches(
                partial(engine.each, "judging", judge, light(self)),
                measure,
                pos_label=kind.positive_label if one and not (averaged or named) else None,
                labels=None if one else kind.classes.tolist(),
                **how,
            )
