"""From parameters and rows to what is trained, and on what."""

from __future__ import annotations

import time
import warnings
from numbers import Real
from typing import Any, Self

import numpy as np
from sklearn.utils import check_consistent_length, check_random_state

from pseudolinear._budgeted import resolve_on_rows
from pseudolinear._evidenced import EvidencedPredictor
from pseudolinear._journal import Journal
from pseudolinear._validation import check_one_type, check_training_weights
from pseudolinear.features import FoldFeatures, warn_of_suspects
from pseudolinear.kinds import measure_for, name_positive, read_target
from pseudolinear.labels import read_labels
from pseudolinear.learners import check_match
from pseudolinear.measures import CostPolicy, Measure, has_row_costs
from pseudolinear.portfolio import (
    Assembly,
    Common,
    Member,
    Metadata,
    check_parameters,
    members_of,
    price_goals,
    read_row_costs,
)
from pseudolinear.selection import get_rule
from pseudolinear.sweep import Checkpoint, Cutter, Rows, Workers, make_splits

FEW = 5  # rows that weights leave, below which a warning says so
PROBABILITIES = ("agreeing", "calibrated")


class PreparedPredictor(EvidencedPredictor):
    """Base of :class:`MeasureClassifier`: checks of parameters and rows."""

    param_grid: Any
    pos_label: Any
    search: Any
    effort: str
    refit: bool
    tune_threshold: bool
    max_seconds: float | None
    n_jobs: int | None
    random_state: Any

    def set_params(self, **params: Any) -> Self:
        """Set parameters, those of the estimator inside by names such as ``estimator__C``.

        Parameters
        ----------
        **params
            Names and values.

        Returns
        -------
        self
            The same classifier.

        Examples
        --------
        >>> clf = MeasureClassifier(LinearLearner()).set_params(estimator__C=0.5)
        >>> clf.estimator.C
        0.5
        """
        estimator = params.get("estimator", self.estimator)
        inner = [name for name in params if name.startswith("estimator__")]
        if inner and not hasattr(estimator, "set_params"):
            short = inner[0].removeprefix("estimator__")
            raise ValueError(
                f"{inner[0]} is a parameter inside the estimator, and {estimator!r} has none to "
                "set; give an object, such as LinearLearner(), or try values in the fit by "
                f"param_grid={{{short!r}: [...]}}."
            )
        return super().set_params(**params)

    def _prepare(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        groups: Any,
        fit_params: dict[str, Any],
        journal: Journal,
        *,
        kept: EvidencedPredictor | None = None,
    ) -> tuple[list[Member], Common]:
        """Check parameters and input; return what is trained, and on what.

        Features and members may be kept from another fit.
        """
        start = time.monotonic()
        learners = check_parameters(
            self._given,
            self.param_grid,
            self.effort,
            refit=self.refit,
            costs=self.cost_sensitive,
        )
        self._check_probabilities()
        self._check_jobs()
        metadata = Metadata.read(self, sample_weight, groups, fit_params)
        features = None if kept is None else kept.decision_.features
        schema, given = self._schema(X) if features is None else features.schema, X
        X = self._check_rows(X, schema, reset=True)
        if y is None:
            raise ValueError("MeasureClassifier requires y to be passed, but the target y is None.")
        y, form = read_labels(y)
        check_one_type(y, "y")
        check_consistent_length(X, y, groups)
        if features is None:
            warn_of_suspects(given, y)
        weight = check_training_weights(sample_weight, len(y))
        goal = resolve_on_rows(self._objective, y, given)
        ratio = isinstance(goal, Measure)
        measure = name_positive(measure_for(goal, y), y, self.pos_label, weight)
        kind, codes = read_target(y, measure, weight, form)
        for learner in learners:
            check_match(learner, classes=not kind.separable, weighted=weight is not None)
        seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        goals = kind.goals(codes, measure, weight)
        folds = FoldFeatures(schema, X, weight, seed, features)
        assembly = Assembly(
            folds,
            kind,
            measure,
            self.search,
            self.param_grid,
            self.cost_sensitive,
            self.effort,
            metadata,
        )
        pairwise = any(learner.abilities.pairwise for learner in learners)
        prefit = len(learners) > 0 and all(learner.abilities.prefit for learner in learners)
        cv = "prefit" if prefit else self.cv
        splits = make_splits(cv, X, codes, kind, seed, **metadata.of_splits(cv))
        costs = read_row_costs(goal, given, len(y), kind, learners)
        if costs is not None:
            goals = price_goals(goals, costs, codes, weight, splits)
        rows = Rows(X, codes, weight, pairwise, folds)
        _warn_of_weights(rows)
        common = Common(
            rows,
            Cutter(kind, codes, weight, measure if ratio else goal, self.tune_threshold, costs),
            goals,
            splits,
            get_rule(self.selection, goals, goal),
            Workers(self.n_jobs),
            journal,
            self._deadline(start, len(splits)),
            CostPolicy(goal) if has_row_costs(goal) else None,
        )
        if kept is not None:
            return members_of(kept.decision_, kept.sweep_, metadata), common
        return assembly.members(self._given, seed), common

    def _check_probabilities(self) -> None:
        if self.probabilities not in PROBABILITIES:
            raise ValueError(
                f"probabilities must be one of {', '.join(PROBABILITIES)}, got "
                f"{self.probabilities!r}."
            )

    def _check_jobs(self) -> None:
        if self.n_jobs == 0:
            raise ValueError(
                "n_jobs must be None, a positive number of jobs, or -1 for all cores, got 0."
            )

    def _check_seconds(self) -> None:
        if self.max_seconds is not None and not (
            isinstance(self.max_seconds, Real) and self.max_seconds > 0
        ):
            raise ValueError(
                f"max_seconds must be None or a positive number, got {self.max_seconds!r}."
            )

    def _deadline(self, start: float, n_splits: int) -> float | None:
        """Return when to stop trying, so that training on all rows still fits in."""
        if self.max_seconds is None:
            return None
        return start + self.max_seconds * n_splits / (n_splits + self.refit)

    def _open(self, checkpoint: Any, members: list[Member]) -> Checkpoint | None:
        """Return the checkpoint in a folder, or say at once what stands in its way."""
        if checkpoint is None:
            return None
        if self.random_state is None:
            raise ValueError(
                "A checkpoint needs a random_state, so that a fit that is started again draws the "
                "same folds; give a number."
            )
        found = Checkpoint.open(checkpoint)
        found.keys([member.learner for member in members])
        return found


def _warn_of_weights(rows: Rows) -> None:
    """Say that nearly all of the weight is on a few rows."""
    n_rows = len(rows.codes)
    worth = rows.n_effective(np.arange(n_rows))
    if worth < FEW < n_rows:
        warnings.warn(
            f"The weights make {n_rows} rows worth {worth:.1f}: what is learnt and estimated rests "
            "on these few; give weights that are less far apart.",
            stacklevel=4,
        )
