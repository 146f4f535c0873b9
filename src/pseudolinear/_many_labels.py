"""What a classifier does with thousands of labels."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.utils import check_consistent_length, check_random_state

from pseudolinear._callbacks import ToldCallbacks
from pseudolinear._fingerprint import fingerprint
from pseudolinear._journal import READING, Journal, ShownProgress
from pseudolinear._prepared import PreparedPredictor
from pseudolinear._progress import Progress
from pseudolinear._validation import check_training_weights
from pseudolinear.bounds import Certificate
from pseudolinear.extreme import (
    N_STAGES,
    LabelRows,
    ManyDecision,
    ManyFitted,
    ManyLabelsFit,
    decide_many,
    fit_many,
    fit_tree,
    read_memory,
    split_labels,
)
from pseudolinear.features import FoldFeatures
from pseudolinear.kinds import ManyLabels
from pseudolinear.labels import column_name, read_sparse_labels
from pseudolinear.measures import get_ratio
from pseudolinear.portfolio import Metadata, check_parameters
from pseudolinear.sweep import Workers


class ManyLabelsPredictor(PreparedPredictor):
    """Base of :class:`MeasureClassifier`: fits of thousands of labels."""

    max_memory: Any
    verbose: bool

    def _fit_many(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        groups: Any,
        checkpoint: Any,
        fit_params: dict[str, Any],
        journal: Journal,
    ) -> Self:
        """Fit linear models or a tree of many labels, sparse from end to end."""
        if checkpoint is not None:
            raise ValueError("A fit of many labels keeps no checkpoint; leave it out.")
        with journal.stage(READING):
            check_parameters(
                self._given, self.param_grid, self.effort, refit=self.refit,
                costs=self.cost_sensitive,
            )  # fmt: skip
            self._check_probabilities()
            metadata = Metadata.read(self, sample_weight, groups, fit_params)
            schema, given = self._schema(X), X
            X = self._check_rows(X, schema, reset=True)
            codes, form = read_sparse_labels(y)
            check_consistent_length(X, codes, groups)
            weight = check_training_weights(sample_weight, codes.shape[0])
            measure = get_ratio(self.measure)
            kind, codes = ManyLabels.read_sparse(codes, weight, measure, form)
            seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
            splits = split_labels(self.cv, X, codes, kind, seed, **metadata.of_splits(self.cv))
            rows = LabelRows(FoldFeatures(schema, X, weight, seed), codes, weight, splits)
        self.target_name_, self.text_name_ = column_name(y), column_name(given)
        self._seen = fingerprint(given)
        self._n_effective = float(codes.shape[0])
        callbacks = ToldCallbacks(self, N_STAGES, given, y)
        workers = Workers(self.n_jobs)
        with callbacks, Progress("fit", shown=bool(self.verbose)) as progress, workers:
            journal.watchers += [ShownProgress(progress, 2 * len(splits) + 1), callbacks]
            fit = fit_tree if self.estimator == "tree" else fit_many
            fitted = fit(
                rows, measure, seed=seed, budget=read_memory(self.max_memory), workers=workers,
                journal=journal,
            )  # fmt: skip
        self.timings_ = journal.timings
        return self._keep_many(decide_many(fitted, kind, rows), fitted)

    def _keep_many(self, decision: ManyDecision, fitted: ManyFitted) -> Self:
        """Set the fitted attributes of many labels."""
        for name in ("promise_", "portfolio_", "adaptation_"):  # of an earlier fit
            self.__dict__.pop(name, None)
        self.decision_, self._sweep, self._honest = decision, None, None
        self.many_labels_ = ManyLabelsFit.of(fitted, get_ratio(self.measure))
        self.best_score_ = fitted.cuts.value
        self.certificate_ = Certificate(fitted.cuts.value, ())
        kind = decision.kind
        self.classes_ = kind.classes
        everywhere = dict(zip(fitted.labels.tolist(), range(len(fitted.labels)), strict=True))
        level, ratio, C = fitted.level.tolist(), fitted.ratio.tolist(), fitted.C.tolist()
        self.level_ = kind.levels({k: level[i] for k, i in everywhere.items()}, shared=False)
        self.costs_ = kind.costs({k: (ratio[i], 1.0) for k, i in everywhere.items()})
        self.best_params_ = kind.params({k: {"C": C[i]} for k, i in everywhere.items()})
        return self
