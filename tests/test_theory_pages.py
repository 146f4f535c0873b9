"""The pages on theory name tests and names of the package; all of them exist."""

import ast
import re
from pathlib import Path

import pytest

import pseudolinear
from pseudolinear import bounds, errors, measures, search, selection

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "docs" / "theory.md", *sorted((ROOT / "docs" / "theory").glob("*.md"))]
STATING = ["beyond", "certificates", "constants", "errata", "intervals", "propositions", "searches"]
TEST = re.compile(r'\[(\w+)\]\((?:\.\./)+(tests/[\w/]+\.py) "\2::(\w+)"\)')  # a link and its title
HOMES = (pseudolinear, bounds, errors, measures, search, selection)


def named_on(page):
    return sorted(set(TEST.findall(page.read_text())))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_test_that_a_page_names_exists(page):
    """By its file and its name."""
    assert "::" not in TEST.sub("", page.read_text())
    for shown, file, name in named_on(page):
        assert shown in (name, "test")
        tree = ast.parse((ROOT / file).read_text())
        found = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert name in found, f"{page.name}: {file}::{name}"


@pytest.mark.parametrize("name", STATING)
def test_statements_are_checked_by_tests(name):
    """A page that states theorems names several tests."""
    (page,) = (page for page in PAGES if page.stem == name)
    assert len(named_on(page)) > 5


def test_every_name_in_the_table_of_symbols_exists():
    """From the article's symbols to names in code, which are looked up."""
    text = (ROOT / "docs" / "theory" / "notation.md").read_text()
    rows = re.findall(r"^\| .* \| .* \| (.*) \|$", text, flags=re.M)
    names = [name for row in rows for name in re.findall(r"`([A-Za-z][\w.]*)`", row)]
    assert len(names) > 25
    parameters = {"suboptimality", "cost_sensitive", "tune_threshold"}
    attributes = {"errors", "fn", "fp"}  # of the profile in the same cell
    for name in set(names) - parameters - attributes:
        first, *rest = name.split(".")
        found = next((getattr(home, first) for home in HOMES if hasattr(home, first)), None)
        assert found is not None, name
        for part in rest:
            assert hasattr(found, part) or part in found.__dataclass_fields__, name
