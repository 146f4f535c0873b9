"""DefaultPiece: what today's defaults reach with linear models on the same data."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from pseudolinear._classifier import MeasureClassifier
from pseudolinear.experiments._piece import Folder, Piece
from pseudolinear.experiments._protocol import MEASURES
from pseudolinear.experiments._sources import load_source
from pseudolinear.learners import LinearLearner


@dataclass(frozen=True)
class DefaultPiece(Piece[float]):
    """`MeasureClassifier` of linear models with its defaults, trained on all training rows.

    Parameters
    ----------
    source, checksum
        See :class:`Piece`.
    measure : str
        Name of the measure in the tables.
    """

    measure: str

    @property
    def settings(self) -> dict[str, Any]:
        """What is maximised."""
        return {"default": self.measure, "seed": 0}

    def compute(self, data_dir: Folder) -> float:
        """Train, and return the value on the test rows."""
        data = load_source(self.source, data_dir)
        binary = self.measure == "binary_F1"
        y, y_test = (Y[:, 0] if binary else Y for Y in (data.Y_train, data.Y_test))
        classifier = MeasureClassifier(
            LinearLearner(),
            measure=MEASURES[self.measure],
            param_grid={"C": [2.0**-4, 2.0**-1, 2.0**2, 2.0**5]},
            selection="largest_value" if binary else "auto",
            random_state=0,
        )
        return float(classifier.fit(data.X_train, y).score(data.X_test, y_test))

    def pack(self, result: float) -> bytes:
        """Write the number."""
        return json.dumps(result).encode()

    def unpack(self, blob: bytes) -> float:
        """Read the number."""
        return float(json.loads(blob))
