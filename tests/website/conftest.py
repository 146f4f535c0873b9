"""The built site, and a browser to look at it."""

from pathlib import Path

import pytest
from report.conftest import browser  # noqa: F401

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def site():
    """Return the folder of the built site."""
    folder = ROOT / "docs" / "_build" / "html"
    if not (folder / "index.html").is_file():
        pytest.skip("the site is not built: run make docs first")
    return folder
