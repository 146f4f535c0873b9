"""Keys of stored pieces: they see all code that makes a piece, and no other."""

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pseudolinear.experiments import QUICK
from pseudolinear.experiments._code import PACKAGE, hash_files, modules_behind
from pseudolinear.experiments._default_piece import DefaultPiece
from pseudolinear.experiments._label_piece import LabelPiece

pytestmark = pytest.mark.slow


def test_keys_are_all_settings(monkeypatch):
    """Whatever changes the result changes the key; what does not, does not."""
    piece = LabelPiece(QUICK.sources[0], "rows", QUICK.learner("LR"), 0, 0)
    setting = piece.setting
    others = [
        replace(piece, checksum="other rows"),
        replace(piece, split=1),
        replace(piece, label=1),
        replace(piece, setting=replace(setting, grid={"C": (1.0,)})),
        replace(piece, setting=replace(setting, levels=(1.0,))),
        replace(piece, setting=replace(setting, params={"loss": "logistic"})),
    ]
    keys = {other.key for other in (piece, *others)}
    assert len(keys) == 1 + len(others)
    assert replace(piece, setting=replace(setting, effort=7.0)).key == piece.key
    monkeypatch.setattr("pseudolinear.experiments._piece.versions", lambda module: {"numpy": "0"})
    assert piece.key not in keys


@pytest.fixture
def copied(tmp_path):
    """A copy of the package that may be changed."""
    ignored = shutil.ignore_patterns("__pycache__", "*.csv")
    return shutil.copytree(PACKAGE, tmp_path / "pseudolinear", ignore=ignored)


def code_of(kind, package):
    """The hash of the code of a kind of piece."""
    return hash_files(modules_behind(kind.__module__, package), package)


def append(path):
    path.write_text(path.read_text() + "\nCHANGED = True\n")


EVERY = [
    "_problem.py",
    "errors/_curve.py",
    "experiments/_curves.py",
    "experiments/_sources.py",
    "learners/__init__.py",
    "learners/_linear.py",
    "learners/losses/_hinge.py",
    "learners/solvers/_batch.py",
    "loops/_smooth.py",
    "rivals/_svm_perf.py",
    "rivals/_simplex_qp.py",
]


NEVER = [
    "__init__.py",
    "cli/_main.py",
    "cli/_reproduce.py",
    "experiments/_choice.py",
    "experiments/_claims.py",
    "experiments/_figures.py",
    "experiments/_page.py",
    "experiments/_published.py",
    "experiments/_report.py",
    "inspection/_cone.py",
    "rivals/_gfm.py",
]


def changes(names, kind, package):
    """The files of some that change the hash of the code of a kind of piece."""
    behind = modules_behind(kind.__module__, package)
    seen = [hash_files(behind, package)]
    for name in names:
        append(package / name)
        seen.append(hash_files(behind, package))
    return [name for name, one, other in zip(names, seen, seen[1:], strict=False) if one != other]


def test_keys_see_the_code_that_computes(copied):
    """A change of what is trained or cut changes the key; one of what is shown does not."""
    assert changes(EVERY + NEVER, LabelPiece, copied) == EVERY


def test_keys_of_the_default_see_all_that_it_runs(copied):
    """Sweep, selection, portfolio: the whole classifier, whose rooms find their modules."""
    (copied / "search" / "_new.py").write_text("# a search that is found by itself")
    core = ["_classifier.py", "sweep/_sweep.py", "portfolio/_auto.py", "selection/_shrunk.py",
            "search/_new.py", "kinds/_multilabel.py", "loops/_newton.py"]  # fmt: skip
    others = ["cli/_main.py", "rivals/_svm_perf.py", "experiments/_page.py"]
    assert changes(core + others, DefaultPiece, copied) == core


def test_modules_that_move_stay_in_the_key(copied):
    """In a folder of its own it is still seen; where imports do not follow, an error says so."""
    (copied / "errors" / "inner").mkdir()
    (copied / "errors" / "_curve.py").rename(copied / "errors" / "inner" / "_curve.py")
    with pytest.raises(ModuleNotFoundError, match=r"pseudolinear\.errors\._curve is imported"):
        code_of(LabelPiece, copied)
    (copied / "errors" / "inner" / "__init__.py").write_text("")
    for path in copied.rglob("*.py"):
        path.write_text(
            path.read_text().replace("errors._curve import", "errors.inner._curve import")
        )
    before = code_of(LabelPiece, copied)
    append(copied / "errors" / "inner" / "_curve.py")
    assert code_of(LabelPiece, copied) != before


def test_every_form_of_import_is_followed(tmp_path):
    """Relative ones, whole modules, public names of a package that loads lazily."""
    package = tmp_path / "lazy"
    (package / "room").mkdir(parents=True)
    files = {
        "__init__.py": "if TYPE_CHECKING:\n    from lazy.room import One, Two",
        "room/__init__.py": "from lazy.room._one import One\nfrom lazy.room._two import Two",
        "room/_one.py": "class One: ...",
        "room/_two.py": "class Two: ...",
        "relative.py": "from .room._one import One\nprint(One)",
        "whole.py": "import lazy.room",
        "public.py": "from lazy import One as first\nprint(first)",
        "inside.py": "def f():\n    from lazy.room import Two\n    return Two",
        "submodule.py": "from lazy.room import _two",
        "checked.py": "if TYPE_CHECKING:\n    from lazy.room import Two\ndef f(x: Two): ...",
    }
    for name, text in files.items():
        (package / name).write_text(text)

    def behind(module):
        return {path.stem for path in modules_behind(f"lazy.{module}", package)} - {module}

    assert behind("relative") == {"__init__", "_one"}
    assert behind("whole") == {"__init__", "_one", "_two"}
    assert behind("public") == {"__init__", "_one"}
    assert behind("inside") == behind("submodule") == {"__init__", "_two"}
    assert behind("checked") == set()


@pytest.mark.parametrize(
    "piece",
    [
        *(LabelPiece(QUICK.source("six topics"), "", s, 0, 0) for s in QUICK.learners),
        DefaultPiece(QUICK.source("six topics"), "", "macro_F1"),
    ],
    ids=[*(setting.name for setting in QUICK.learners), "default"],
)
def test_nothing_runs_that_is_not_in_the_key(piece):
    """Every function of the package that a piece calls is in a file that its key sees."""
    called = set()

    def note(frame, event, argument):  # of a million calls: nothing here may take long
        if event == "call":
            called.add(frame.f_code)

    small = {"n_train": 60, "n_test": 20, "n_features": 5, "n_labels": 2, "seed": 0}
    source = replace(piece.source, params=small)
    if isinstance(piece, LabelPiece):
        grid = {name: values[:1] for name, values in piece.setting.grid.items()}
        piece = replace(piece, setting=replace(piece.setting, grid=grid))
    replace(piece, source=replace(source, params=small | {"seed": 1})).compute(None)  # compiles
    sys.setprofile(note)
    try:
        replace(piece, source=source).compute(None)
    finally:
        sys.setprofile(None)
    paths = {Path(code.co_filename) for code in called if code.co_name != "<module>"}
    own = {path for path in paths if path.is_relative_to(PACKAGE)}
    known = set(modules_behind(type(piece).__module__, PACKAGE))
    known |= set((PACKAGE / "datasets").glob("*.py"))  # the rows are in the key themselves
    assert own
    assert own <= known
