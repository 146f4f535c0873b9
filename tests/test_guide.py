"""Tutorials and guide: every snippet runs, and prints what its page shows."""

import re

import pytest
from pages import BLOCK, DOCS, PIECE, agree, run_page

PAGES = sorted(
    path
    for section in ("start", "guide")
    for path in (DOCS / section).glob("*.md")
    if any(not block["skip"] for block in BLOCK.finditer(path.read_text()))
)


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_page_shows_what_its_code_prints(path, tmp_path, monkeypatch):
    """One block after the other, in a folder of its own."""
    for module in ("fairlearn", "imblearn", "lightgbm", "onnxruntime", "pandas", "skrub"):
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    run_page(path, tmp_path)


def test_every_page_is_in_a_table_of_contents():
    """A reader finds it from the index of its section."""
    for section in ("start", "guide"):
        index = (DOCS / section / "index.md").read_text()
        listed = set(re.findall(r"^(\w+)$", index, re.MULTILINE))
        pages = {path.stem for path in (DOCS / section).glob("*.md")} - {"index"}
        assert pages <= listed


@pytest.mark.parametrize(
    ("shown", "printed", "expected"),
    [
        ("f1 0.96 of 3", "f1  0.962\nof 3", True),
        ("f1 0.96 of 3", "f1 0.98 of 3", False),
        ("f1 0.96 of 3", "f1 0.96 of 4", False),
        ("a ... z", "a b c z", True),
        ("a ... z", "a b c z z y", False),
        ("a", "a b", False),
        ("a b", "a", False),
        ("a ... c ... e ...", "a b c d e f", True),
    ],
)  # fmt: skip
def test_output_is_compared_as_exactly_as_it_is_shown(shown, printed, expected):
    """White space does not matter, dots stand for anything, digits count as far as they go."""
    assert agree(PIECE.findall(shown), PIECE.findall(printed)) == expected
