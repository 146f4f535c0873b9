"""A real browser, where there is one."""

import os
import shutil

import pytest


@pytest.fixture(scope="module")
def browser():
    """Start the Chromium of the system."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.skip(f"no browser: none of {', '.join(names)} is installed")
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox"] if root else []
        )
        yield started
        started.close()


@pytest.fixture
def open_page(browser, tmp_path):
    """Return a function that opens a report; nothing may fail or be loaded but the file."""
    trouble, contexts = [], []

    def opened(clf, *rows, width=1400, **options):
        path = clf.report(tmp_path / "report.html", *rows, **options)
        context = browser.new_context(viewport={"width": width, "height": 900})
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: trouble.append(message.text))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("dialog", lambda dialog: trouble.append(dialog.message))
        page.on("request", lambda request: requests.append(request.url))
        requests = []
        page.goto(path.as_uri())
        page.loaded = lambda: [url for url in requests if not url.startswith("data:")]
        return page

    yield opened
    for context in contexts:
        context.close()
    assert trouble == []
