"""Draw the picture of the README, light and dark: ``python docs/images/galaxy.py``."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from pseudolinear import LinearLearner, MeasureClassifier
from pseudolinear.datasets import make_galaxy

HERE = Path(__file__).parent
WAYS = {  # as in `pseudolinear demo`
    "trained as usual": (False, False),
    "with a threshold": (False, True),
    "with costs": (True, False),
    "with both": (True, True),
}
ORANGE, BLUE = "#E69F00", "#56B4E9"  # Okabe and Ito: told apart by everybody
INK = {"galaxy_light": "#1f2328", "galaxy_dark": "#f0f6fc"}
LIMITS = (-90, 190), (-160, 150)


def fit(costs, threshold, X, y):
    """Train a logistic regression for F1 in one of the four ways."""
    return MeasureClassifier(
        LinearLearner("logistic"),
        search="grid",
        selection="largest_value",
        cv="holdout",
        cost_sensitive=costs,
        tune_threshold=threshold,
        random_state=0,
    ).fit(X, y)


def draw(name, fitted, X, y):
    """Draw one panel for each classifier: rows, and the side that is predicted positive."""
    plane = np.meshgrid(*(np.linspace(*limits, 400) for limits in LIMITS))
    points = np.stack([axis.ravel() for axis in plane], axis=1)
    figure, axes = plt.subplots(1, 4, figsize=(11, 3.1), layout="constrained")
    figure.patch.set_alpha(0)
    for ax, (title, (clf, value)) in zip(axes, fitted.items(), strict=True):
        score = clf.decision_function(points).reshape(plane[0].shape)
        ax.contourf(*plane, score, levels=[0, np.inf], colors=[ORANGE], alpha=0.25)
        ax.contour(*plane, score, levels=[0], colors=[ORANGE], linewidths=2)
        ax.plot(*X[y == 0].T, ".", color=BLUE, markersize=1.5, alpha=0.5)
        ax.plot(*X[y == 1].T, "+", color=INK[name], markersize=5)
        ax.set_title(f"{title}\nF1 = {100 * value:.1f} %", color=INK[name])
        ax.set(xlim=LIMITS[0], ylim=LIMITS[1], xticks=[], yticks=[])
        ax.patch.set_alpha(0)
        ax.spines[:].set_color(INK[name])
    figure.savefig(HERE / f"{name}.png", dpi=150, pil_kwargs={"optimize": True})
    plt.close(figure)


def main():
    """Train four times, draw twice."""
    X, y = make_galaxy(18_000, random_state=0)
    test = make_galaxy(100_000, random_state=1)
    fitted = {}
    for title, way in WAYS.items():
        clf = fit(*way, X, y)
        fitted[title] = clf, clf.score(*test)
    for name in INK:
        draw(name, fitted, X[:4000], y[:4000])


if __name__ == "__main__":
    main()
