"""The page in a real browser: what is read there is what the library says."""

import numpy as np
import pytest
from report.fits import HOSTILE, binary, multiclass, multilabel
from sklearn.metrics import fbeta_score, precision_score, recall_score

from pseudolinear import MinimalCost, RecallAtPrecision, best_threshold

pytestmark = pytest.mark.slow


def shown(page, name):
    """Read a number of the page as a machine does."""
    return float(page.locator(f"#{name}").get_attribute("value"))


def positive_scores(clf, X):
    """Return the scores of a binary classifier, the threshold not yet taken off."""
    sign = 1 if clf.classes_[1] == clf.pos_label_ else -1
    return sign * clf.decision_function(X) + clf.threshold_


def assert_agrees(page, true, scores, beta=2.0):
    """Everything on the page is what scikit-learn says at the threshold on the page."""
    flagged = scores >= float(page.locator("#exact").input_value())
    assert shown(page, "precision") == pytest.approx(precision_score(true, flagged))
    assert shown(page, "recall") == pytest.approx(recall_score(true, flagged))
    assert shown(page, "f") == pytest.approx(fbeta_score(true, flagged, beta=beta))
    assert shown(page, "measure") == pytest.approx(fbeta_score(true, flagged, beta=1))
    assert shown(page, "flagged") == flagged.sum()
    assert shown(page, "tp") == (flagged & true).sum()
    assert shown(page, "fn") == (true & ~flagged).sum()
    assert shown(page, "fp") == (flagged & ~true).sum()
    costs = [float(page.locator(f"#cost-{name}").input_value()) for name in ("fn", "fp")]
    cost = costs[0] * shown(page, "fn") + costs[1] * shown(page, "fp")
    assert shown(page, "cost") == pytest.approx(cost)
    assert page.locator("#precision").inner_text() == f"{shown(page, 'precision') + 1e-12:.3f}"


def test_slider_moves_all_numbers_together(open_page):
    """By keyboard, by a number, and back to the chosen threshold."""
    clf, X, y = binary()
    page = open_page(clf, X, y)
    true, scores = y == "fraud", positive_scores(clf, X)
    assert shown(page, "measure") == pytest.approx(clf.score(X, y))
    assert shown(page, "headline-value") == pytest.approx(clf.score(X, y))
    assert_agrees(page, true, scores)
    start = page.locator("#exact").input_value()

    page.locator("#slider").focus()
    for key in ("ArrowLeft", "ArrowLeft", "PageDown", "ArrowRight"):
        page.keyboard.press(key)
        assert_agrees(page, true, scores)
    assert float(page.locator("#exact").input_value()) < float(start)

    page.locator("#slider").evaluate(
        "e => { e.value = 200; e.dispatchEvent(new Event('input', { bubbles: true })) }"
    )
    assert_agrees(page, true, scores)

    wanted = float(np.quantile(scores, 0.7))
    page.locator("#exact").fill(str(wanted))
    page.locator("#exact").press("Enter")
    assert float(page.locator("#exact").input_value()) == pytest.approx(wanted, abs=0.1)
    assert_agrees(page, true, scores)

    page.locator("#reset").click()
    assert page.locator("#exact").input_value() == start
    assert page.locator("#reset").is_disabled()


def test_beta_and_costs_can_be_any(open_page):
    """F-beta is scikit-learn's, and the cheapest threshold is that of the library."""
    clf, X, y = binary()
    page = open_page(clf, X, y)
    true, scores = y == "fraud", positive_scores(clf, X)
    page.locator("#beta").fill("0.5")
    assert_agrees(page, true, scores, beta=0.5)
    page.locator("#cost-fn").fill("5")
    page.locator("#cost-fp").fill("2")
    assert_agrees(page, true, scores, beta=0.5)
    least = best_threshold(true, scores, MinimalCost(5, 2)).value * len(y)
    caption = page.locator("#charts figure").nth(2).locator("small").inner_text()
    assert caption.startswith(f"least: {round(least):,} at ")


def test_points_on_the_curves_follow(open_page):
    """The moving point is where precision and recall are."""
    clf, X, y = binary()
    page = open_page(clf, X, y)
    dots = page.locator("svg .now")
    before = [dots.nth(i).get_attribute("cx") for i in range(3)]
    page.locator("#slider").press("Home")
    after = [dots.nth(i).get_attribute("cx") for i in range(3)]
    assert all(a != b for a, b in zip(before, after, strict=True))
    assert shown(page, "recall") == 1
    assert float(after[0]) == 370  # recall 1 is at the right end of the axis


