"""Every import of the package finds its module, also those that only type checkers follow."""

import ast
from importlib.util import find_spec
from pathlib import Path

import pytest

import pseudolinear

ROOT = Path(pseudolinear.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))


def imported(tree):
    """The modules that a file names in its import statements."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def found(module):
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # its package is missing
        return False


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_imports_resolve(file):
    missing = [name for name in imported(ast.parse(file.read_text())) if not found(name)]
    assert missing == []
