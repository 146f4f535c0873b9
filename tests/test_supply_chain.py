"""What a file of others can reach never evaluates, and no array is unpickled."""

import ast
from pathlib import Path

import pytest

import pseudolinear

ROOT = Path(pseudolinear.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
CALLS = {"eval", "exec", "compile", "__import__"}
MODULES = {"pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve"}
WRITES_ONLY = {"dumps", "dump"}  # which executes nothing
OWN = {"scale/_batch_parts.py"}  # reads what it has itself written to a folder of its own


def imported(node):
    """Return the module that a statement takes names from, and the names."""
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return {node.module.split(".")[0]: {alias.name for alias in node.names}}
    return {}


def faults(tree):
    """Say which lines of a module evaluate or unpickle."""
    for node in ast.walk(tree):
        for module, names in imported(node).items():
            if module in MODULES and not names <= WRITES_ONLY:
                yield node.lineno, f"imports {', '.join(names)} of {module}"
        if isinstance(node, ast.Attribute) and node.attr not in WRITES_ONLY:
            owner = ast.unparse(node.value)
            if owner in MODULES:
                yield node.lineno, f"uses {owner}.{node.attr}"
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in CALLS:
            yield node.lineno, f"calls {node.func.id}"
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("load", "read_pickle"):
            owner = ast.unparse(node.func.value)
            if owner in ("joblib", "pandas", "pd") or node.func.attr == "read_pickle":
                yield node.lineno, f"calls {owner}.{node.func.attr}"
        for keyword in node.keywords:
            if keyword.arg == "allow_pickle" and ast.unparse(keyword.value) != "False":
                yield node.lineno, "allows pickles in arrays"
            if keyword.arg == "shell" and ast.unparse(keyword.value) != "False":
                yield node.lineno, "runs a shell"


def test_the_package_is_looked_at():
    assert len(FILES) > 400


@pytest.mark.parametrize(
    "source",
    ["eval(x)", "pickle.load(f)", "np.load(f, allow_pickle=True)", "from pickle import loads"],
)
def test_what_is_looked_for_would_be_found(source):
    assert list(faults(ast.parse(source)))


def test_nothing_evaluates_or_unpickles():
    found = {
        f"{path.relative_to(ROOT)}:{line}: {what}"
        for path in FILES
        if path.relative_to(ROOT).as_posix() not in OWN
        for line, what in faults(ast.parse(path.read_text()))
    }
    assert found == set()
