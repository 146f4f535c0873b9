"""Make the screenshots of the guide's page on the report; needs playwright and Chromium."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from playwright.sync_api import sync_playwright
from sklearn.datasets import make_classification, make_multilabel_classification

from pseudolinear import MeasureClassifier

HERE = Path(__file__).parent
TOPICS = ("arts", "film", "food", "health", "law", "money", "music", "news", "sport", "travel")


def fraud(folder: Path) -> Path:
    """Write the page of a binary problem."""
    X, y = make_classification(
        4000, 12, n_informative=5, weights=[0.88], flip_y=0.05, random_state=1
    )
    y = np.where(y == 1, "fraud", "fine")
    clf = MeasureClassifier(effort="fast", random_state=0).fit(X[:3000], y[:3000])
    options = {"importance": True, "random_state": 0, "title": "Fraud among payments"}
    return clf.report(folder / "fraud.html", X[3000:], y[3000:], **options)


def topics(folder: Path) -> Path:
    """Write the page of several labels."""
    X, Y = make_multilabel_classification(
        1500, n_features=30, n_classes=len(TOPICS), n_labels=3, random_state=0
    )
    y = [[topic for topic, has in zip(TOPICS, row, strict=True) if has] for row in Y]
    clf = MeasureClassifier("linear", measure="f1_macro", random_state=0).fit(X[:1000], y[:1000])
    return clf.report(folder / "topics.html", X[1000:], y[1000:], title="Topics of articles")


def main() -> None:
    """Write the pages and photograph them."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        pages = {"fraud": fraud(Path(folder)), "topics": topics(Path(folder))}
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for name, page, width, height, scheme in (
            ("report_wide", "fraud", 1400, 1250, "light"),
            ("report_narrow", "fraud", 400, 1500, "light"),
            ("report_dark", "topics", 1400, 1850, "dark"),
        ):
            tab = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
            tab.goto(pages[page].as_uri())
            for _ in range(40):
                tab.locator("#slider").press("ArrowLeft")
            tab.locator("#slider").blur()
            tab.evaluate("scrollTo(0, 0)")
            tab.screenshot(path=HERE / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
