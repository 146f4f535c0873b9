"""What a fitted classifier makes of new labelled rows, without a new sweep."""

from __future__ import annotations

from contextlib import suppress
from copy import copy
from typing import Any, Self

from sklearn.base import clone

from pseudolinear._fingerprint import fingerprint
from pseudolinear._group_thresholds import GroupThresholds
from pseudolinear._journal import READING, Journal
from pseudolinear._prepared import PreparedPredictor
from pseudolinear.portfolio import Fitted, check_same_labels, retrain_blends, retrain_single


class RetrainedPredictor(PreparedPredictor):
    """Base of :class:`MeasureClassifier`: how it goes on with new rows."""

    timings_: list[tuple[str, float]]

    def retrain(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, **fit_params: Any
    ) -> Self:
        """Return a classifier trained on new rows as this one was; nothing is swept again.

        Levels, hyper-parameters and the weights of a portfolio's members stay as they were chosen,
        and so do features (scales, words, categories). Models are trained on the given rows;
        linear ones start from the solutions at hand. Thresholds are chosen anew, on the same kind
        of folds. Give all rows that should count: what earlier rows have taught is not kept.

        Parameters
        ----------
        X, y, sample_weight, groups, **fit_params
            As for `fit`: the same columns, and the same classes or labels.

        Returns
        -------
        MeasureClassifier
            Fitted. Its `sweep_` holds what was chosen, with its errors on the new rows.

        Examples
        --------
        >>> from sklearn.datasets import make_classification
        >>> X, y = make_classification(4000, weights=[0.9], flip_y=0.05, random_state=0)
        >>> clf = MeasureClassifier("linear", random_state=0).fit(X[:200], y[:200])
        >>> more = clf.retrain(X[:3000], y[:3000])
        >>> more.level_ == clf.level_, bool(more.threshold_ == clf.threshold_)
        (True, False)
        >>> clf.score(X[3000:], y[3000:]) < more.score(X[3000:], y[3000:])
        True
        """
        if isinstance(self._fitted_decision().policy, GroupThresholds):
            raise ValueError(
                "This classifier has thresholds per group, which were chosen on other rows; "
                "retrain the one that it was made from, and choose them again."
            )
        other = copy(self)
        again = self._train_on(X, y, sample_weight, groups, fit_params, other)
        for name in ("portfolio_", "adaptation_"):  # of other rows
            other.__dict__.pop(name, None)
        other._seen = fingerprint(X)
        return other._keep(again, X)

    def _train_on(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        groups: Any,
        fit_params: dict[str, Any],
        other: Any,
    ) -> Fitted:
        """Train what was chosen on new rows; note on the other classifier how it went."""
        self._rows(X)  # columns are those of the fit, or an error says so
        old, again = self.sweep_, clone(self)
        again.set_params(estimator=self.estimator, max_seconds=None)
        with suppress(AttributeError):  # which of two classes is rarer may have changed
            again.set_params(pos_label=self.pos_label_)
        given = (X, y, sample_weight, groups, fit_params)
        journal = Journal()
        with journal.stage(READING):
            members, common = again._prepare(*given, journal, kept=self)
        check_same_labels(old, common)
        other.timings_, other._n_effective = journal.timings, common.n_effective
        with common.workers:
            if self._is_portfolio:
                return retrain_blends(members, common, self.decision_, old)
            return retrain_single(members[0], common, self.decision_, old, refit=self.refit)
