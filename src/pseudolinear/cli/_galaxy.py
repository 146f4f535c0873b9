"""The demo: two learners trained for F1 in four ways on the Galaxy problem."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pseudolinear._classifier import MeasureClassifier
from pseudolinear.datasets import GALAXY_OPTIMUM, make_galaxy
from pseudolinear.inspection import BoundaryDisplay
from pseudolinear.inspection._matplotlib import pyplot
from pseudolinear.learners import LinearLearner

LEARNERS = {"logistic regression": "logistic", "linear SVM": "hinge"}
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
        Learner, how it was trained, test F1, ratio of the costs and threshold.
    """
    X, y = make_galaxy(18_000, random_state=seed)
    X_test, y_test = make_galaxy(100_000, random_state=seed + 1)
    fitted: dict[str, dict[str, MeasureClassifier]] = {learner: {} for learner in LEARNERS}
    rows = []
    for learner, loss in LEARNERS.items():
        for trained, option in OPTIONS.items():
            classifier = MeasureClassifier(
                LinearLearner(loss),
                measure="f1",
                search="grid",
                cv="holdout",
                random_state=seed,
                verbose=verbose,
                **option,
            ).fit(X, y)
            value = classifier.score(X_test, y_test)
            fitted[learner][f"{trained}: F1 = {100 * value:.1f}"] = classifier
            rows.append(
                {
                    "learner": learner,
                    "trained": trained,
                    "test_f1": value,
                    "cost_ratio": float(classifier.costs_[0] / classifier.costs_[1]),
                    "threshold": classifier.threshold_,
                }
            )
    if picture is not None:
        _draw(fitted, X[:4000], y[:4000], Path(picture))
    return rows


def format_demo(rows: Sequence[Mapping[str, Any]]) -> str:
    """Lay the result out as a small table."""
    values = {(row["learner"], row["trained"]): 100 * row["test_f1"] for row in rows}
    lines = ["test F1 in %".ljust(22) + "".join(f"{learner:>22}" for learner in LEARNERS)]
    for trained in OPTIONS:
        cells = "".join(f"{values[learner, trained]:22.1f}" for learner in LEARNERS)
        lines.append(trained.ljust(22) + cells)
    lines.append("best possible".ljust(22) + f"{100 * GALAXY_OPTIMUM:22.1f}" * len(LEARNERS))
    return "\n".join(lines)


def _draw(
    fitted: Mapping[str, Mapping[str, MeasureClassifier]], X: Any, y: Any, path: Path
) -> None:
    figure, axes = pyplot().subplots(1, 2, figsize=(14, 6), sharey=True, layout="constrained")
    for ax, (learner, classifiers) in zip(axes, fitted.items(), strict=True):
        BoundaryDisplay.from_estimators(classifiers, X, y, ax=ax)
        ax.set_title(f"Galaxy: {learner}, trained in four ways")
    # Written beside its place and moved there, so that a broken write leaves the old picture.
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=path.suffix)
    os.close(handle)
    try:
        figure.savefig(temporary, dpi=100)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
