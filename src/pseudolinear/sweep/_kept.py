"""Kept: what a checkpoint holds of one round of batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pseudolinear._problem import Problem
from pseudolinear.sweep._checkpoint import Checkpoint
from pseudolinear.sweep._packing import Packing
from pseudolinear.sweep._piece_keys import digest, problem_keys


@dataclass(frozen=True, eq=False)
class Kept:
    """What a checkpoint holds of one round of batches, all of which depend on the same things.

    Attributes
    ----------
    checkpoint : Checkpoint or None
        Where pieces are; None keeps nothing.
    packing : Packing
        How results are made into arrays.
    large : sequence
        Rows, learner and whatever else the results depend on besides their problems.
    plain : tuple
        The same, as far as JSON can say it.
    """

    checkpoint: Checkpoint | None
    packing: Packing
    large: Sequence[Any]
    plain: tuple[Any, ...]

    def batches(
        self, problems: Sequence[Problem], make: Callable[[], list[list[Problem]]]
    ) -> list[list[Problem]]:
        """Return the batches of the round; to make them anew, features would have to be made."""
        if self.checkpoint is None:
            return make()
        key = self._key(problems, "batches")
        sizes = self.checkpoint.load(key, lambda arrays: arrays["sizes"])
        if sizes is None or sizes.sum() != len(problems):
            batches = make()
            self.checkpoint.save(key, {"sizes": np.array([len(batch) for batch in batches])})
            return batches
        ends = np.cumsum(sizes).tolist()
        pairs = zip(ends, sizes.tolist(), strict=True)
        return [list(problems[end - size : end]) for end, size in pairs]

    def load(self, batch: Sequence[Problem]) -> list[Any] | None:
        """Return the results of a batch that was finished before."""
        if self.checkpoint is None:
            return None
        found = self.checkpoint.load(self._key(batch), self.packing.unpack)
        return found if found is not None and len(found) == len(batch) else None

    def save(self, batch: Sequence[Problem], results: Sequence[Any]) -> None:
        """Keep the results of a batch, if they are complete and can be made into arrays."""
        if self.checkpoint is None or any(result is None for result in results):
            return
        arrays = self.packing.pack(results)
        if arrays is not None:
            self.checkpoint.save(self._key(batch), arrays)

    def is_hopeless(self, problems: Sequence[Problem], bar: Any) -> bool:
        """Tell whether the round was given up before, below the same bar."""
        if self.checkpoint is None or bar is None:
            return False
        return self.checkpoint.load(self._bar_key(problems, bar), bool) is not None

    def give_up(self, problems: Sequence[Problem], bar: Any) -> None:
        """Note that the round was given up below this bar."""
        if self.checkpoint is not None:
            self.checkpoint.save(self._bar_key(problems, bar), {})

    def _bar_key(self, problems: Sequence[Problem], bar: Any) -> str:
        return self._key(problems, "hopeless", bar.least, digest(bar.measures))

    def _key(self, problems: Sequence[Problem], *what: Any) -> str:
        assert self.checkpoint is not None
        return self.checkpoint.keys(self.large, self.plain, problem_keys(problems), *what)
