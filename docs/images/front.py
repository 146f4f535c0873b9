"""Draw the picture of the front page, for light and dark pages: ``python docs/images/front.py``."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from pseudolinear import ErrorCurve, FBeta, best_threshold

MODES = {
    "light": {"text": "#2b3440", "line": "#a9b8c8", "curve": "#0b5cad", "best": "#c2410c"},
    "dark": {"text": "#d5dbe2", "line": "#66778a", "curve": "#74b3f2", "best": "#f0a36b"},
}

generator = np.random.default_rng(0)
y = (generator.random(200_000) < 0.2).astype(int)
scores = generator.normal(1.7 * y)
curve = ErrorCurve.from_scores(y, scores)
fn, fp, share = curve.fn[:, 0], curve.fp[:, 0], float(curve.prevalence[0])
shown = np.linspace(0, len(fn) - 1, 2000).astype(int)
cuts = {measure: best_threshold(y, scores, measure) for measure in ("accuracy", "f1")}


def level_line(level: float, fp: np.ndarray) -> np.ndarray:
    """Return the false negatives at which F1 has this level."""
    cost_fn, cost_fp = FBeta().costs(level)
    return (2 * share * (1 - level) - cost_fp * fp) / cost_fn


def draw(mode: str) -> None:
    """Draw level lines, the curve of all thresholds, and two cuts of it."""
    colours = MODES[mode]
    plt.rcParams.update({"font.size": 11, "text.color": colours["text"], "svg.hashsalt": "front"})
    figure, ax = plt.subplots(figsize=(5.6, 4.2))
    ends = np.array([0.0, 0.2])
    for level in (0.3, 0.4, 0.5, 0.7, 0.8):
        line = level_line(level, ends)
        ax.plot(ends, line, color=colours["line"], lw=1)
        if line[1] > 0:
            ax.text(0.202, line[1], f"F1 = {level:.1f}", fontsize=9, va="center")
        else:
            foot = ends[1] * line[0] / (line[0] - line[1])
            ax.text(foot + 0.001, 0.003, f"F1 = {level:.1f}", fontsize=9)
    best = cuts["f1"].value
    ax.plot(ends, level_line(best, ends), color=colours["best"], lw=1.6)
    ax.plot(fp[shown], fn[shown], color=colours["curve"], lw=2.4)
    for measure, words, colour in (
        ("accuracy", "threshold for accuracy", colours["curve"]),
        ("f1", "threshold for F1", colours["best"]),
    ):
        positive = scores >= cuts[measure].threshold
        x, height = np.mean(positive & (y == 0)), np.mean(~positive & (y == 1))
        value = 2 * (share - height) / (2 * share - height + x)
        ax.plot(x, height, "o", color=colour, ms=9)
        label = f"{words}: F1 = {value:.2f}"
        ax.annotate(label, (x, height), (10, 8), textcoords="offset points", color=colour)
        print(f"{words}: F1 = {value:.4f}")
    ax.set(xlim=(0, 0.2), ylim=(0, 0.17), xticks=[], yticks=[])
    ax.set_xlabel("false positives", color=colours["text"])
    ax.set_ylabel("false negatives", color=colours["text"])
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(colours["line"])
    figure.tight_layout()
    path = Path(__file__).parent / f"front_{mode}.svg"
    figure.savefig(path, transparent=True, metadata={"Date": None})
    plt.close(figure)


for mode in MODES:
    draw(mode)
