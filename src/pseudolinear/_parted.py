"""How a classifier is fitted on rows in parts."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.utils import check_random_state

from pseudolinear._journal import Journal
from pseudolinear._prepared import PreparedPredictor
from pseudolinear.features import FoldFeatures, warn_of_suspects
from pseudolinear.learners import BoostingLearner, LinearLearner
from pseudolinear.learners.losses import SmoothLoss, get_loss
from pseudolinear.measures import Measure, Objective, has_row_costs
from pseudolinear.portfolio import Assembly, Member, Metadata, check_parameters
from pseudolinear.scale import Folds, PartedFit, open_engine
from pseudolinear.selection import get_rule
from pseudolinear.sweep import Checkpoint, Limits
from pseudolinear.thresholds import Budget


class PartedPredictor(PreparedPredictor):
    """Base of :class:`MeasureClassifier`: what rows need that are not in memory.

    Attributes
    ----------
    resolution_ : float
        Of a fit on rows in parts: by how much a cut between those that were counted could raise the
        value of a label, at the most; 0 where the cut is exact.
    """

    def _fit_parted(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        groups: Any,
        checkpoint: Any,
        fit_params: dict[str, Any],
    ) -> Self:
        """Fit on rows that are read part by part."""
        start, journal = time.monotonic(), Journal()
        estimator, objective = self._check_parted(groups, fit_params)
        seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        folds = Folds(1 if self.cv == "holdout" else int(self.cv), seed)
        kept = None if checkpoint is None else Checkpoint.open(checkpoint)
        with closing(open_engine(X, y, sample_weight, self.n_jobs)) as engine:
            fit = PartedFit.open(engine, objective, self.pos_label, folds, journal, kept)
            members = self._parted_members(fit, estimator, seed)
            rule = get_rule(self.selection, fit.goals, objective)
            deadline = None if self.max_seconds is None else start + self.max_seconds
            fitted, self.resolution_ = fit.fit(members, rule, Limits(deadline))
        self.target_name_ = y if isinstance(y, str) else None
        self.text_name_ = None
        for name in ("portfolio_", "adaptation_"):  # of an earlier fit
            self.__dict__.pop(name, None)
        self._n_effective, self._seen = fit.seen.n_effective, None
        self.timings_ = journal.timings
        return self._keep(fitted)

    def _parted_members(self, fit: PartedFit, estimator: Any, seed: int) -> list[Member]:
        """Return the learners, and what is tried of them."""
        sample = fit.seen.sample
        warn_of_suspects(sample.X, sample.codes)
        schema = self._schema(sample.X)
        rows = self._check_rows(sample.X, schema, reset=True)
        features = FoldFeatures(schema, rows, sample.weight, seed)
        if estimator == "auto":
            boosts = self.effort != "fast" and fit.can_boost(features.table)
            estimator = ["linear", "boosting"] if boosts else ["linear"]
        assembly = Assembly(
            features,
            fit.kind,
            fit.measure,
            self.search,
            self.param_grid,
            self.cost_sensitive,
            self.effort,
            Metadata.read(self, None, None, {}),
        )
        return assembly.members(estimator, seed)

    def _check_parted(
        self, groups: Any, fit_params: dict[str, Any]
    ) -> tuple[Any, Measure | Objective]:
        """Return estimator and objective, or say what needs rows in memory."""
        check_parameters(
            self._given, self.param_grid, self.effort, refit=self.refit, costs=self.cost_sensitive
        )
        objective = self._objective
        estimator = self._given
        for wrong, what in self._unparted(estimator, objective, groups, fit_params):
            if wrong:
                raise ValueError(f"{what}; give rows that fit into memory, or leave it out.")
        return estimator, objective

    def _unparted(
        self, estimator: Any, objective: Any, groups: Any, fit_params: dict[str, Any]
    ) -> Iterator[tuple[bool, str]]:
        """Yield what is not there for rows in parts, and whether it was asked for."""
        yield (
            not _trains_on_parts(estimator),
            (
                "Rows in parts are for 'auto', 'linear', 'boosting', a smooth LinearLearner "
                f"or a BoostingLearner, got {self.estimator!r}"
            ),
        )
        yield (
            not _is_folds(self.cv),
            (f"Rows in parts are split into a number of folds or by 'holdout', got cv={self.cv!r}"),
        )
        yield groups is not None or bool(fit_params), "Rows in parts take no groups and no metadata"
        yield not self.refit, "Rows in parts need refit=True"
        yield not self.tune_threshold, "Rows in parts need tune_threshold=True"
        yield isinstance(objective, Budget), "A Budget needs rows in memory"
        yield has_row_costs(objective), "Costs by row need rows in memory"
        grid = self.param_grid if isinstance(self.param_grid, list) else [self.param_grid or {}]
        yield any(set(one) - {"C"} for one in grid), "Rows in parts try values of C only"


def _trains_on_parts(estimator: Any) -> bool:
    if isinstance(estimator, LinearLearner):
        return isinstance(get_loss(estimator.loss), SmoothLoss)
    named = isinstance(estimator, str) and estimator in ("auto", "linear", "boosting")
    return named or isinstance(estimator, BoostingLearner)


def _is_folds(cv: Any) -> bool:
    if isinstance(cv, str):
        return cv == "holdout"
    return isinstance(cv, Integral) and not isinstance(cv, bool) and int(cv) > 1
