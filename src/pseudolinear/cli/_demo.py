"""The verb ``demo``: two learners trained for F1 in four ways on the Galaxy problem."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

HELP = "train two learners in four ways on the Galaxy problem"

LOSSES = {"logistic regression": "logistic", "linear SVM": "hinge"}
WAYS: dict[str, dict[str, Any]] = {
    "plain": {"cost_sensitive": False, "tune_threshold": False},
    "threshold": {"cost_sensitive": False, "tune_threshold": True},
    "costs": {"cost_sensitive": True, "tune_threshold": False},
    "costs and threshold": {"cost_sensitive": True, "tune_threshold": True},
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the verb takes."""
    parser.add_argument(
        "--output", default="galaxy.png", help="picture to write (default: %(default)s)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="seed of the sample (default: %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON in place of a table")
    parser.add_argument("--verbose", action="store_true", help="show progress bars")


def run(args: argparse.Namespace) -> None:
    """Train, draw the boundaries and print the values on test rows."""
    from pseudolinear.datasets import make_galaxy

    path = Path(args.output)
    if not path.parent.is_dir():
        raise ValueError(f"the folder {path.parent} does not exist; create it or change --output.")
    X, y = make_galaxy(18_000, random_state=args.seed)
    test = make_galaxy(100_000, random_state=args.seed + 1)
    fitted = {
        (learner, trained): _fit(learner, trained, X, y, args.seed, args.verbose)
        for learner in LOSSES
        for trained in WAYS
    }
    rows = [_row(*key, classifier, *test) for key, classifier in fitted.items()]
    draw(path, rows, list(fitted.values()), X[:4000], y[:4000])
    if args.json:
        print(json.dumps({"rows": rows, "picture": str(path)}))
    else:
        print(f"{_table(rows)}\n\npicture: {path}")


def _fit(learner: str, trained: str, X: Any, y: Any, seed: int, verbose: bool) -> Any:
    from pseudolinear import LinearLearner, MeasureClassifier

    return MeasureClassifier(
        LinearLearner(LOSSES[learner]),
        measure="f1",
        search="grid",
        selection="largest_value",
        cv="holdout",
        random_state=seed,
        verbose=verbose,
        **WAYS[trained],
    ).fit(X, y)


def _row(learner: str, trained: str, classifier: Any, X: Any, y: Any) -> dict[str, Any]:
    return {
        "learner": learner,
        "trained": trained,
        "test_f1": classifier.score(X, y),
        "cost_ratio": float(classifier.costs_[0] / classifier.costs_[1]),
        "threshold": classifier.threshold_,
    }


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    from pseudolinear.datasets import GALAXY_OPTIMUM

    values = {(row["learner"], row["trained"]): 100 * row["test_f1"] for row in rows}
    lines = ["test F1 in %".ljust(22) + "".join(f"{learner:>22}" for learner in LOSSES)]
    for trained in WAYS:
        cells = "".join(f"{values[learner, trained]:22.1f}" for learner in LOSSES)
        lines.append(trained.ljust(22) + cells)
    lines.append("best possible".ljust(22) + f"{100 * GALAXY_OPTIMUM:22.1f}" * len(LOSSES))
    return "\n".join(lines)


def draw(
    path: Path, rows: Sequence[Mapping[str, Any]], classifiers: Sequence[Any], X: Any, y: Any
) -> None:
    """Draw the boundaries of the classifiers, one panel per learner."""
    from pseudolinear._files import write_atomically
    from pseudolinear.inspection import BoundaryDisplay
    from pseudolinear.inspection._matplotlib import pyplot

    figure, axes = pyplot().subplots(1, 2, figsize=(14, 6), sharey=True, layout="constrained")
    for ax, learner in zip(axes, LOSSES, strict=True):
        named = {
            f"{row['trained']}: F1 = {100 * row['test_f1']:.1f}": classifier
            for row, classifier in zip(rows, classifiers, strict=True)
            if row["learner"] == learner
        }
        BoundaryDisplay.from_estimators(named, X, y, ax=ax)
        ax.set_title(f"Galaxy: {learner}, trained in four ways")
    picture = BytesIO()
    figure.savefig(picture, dpi=100, format=path.suffix[1:] or "png")
    write_atomically(path, picture.getvalue())
