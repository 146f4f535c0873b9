"""What a fitted classifier does for groups: thresholds of their own, with bounded differences."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from numbers import Integral
from typing import Any, Self

from sklearn.utils import check_consistent_length

from pseudolinear._evidenced import EvidencedPredictor
from pseudolinear._fingerprint import fingerprint
from pseudolinear._group_thresholds import GroupThresholds
from pseudolinear._validation import named_column
from pseudolinear.measures import Measure, has_row_costs
from pseudolinear.thresholds import GroupCut, best_group_thresholds


class GroupedPredictor(EvidencedPredictor):
    """Base of :class:`MeasureClassifier`: thresholds per group."""

    def by_group(
        self,
        column: str | int,
        X: Any,
        y: Any,
        *,
        rate: str | Sequence[str] = "recall",
        within: float = 0.05,
        randomise: bool = True,
        sample_weight: Any = None,
        seed: int = 0,
    ) -> Self:
        """Return a copy that cuts each group at a threshold of its own, so that rates are near.

        The thresholds are the best for the measure among all that keep the bound on the given rows,
        which should not be those of `fit`. On other rows rates differ by chance:
        ``evaluate(X, y, by=column)`` says by how much. What such a bound means, and where
        thresholds per group may be unlawful: docs/guide/groups.md.

        Parameters
        ----------
        column : str or int
            The column of X that tells the group: its name, or of an array its position. It must be
            in the rows to predict as well.
        X, y : array-like or data frame
            Held-out rows with their classes, as in `fit`.
        rate, within, randomise
            As for :func:`best_group_thresholds`.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.
        seed : int, default=0
            Where thresholds take turns, rows draw among them by a hash of what they hold and of
            this number: the same row is always decided alike, equal rows too.

        Returns
        -------
        MeasureClassifier
            Fitted; `group_cut_` has the thresholds. A group that the given rows do not show is cut
            at `threshold_`, with a warning. `best_score_` and `certificate_` are still those of the
            fit, with one threshold.

        Examples
        --------
        >>> from sklearn.datasets import make_classification
        >>> X, y = make_classification(2000, weights=[0.8], flip_y=0.1, random_state=0)
        >>> X[:, 0] = X[:, 0] > 0.5  # the column that tells the group
        >>> clf = MeasureClassifier("linear", random_state=0).fit(X[:1000], y[:1000])
        >>> fair = clf.by_group(0, X[1000:], y[1000:], rate="recall", within=0.0)
        >>> round(fair.group_cut_.gap("recall"), 3)
        0.0
        """
        self._check_groupable(column)
        if not isinstance(seed, Integral):
            raise TypeError(f"seed must be a whole number, as 0, got {seed!r}.")
        plain = replace(self.decision_, policy=None)
        check_consistent_length(X, y)
        cut = best_group_thresholds(
            plain.kind.truth(y)[:, 0],
            plain.margins(self._rows(X), X)[:, 0],
            named_column(X, column, "by_group"),
            self._objective,
            rate=rate,
            within=within,
            randomise=randomise,
            sample_weight=sample_weight,
        )
        self._warn_if_fitted(X)
        other = copy(self)
        other.__dict__.pop("promise_", None)  # was of one threshold for all rows
        place = column if isinstance(column, str) else int(column)
        other.decision_ = replace(plain, policy=GroupThresholds(place, cut, int(seed)))
        other._decided_on = (*self._decided_on, fingerprint(X))
        return other

    def _check_groupable(self, column: Any) -> None:
        kind, goal = self._fitted_decision().kind, self._objective
        if kind.name != "binary":
            raise ValueError(
                f"by_group is for a positive and a negative class, but this problem is {kind.name}."
            )
        if has_row_costs(goal):
            raise ValueError(
                "Costs by row are decided row by row, which leaves no thresholds per group to "
                "choose; fit with fixed costs, as ExpectedCost(fn=5, fp=1)."
            )
        if not isinstance(goal, Measure):
            raise ValueError(
                f"by_group is for a measure such as 'f1', and this classifier is for {goal!r}; "
                "retarget it first, as in clf.retarget('f1').by_group(...)."
            )
        if not isinstance(column, str | Integral):
            raise TypeError(
                "by_group needs the name or the position of a column of X, since rows to predict "
                f"are told apart by it as well, got {type(column).__name__}."
            )

    @property
    def group_cut_(self) -> GroupCut:
        """Thresholds of the groups, with what they gave.

        They are of :meth:`decision_function` before, in which `threshold_` is 0.
        """
        policy = self._fitted_decision().policy
        if isinstance(policy, GroupThresholds):
            return policy.cut
        raise AttributeError(
            "This classifier has no group_cut_, as it cuts all rows at one threshold; see by_group."
        )
