"""Training: batches of problems on some rows, in parallel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.parallel import Parallel, delayed  # with scikit-learn's configuration
from sklearn.utils.validation import _check_method_params
from tqdm import tqdm

from pseudolinear._problem import Problem
from pseudolinear.features import GIVEN
from pseudolinear.learners import Learner, Model
from pseudolinear.sweep._rows import Numbers, Rows, Split


@dataclass(frozen=True, eq=False)
class Trainer:
    """A learner with its rows: it trains and scores.

    Attributes
    ----------
    learner : Learner
        What is trained.
    rows : Rows
        What it is trained on.
    n_jobs : int or None
        Number of parallel jobs; the result does not depend on it.
    verbose : bool
        Whether to show a progress bar.
    view : str
        The view of the rows that the learner gets.
    metadata : mapping
        What else its training gets, by name; see :class:`WrappedLearner`.
    """

    learner: Learner
    rows: Rows
    n_jobs: int | None = None
    verbose: bool = False
    view: str = GIVEN
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def fit(self, problems: Sequence[Problem], numbers: Numbers) -> list[Model]:
        """Train problems on the given rows."""
        batches = self.batches(problems, numbers)
        tasks = [delayed(self.fit_batch)(batch, numbers) for batch in batches]
        return [model for batch in Parallel(n_jobs=self.n_jobs)(tasks) for model in batch]

    def fit_batch(self, problems: Sequence[Problem], numbers: Numbers) -> Sequence[Model]:
        """Train one batch of problems on the given rows."""
        X = self.rows.features(self.view, numbers, numbers)
        given: dict[str, Any] = {"sample_weight": self.rows.weight(numbers)}
        if self.metadata:
            given["metadata"] = _check_method_params(self.rows.codes, self.metadata, numbers)
        return self.learner.fit_batch(X, self.rows.codes[numbers], problems, **given)

    def scores(self, models: Sequence[Model], split: Split) -> Sequence[NDArray[np.float64]]:
        """Score the validation rows of a split by models of its training rows."""
        train, test = split
        return self.learner.scores(models, self.rows.features(self.view, test, train))

    def batches(self, problems: Sequence[Problem], numbers: Numbers) -> list[list[Problem]]:
        """Cut the problems into batches, of whole labels where they fit, for any number of jobs."""
        given = self.view == GIVEN
        X = self.rows.X if given else self.rows.features(self.view, numbers, numbers)
        size = self.learner.batch_size(X)
        batches: list[list[Problem]] = []
        for _, group in groupby(problems, key=lambda problem: problem.label):
            own = list(group)
            if batches and len(batches[-1]) + len(own) <= size:
                batches[-1].extend(own)
            else:
                batches.extend(own[start : start + size] for start in range(0, len(own), size))
        return batches

    def map_batches(
        self, function: Any, problems: Sequence[Problem], splits: Sequence[Split]
    ) -> list[Any]:
        """Call a function of this trainer and a batch for all problems, in parallel."""
        self.rows.prepare(self.view, splits)
        tasks = [delayed(function)(self, batch) for batch in self.batches(problems, splits[0][0])]
        if not self.verbose:
            return Parallel(n_jobs=self.n_jobs)(tasks)
        parallel = Parallel(n_jobs=self.n_jobs, return_as="generator")
        return list(tqdm(parallel(tasks), total=len(tasks), desc="sweep", unit="batch"))
