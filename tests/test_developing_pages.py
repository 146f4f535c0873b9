"""The pages for developers name files and rooms; all of them exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "docs" / "architecture.md", *sorted((ROOT / "docs" / "developing").rglob("*.md"))]
ROOTS = (ROOT / "src" / "pseudolinear", ROOT)
NAMED = re.compile(r"`((?:[\w.]+/)+|(?:[\w.]+/)*_?\w+\.py)`")  # a folder, or a file of Python
YOURS = "_yours.py"  # what the reader may add


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_file_that_a_page_names_exists(page):
    """In the package, or from the root of the project."""
    for name in NAMED.findall(page.read_text()):
        if not name.endswith(YOURS):
            assert any((root / name).exists() for root in ROOTS), f"{page.name}: {name}"


def test_every_room_is_described():
    """A new folder of the package gets its line."""
    text = (ROOT / "docs" / "architecture.md").read_text()
    rooms = {path.parent.name for path in ROOTS[0].glob("*/__init__.py")}
    assert {room for room in rooms if f"| `{room}/` |" not in text} == set()


def test_main_classes_are_in_their_rooms():
    """Every name in the last column of the table of rooms is defined in the folder of its row."""
    text = (ROOT / "docs" / "architecture.md").read_text()
    for room, cell in re.findall(r"^\| `(\w+)/` \| .* \| (.*) \|$", text, flags=re.M):
        code = "\n".join(path.read_text() for path in (ROOTS[0] / room).rglob("*.py"))
        for name in re.findall(r"`(\w+)`", cell):
            assert re.search(rf"^(?:class |def )?{name}\b", code, flags=re.M), (room, name)
