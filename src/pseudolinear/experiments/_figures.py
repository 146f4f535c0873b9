"""The figures of the page: drawn from the stored pieces, or from models that take no time."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear._classifier import MeasureClassifier
from pseudolinear._palette import GREY
from pseudolinear.bounds import ConeBound
from pseudolinear.datasets import three_point_profiles
from pseudolinear.experiments._choice import (
    MICRO,
    LevelCurve,
    goal_of,
    least_costs,
    pooled,
    prevalence_of,
)
from pseudolinear.experiments._claims import tried_levels
from pseudolinear.experiments._curves import Curves
from pseudolinear.experiments._protocol import Source
from pseudolinear.experiments._results import Results
from pseudolinear.experiments._sources import load_source
from pseudolinear.inspection import (
    BoundaryDisplay,
    ConeDisplay,
    LevelDisplay,
    MeasureCurveDisplay,
    ParetoDisplay,
    SurfaceDisplay,
)
from pseudolinear.inspection._level_lines import perfect_value
from pseudolinear.inspection._matplotlib import axes_or_new, pyplot
from pseudolinear.learners import LinearLearner
from pseudolinear.selection import cheapest

SHOWN = 4000  # rows of a scatter plot; more are a blot

Folder = str | os.PathLike[str] | None
Drawn = Iterator[tuple[str, str, Any]]  # name, caption and display


class Figure(NamedTuple):
    """A picture of the page.

    Attributes
    ----------
    name : str
        Name of its file, without the ending.
    caption : str
        What it shows.
    png : bytes
        The picture.
    """

    name: str
    caption: str
    png: bytes


def draw_figures(results: Results, data_dir: Folder = None) -> list[Figure]:
    """Draw all figures.

    Parameters
    ----------
    results : Results
        The stored pieces.
    data_dir : path, default=None
        The folder of the data sets; see :func:`pseudolinear.datasets.data_folder`.

    Returns
    -------
    list of Figure
        Those of the theory first, then those of the data; nothing without matplotlib.
    """
    try:
        pyplot()
    except ImportError:
        return []
    return [
        Figure(name.replace(" ", "_"), caption, _png(display.figure_))
        for name, caption, display in _drawn(results, data_dir)
    ]


def ceilings(
    learners: Sequence[Sequence[Curves]], levels: Sequence[float], title: str
) -> ConeDisplay:
    """Draw the cones of what is cheapest at each level.

    Parameters
    ----------
    learners : sequence of sequence of Curves
        The labels of each learner, all of whose cuts compete.
    levels : sequence of float
        The levels.
    title : str
        Title of the picture.

    Returns
    -------
    ConeDisplay
        The plotted display.
    """
    labels = learners[0]
    prevalence, goal = prevalence_of(labels), goal_of(labels)
    perfect = perfect_value(MICRO, prevalence)
    everything = [
        pooled(label, curves, np.arange(len(curves.problem)))
        for own in learners
        for label, curves in enumerate(own)
    ]
    cones = []
    for level in levels:
        if level <= perfect:  # no value is a higher level
            pair = cheapest(goal, everything, level).profile.errors.sum(axis=0)
            cones.append(ConeBound.from_pair(MICRO, prevalence, level, pair))
    best = max(cone.apex for cone in cones)
    display = ConeDisplay(cones, best, perfect, _name(labels)).plot()
    display.ax_.set_title(title)
    return display


def _drawn(results: Results, data_dir: Folder) -> Drawn:
    """Draw one figure after the other, so that each can be closed before the next."""
    sources = results.protocol.sources
    yield from _theory()
    for source in sources:
        if source.maker == "galaxy":
            yield from _boundaries(source, data_dir)
    yield _precision_recall(sources[0], data_dir)
    for source in sources:
        yield from _levels(results, source.name)


def _theory() -> Drawn:
    names, profiles = three_point_profiles()
    yield (
        "surface",
        "F1 over the two errors: its level sets are straight lines.",
        SurfaceDisplay.from_measure("f1", 0.3),
    )
    yield (
        "three_points",
        "Three points, eight classifiers: the best one is a vertex of the hull.",
        ParetoDisplay.from_profiles(profiles, "f1", names),
    )


def _boundaries(source: Source, data_dir: Folder) -> Drawn:
    """Draw a line in the plane before and after thresholding, trained plainly and with costs."""
    data = load_source(source, data_dir)
    y, y_test = data.Y_train[:, 0], data.Y_test[:, 0]
    for how, costs in {"plainly": False, "with costs": True}.items():
        fitted = {}
        for cut, tuned in {"before thresholding": False, "after thresholding": True}.items():
            classifier = _trained(data.X_train, y, cost_sensitive=costs, tune_threshold=tuned)
            value = 100 * classifier.score(data.X_test, y_test)
            fitted[f"{cut}: F1 = {value:.1f}"] = classifier
        display = BoundaryDisplay.from_estimators(fitted, data.X_train[:SHOWN], y[:SHOWN])
        display.ax_.set_title(f"{source.name}, logistic regression trained {how}")
        yield (
            f"boundaries {source.name} {how}",
            f"{source.name}, trained {how}: a threshold shifts the line, costs also turn it.",
            display,
        )


def _precision_recall(source: Source, data_dir: Folder) -> tuple[str, str, Any]:
    data = load_source(source, data_dir)
    label = int(data.Y_train.sum(axis=0).argmax())
    classifier = _trained(data.X_train, data.Y_train[:, label])
    name = source.name if data.Y_train.shape[1] == 1 else f"{source.name}, label {label}"
    display = MeasureCurveDisplay.from_estimator(
        classifier, data.X_test, data.Y_test[:, label], name="logistic regression"
    )
    display.ax_.set_title(f"{name}: test rows")
    return (
        f"precision recall {source.name}",
        f"{name}: every threshold, and the one that was chosen without the test rows.",
        display,
    )


def _levels(results: Results, dataset: str) -> Drawn:
    """Draw what each level reaches on the first split, and what all of them leave possible."""
    protocol = results.protocol
    tables = [t for t in protocol.tables if dataset in t.datasets and t.measure != "macro_F1"]
    everything = []
    for learner in dict.fromkeys(name for table in tables for name in table.learners):
        found = results.finished(dataset, learner)
        if found is None:
            continue
        labels = found.splits[0]
        everything.append(labels)
        if "CS&T" in protocol.learner(learner).options:
            curve = least_costs(labels, found.levels, "CS&T", protocol.levels)
            display = _search(labels, curve, f"{dataset}, {learner}")
            yield (
                f"cost {dataset} {learner}",
                f"{dataset}, {learner}: {_name(labels)} against the cost of a false negative; a "
                f"bracket tries {len(display.levels)} of the {len(curve.levels)} levels.",
                display,
            )
    if everything:
        yield (
            f"ceilings {dataset}",
            f"{dataset}: the cheapest classifier at each level, of all learners and thresholds, "
            "and what it leaves possible if none is cheaper.",
            ceilings(everything, protocol.levels, dataset),
        )


def _search(labels: Sequence[Curves], curve: LevelCurve, title: str) -> LevelDisplay:
    tried = tried_levels(labels, curve)
    values = curve.values[tried]
    best = np.array([values.argmax()])
    display = LevelDisplay(
        MICRO, prevalence_of(labels), curve.levels[tried], values, best, _name(labels), "cost"
    )
    ax = axes_or_new(None)
    left_out = np.setdiff1d(np.arange(len(curve.levels)), tried)
    ax.plot(
        display.cost_shares(curve.levels[left_out]), curve.values[left_out], ".", color=GREY,
        label="left out",
    )  # fmt: skip
    ax.set_title(title)
    return display.plot(ax)


def _name(labels: Sequence[Curves]) -> str:
    return "F1" if len(labels) == 1 else "micro F1"


def _trained(X: Any, y: NDArray[Any], **options: Any) -> MeasureClassifier:
    learner = LinearLearner("logistic")
    return MeasureClassifier(learner, measure="f1", cv="holdout", random_state=0, **options).fit(
        X, y
    )


def _png(figure: Any) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=110)
    pyplot().close(figure)
    return file.getvalue()
