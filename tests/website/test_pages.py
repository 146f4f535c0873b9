"""The built site in a real browser: nothing is cut off, nothing fails, nothing is fetched."""

import pytest

PAGES = {  # patterns; the first page that fits is opened
    "front": "index.html",
    "guide": "guide/[!i]*.html",
    "theory": "theory/[!i]*.html",
    "gallery": "gallery/index.html",
    "example": "gallery/**/plot_*.html",
    "figures": "evidence/[!i]*.html",
    "reference": "reference/generated/pseudolinear.MeasureClassifier.html",
    "command line": "reference/command_line.html",
    "changelog": "reference/changelog.html",
}
SECTIONS = ["Start here", "User guide", "Gallery", "Theory", "Evidence", "Reference", "Developing"]


@pytest.fixture(params=[1280, 390], ids=["wide", "narrow"])
def open_page(request, browser, site):
    """Return a function that opens a page of the site at one of two widths."""
    context = browser.new_context(viewport={"width": request.param, "height": 900})
    trouble = []

    def opened(name):
        page = context.new_page()
        page.on("console", lambda message: trouble.append((message.type, message.text)))
        page.on("pageerror", lambda error: trouble.append(("error", str(error))))
        page.on("request", lambda request: trouble.append(("fetched", request.url)))
        page.goto(sorted(site.glob(name))[0].as_uri(), wait_until="load")
        return page

    yield opened
    context.close()
    outside = ("fetched", "http")
    assert [t for t in trouble if t[0] == "error" or (t[0], t[1][:4]) == outside] == []


@pytest.mark.parametrize("name", PAGES.values(), ids=PAGES)
def test_page_fits_into_its_width_and_leads_to_all_sections(open_page, name):
    """No page scrolls sideways; the sections are in the header, or in the menu of a phone."""
    page = open_page(name)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"]
    if page.viewport_size["width"] < 960:
        page.locator("button.primary-toggle").click()
        links = page.locator("dialog[open] .navbar-nav a, .bd-sidebar-primary .navbar-nav a")
    else:
        links = page.locator(".bd-header .navbar-nav a")
    shown = [link.strip() for link in links.all_inner_texts()]
    assert [section for section in SECTIONS if section in shown] == SECTIONS


def test_formulas_are_drawn_without_a_network(open_page):
    """MathJax is part of the site."""
    page = open_page("reference/generated/pseudolinear.FBeta.html")
    page.wait_for_selector("mjx-container svg")


def test_search_finds_a_class(browser, site):
    """The index is part of the site; excerpts are shown only where pages come from a server."""
    context = browser.new_context()
    page = context.new_page()
    page.goto((site / "search.html").as_uri() + "?q=MeasureClassifier")
    page.wait_for_selector("ul.search li a")
    context.close()
