"""The verb ``demo``: two learners trained for F1 in four ways on the Galaxy problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import click

from pseudolinear.cli.shared import Output, Verb, check_output, seed_option, table

LOSSES = {"logistic regression": "logistic", "linear SVM": "hinge"}
WAYS: dict[str, dict[str, Any]] = {
    "plain": {"cost_sensitive": False, "tune_threshold": False},
    "threshold": {"cost_sensitive": False, "tune_threshold": True},
    "costs": {"cost_sensitive": True, "tune_threshold": False},
    "costs and threshold": {"cost_sensitive": True, "tune_threshold": True},
}


@click.command("demo", cls=Verb, short_help="Train two learners in four ways on a small problem.")
@click.option(
    "--output",
    "picture",
    type=click.Path(),
    default="galaxy.png",
    show_default=True,
    help="Picture to write.",
)
@seed_option()
@click.option("--verbose", is_flag=True, help="Show progress bars.")
def command(output: Output, *, picture: str, seed: int, verbose: bool) -> None:
    """Train two learners in four ways on the Galaxy problem, and draw what they have learnt."""
    from pseudolinear.datasets import make_galaxy

    path = check_output(picture, force=True)
    X, y = make_galaxy(18_000, random_state=seed)
    test = make_galaxy(100_000, random_state=seed + 1)
    fitted = {
        (learner, trained): _fit(learner, trained, X, y, seed, verbose)
        for learner in LOSSES
        for trained in WAYS
    }
    rows = [_row(*key, classifier, *test) for key, classifier in fitted.items()]
    draw(path, rows, list(fitted.values()), X[:4000], y[:4000])
    data = {"rows": rows, "picture": str(path)}
    output.result(data, lambda: _table(rows), lambda: f"picture: {path}")


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


def _table(rows: Sequence[Mapping[str, Any]]) -> Any:
    from pseudolinear.datasets import GALAXY_OPTIMUM

    values = {(row["learner"], row["trained"]): 100 * row["test_f1"] for row in rows}
    lines = [[trained, *(values[learner, trained] for learner in LOSSES)] for trained in WAYS]
    lines.append(["best possible", *[100 * GALAXY_OPTIMUM] * len(LOSSES)])
    cells = [[name, *(f"{value:.1f}" for value in numbers)] for name, *numbers in lines]
    return table(["trained", *LOSSES], cells, title="Test F1 in % on the Galaxy problem")


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
