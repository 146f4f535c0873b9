"""Training: batches of problems on some rows, in parallel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _check_method_params

from pseudolinear._journal import Journal, Steps
from pseudolinear._problem import Problem
from pseudolinear.features import GIVEN
from pseudolinear.learners import Learner, Model
from pseudolinear.sweep._checkpoint import Checkpoint
from pseudolinear.sweep._kept import Kept
from pseudolinear.sweep._packing import MODELS, Packing
from pseudolinear.sweep._rows import Numbers, Rows, Source, Split
from pseudolinear.sweep._workers import Workers

Item = tuple[Sequence[Problem], Steps]  # what a task is about: a batch, and whom to tell of steps


@dataclass(frozen=True, eq=False)
class Trainer:
    """A learner with its rows: it trains and scores.

    Attributes
    ----------
    learner : Learner
        What is trained.
    rows : Rows
        What it is trained on.
    workers : Workers
        Where tasks run; the result does not depend on it.
    journal : Journal
        What is told of the steps.
    view : str
        The view of the rows that the learner gets.
    metadata : mapping
        What else its training gets, by name; see :class:`WrappedLearner`.
    checkpoint : Checkpoint or None
        Where finished batches are kept.
    """

    learner: Learner
    rows: Rows
    workers: Workers = field(default_factory=Workers)
    journal: Journal = field(default_factory=Journal)
    view: str = GIVEN
    metadata: Mapping[str, Any] = field(default_factory=dict)
    checkpoint: Checkpoint | None = None

    def fit(self, problems: Sequence[Problem], numbers: Numbers) -> list[Model]:
        """Train problems on the given rows."""
        large = (self.rows.codes, self.rows.sample_weight, numbers)
        kept = self.kept(MODELS, large, "models")
        return self.map_batches(_fit, problems, [(numbers, numbers)], large, kept, n_steps=1)

    def scores(self, models: Sequence[Model], split: Split) -> Sequence[NDArray[np.float64]]:
        """Score the validation rows of a split by models of its training rows."""
        train, test = split
        return self.learner.scores(models, self.rows.features(self.view, test, train))

    def batches(self, problems: Sequence[Problem], splits: Sequence[Split]) -> list[list[Problem]]:
        """Cut the problems into batches, of whole labels where they fit, for any number of jobs."""
        train, given = splits[0][0], self.view == GIVEN
        X = self.rows.X if given else self.rows.source(self.view, splits)(train, train)
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
        self,
        function: Callable[..., Sequence[Any]],
        problems: Sequence[Problem],
        splits: Sequence[Split],
        large: Sequence[Any],
        kept: Kept,
        *,
        n_steps: int,
    ) -> list[Any]:
        """Call a function for all problems, batch by batch, in parallel; known results are taken.

        Parameters
        ----------
        function : callable
            It gets a batch with whom to tell of its steps, the learner, the metadata of all rows,
            the rows in the view that the learner likes, and what is large; it returns a result for
            each problem.
        problems : sequence of Problem
            What to train.
        splits : sequence of (train, test)
            The rows that are needed.
        large : sequence
            Its further arguments.
        kept : Kept
            What is known of the batches, and where further results go.
        n_steps : int
            Steps of a batch.

        Returns
        -------
        list
            One result per problem.
        """
        batches = kept.batches(problems, lambda: self.batches(problems, splits))
        items: list[Item] = [(batch, Steps(self.journal.step, n_steps)) for batch in batches]
        self.journal.expect(n_steps * len(items))
        found = [kept.load(batch) for batch in batches]
        for (_, steps), results in zip(items, found, strict=True):
            if results is not None:
                steps.finish()
        todo = [number for number, results in enumerate(found) if results is None]
        for number, results in zip(
            todo, self._map(function, [items[i] for i in todo], splits, large), strict=True
        ):
            batch, steps = items[number]
            found[number] = results
            kept.save(batch, results)
            steps.finish()
            self.journal.finished(number + 1, len(batches), len(batch))
        return [result for results in found for result in results or ()]

    def kept(self, packing: Packing, large: Sequence[Any], *plain: Any) -> Kept:
        """Return what is known of batches that depend on this learner, its rows, and more."""
        rows, features = self.rows, self.rows.folds
        seen = (rows.X, rows.codes, rows.sample_weight, self.learner, self.metadata, *large)
        how = (rows.pairwise, self.view, *plain)
        if features is not None:
            seen, how = (*seen, features.schema), (*how, features.seed)
        return Kept(self.checkpoint, packing, seen, how)

    def _map(
        self,
        function: Callable[..., Sequence[Any]],
        items: Sequence[Item],
        splits: Sequence[Split],
        large: Sequence[Any],
    ) -> Iterable[Any]:
        """Call a function for items in parallel; where there are none, no features are made."""
        if not items:
            return []
        source = self.rows.source(self.view, splits)
        large = (self.learner, self.metadata, source, *large)
        threads = self.learner.abilities.threads
        return self.workers.map(function, items, large, threads=threads)


def fit_batch(
    learner: Learner,
    problems: Sequence[Problem],
    X: Any,
    codes: NDArray[Any],
    weight: NDArray[np.float64] | None,
    metadata: Mapping[str, Any],
    numbers: Numbers,
) -> Sequence[Model]:
    """Train one batch of problems on some rows; only what gets metadata need know of them."""
    given: dict[str, Any] = {"sample_weight": None if weight is None else weight[numbers]}
    if metadata:
        given["metadata"] = _check_method_params(codes, metadata, numbers)
    return learner.fit_batch(X, codes[numbers], problems, **given)


def _fit(
    item: Item,
    learner: Learner,
    metadata: Mapping[str, Any],
    source: Source,
    codes: NDArray[Any],
    weight: NDArray[np.float64] | None,
    numbers: Numbers,
) -> Sequence[Model]:
    """Train one batch of problems; this is what runs in other processes."""
    X = source(numbers, numbers)
    return fit_batch(learner, item[0], X, codes, weight, metadata, numbers)
