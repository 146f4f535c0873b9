"""Draw the pictures of docs/guide/reading.md: ``python docs/images/reading.py``, with Chromium."""

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.model_selection import train_test_split

from pseudolinear import MeasureClassifier
from pseudolinear.inspection import LabelsDisplay, ThresholdDisplay

HERE = Path(__file__).parent
CHANNELS = np.array(
    [
        "amber",
        "blue",
        "coral",
        "cyan",
        "gold",
        "green",
        "jade",
        "lilac",
        "olive",
        "pink",
        "red",
        "teal",
    ]
)
PAGE = (
    '<!doctype html><body style="margin:12px;font:14px sans-serif;background:{};color:{}">{}</body>'
)


def save(display, name):
    """Write a display as a small PNG."""
    display.figure_.savefig(HERE / name, dpi=90, pil_kwargs={"optimize": True})
    plt.close(display.figure_)


def shoot(html, name, background="white", colour="black"):
    """Take a picture of what a notebook shows."""
    with TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_text(PAGE.format(background, colour, html))
        subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--hide-scrollbars",
             "--window-size=840,330", f"--screenshot={HERE / name}", str(page)],
            check=True, capture_output=True,
        )  # fmt: skip


X, y = make_classification(3000, weights=[0.9], flip_y=0.03, class_sep=0.8, random_state=0)
X, X_test, y, y_test = train_test_split(X, y, stratify=y, random_state=0)
clf = MeasureClassifier(random_state=0).fit(X, y)
print(clf)
shoot(clf._repr_html_(), "notebook_repr.png")
save(ThresholdDisplay.from_estimator(clf, X_test, y_test), "threshold_display.png")

X, Y = make_multilabel_classification(1500, n_classes=12, n_labels=2, random_state=0)
X, X_test, Y, Y_test = train_test_split(X, Y, random_state=0)
tags, tags_test = ([list(CHANNELS[row == 1]) for row in labels] for labels in (Y, Y_test))
clf = MeasureClassifier(measure="f1_macro", effort="fast", random_state=0).fit(X, tags)
print(clf)
save(LabelsDisplay.from_estimator(clf, X_test, tags_test), "labels_display.png")
