"""Every import of the package finds its module, also those that only type checkers follow."""

import ast
from importlib.util import find_spec
from pathlib import Path

import pseudolinear

ROOT = Path(pseudolinear.__file__).parent


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


def test_imports_resolve():
    """A dictionary of the files with what is missing, so that all are named at once."""
    named = {file: {*imported(ast.parse(file.read_text()))} for file in ROOT.rglob("*.py")}
    missing = {name for name in set().union(*named.values()) if not found(name)}
    assert {str(file): names & missing for file, names in named.items() if names & missing} == {}
