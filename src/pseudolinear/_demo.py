"""The demo: one learner trained for F1 in four ways on the Galaxy problem."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sklearn.linear_model import LogisticRegression

from pseudolinear._classifier import MeasureClassifier
from pseudolinear.datasets import GALAXY_OPTIMUM, make_galaxy
from pseudolinear.inspection import BoundaryDisplay

OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {"cost_sensitive": False, "tune_threshold": False},
    "threshold": {"cost_sensitive": False, "tune_threshold": True},
    "costs": {"cost_sensitive": True, "tune_threshold": False},
    "costs and threshold": {"cost_sensitive": True, "tune_threshold": True},
}


def run_demo(
    picture: str | Path | None, *, seed: int = 0, verbose: bool = False
) -> list[dict[str, Any]]:
    """Train in four ways, and draw the boundaries.

    Parameters
    ----------
    picture : path or None
        Where to write the picture; None for no picture.
    seed : int, default=0
        Seed of the sample and of the split.
    verbose : bool, default=False
        Whether to show progress bars.

    Returns
    -------
    list of dict
        Name, test F1, level and threshold of each way.
    """
    X, y = make_galaxy(18_000, random_state=seed)
    X_test, y_test = make_galaxy(100_000, random_state=seed + 1)
    fitted: dict[str, MeasureClassifier] = {}
    rows = []
    for name, option in OPTIONS.items():
        classifier = MeasureClassifier(
            LogisticRegression(),
            measure="f1",
            cv="holdout",
            random_state=seed,
            verbose=verbose,
            **option,
        ).fit(X, y)
        value = classifier.score(X_test, y_test)
        fitted[f"{name}: F1 = {100 * value:.1f}"] = classifier
        rows.append(
            {
                "trained": name,
                "test_f1": value,
                "level": classifier.level_,
                "cost_ratio": float(classifier.costs_[0] / classifier.costs_[1]),
                "threshold": classifier.threshold_,
            }
        )
    if picture is not None:
        _draw(fitted, X[:4000], y[:4000], Path(picture))
    return rows


def format_demo(rows: Sequence[Mapping[str, Any]]) -> str:
    """Lay the result out as a small table."""
    lines = [
        f"{'logistic regression, trained':30} {'test F1':>8} {'cost fn:fp':>11} {'threshold':>10}"
    ]
    for row in rows:
        lines.append(
            f"{row['trained']:30} {100 * row['test_f1']:8.1f} {row['cost_ratio']:11.2f} "
            f"{row['threshold']:10.2f}"
        )
    lines.append(f"{'best possible':30} {100 * GALAXY_OPTIMUM:8.1f}")
    return "\n".join(lines)


def _draw(fitted: Mapping[str, MeasureClassifier], X: Any, y: Any, path: Path) -> None:
    display = BoundaryDisplay.from_estimators(fitted, X, y)
    display.ax_.set_title("Galaxy: decision boundaries of one learner, trained in four ways")
    # Written beside its place and moved there, so that a broken write leaves the old picture.
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=path.suffix)
    os.close(handle)
    try:
        display.figure_.savefig(temporary, dpi=120)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