def test_budget_and_floor_are_what_the_library_finds(open_page):
    """A floor under precision is RecallAtPrecision; a budget is never exceeded."""
    clf, X, y = binary()
    page = open_page(clf, X, y)
    true, scores = y == "fraud", positive_scores(clf, X)
    page.locator("#floor").fill("0.6")
    page.locator("#floor-use").click()
    assert shown(page, "precision") >= 0.6
    best = best_threshold(true, scores, RecallAtPrecision(0.6)).value
    assert shown(page, "recall") == pytest.approx(best)
    page.locator("#budget").fill("20")
    page.locator("#budget-use").click()
    assert shown(page, "flagged") == 20
    assert shown(page, "tp") == true[np.argsort(-scores)[:20]].sum()


def test_labels_are_sorted_searched_and_picked(open_page):
    """By mouse and by keyboard; the picked one is on the slider."""
    clf, X, y = multilabel()
    page = open_page(clf, X, y)
    true, predicted = (clf.decision_.kind.truth(z) for z in (y, clf.predict(X)))
    names = page.locator("#label-table tbody tr:not([hidden]) th")
    cases = page.get_by_role("button", name="Cases")
    cases.click()
    order = [int(name.split()[-1]) for name in names.all_inner_texts()]
    assert (np.diff(true.sum(axis=0)[order]) <= 0).all()
    cases.focus()
    page.keyboard.press("Enter")
    order = [int(name.split()[-1]) for name in names.all_inner_texts()]
    assert (np.diff(true.sum(axis=0)[order]) >= 0).all()
    assert page.locator("th[aria-sort=ascending]").inner_text().startswith("Cases")

    page.locator("#search").fill("TOPIC 3")
    assert names.all_inner_texts() == ["topic 3"]
    assert page.locator("#found").inner_text() == "1 of 8"
    names.locator("button").click()
    assert page.locator("#label option:checked").inner_text() == "topic 3"
    assert shown(page, "recall") == pytest.approx(recall_score(true[:, 3], predicted[:, 3]))

    page.locator("#label").select_option("5")
    assert shown(page, "precision") == pytest.approx(precision_score(true[:, 5], predicted[:, 5]))
    cells = page.locator("#label-table tbody tr[aria-current] th")
    assert cells.text_content() == "topic 5"


def test_classes_have_a_slider_each(open_page):
    """And their confusions are a table."""
    clf, X, y = multiclass()
    page = open_page(clf, X, y)
    predicted = clf.predict(X)
    for k, name in enumerate(clf.classes_):
        page.locator("#label").select_option(str(k))
        assert shown(page, "recall") == pytest.approx(recall_score(y == name, predicted == name))
    cells = page.locator("#confusion [data-right]").all_inner_texts()
    assert [int(cell) for cell in cells] == [
        ((y == name) & (predicted == name)).sum() for name in clf.classes_
    ]


@pytest.mark.parametrize("case", [binary, multilabel, multiclass])
@pytest.mark.parametrize("given", [True, False])
def test_nothing_is_loaded_and_nothing_overflows(open_page, case, given):
    """One request, for the file itself; at 400 pixels the page does not scroll sideways."""
    clf, *rows = case()
    page = open_page(clf, *(rows if given else ()), width=400)
    assert len(page.loaded()) == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    page.set_viewport_size({"width": 1400, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= 1400


def test_hostile_names_are_only_shown(open_page):
    """No name of a label is executed, in the table, the picker, the charts or the title."""
    clf, X, y = multilabel(tuple(HOSTILE))
    page = open_page(clf, X, y, title=HOSTILE[1], width=400)
    for k in range(len(HOSTILE)):
        page.locator("#label").select_option(str(k))
    assert page.title() == HOSTILE[1]
    assert page.locator("script").count() == 2
    assert page.locator("img").count() == 0
    assert HOSTILE[0] in page.locator("#label-table").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_fields_and_tables_have_names(open_page):
    """Every field has a label, every picture a name, every header cell a scope."""
    clf, X, y = multilabel()
    page = open_page(clf, X, y)
    unnamed = page.evaluate(
        "[...document.querySelectorAll('input, select')]"
        ".filter(e => !e.labels.length && !e.ariaLabel).length"
    )
    assert unnamed == 0
    assert page.locator("svg:not([aria-label])").count() == 0
    assert page.locator("th:not([scope])").count() == 0
