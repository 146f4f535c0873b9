"""Facts about the house: what loads when, and what is public."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import pseudolinear


def test_import_loads_no_heavy_room():
    """Rivals, experiments, data sets and displays load when they are first asked for."""
    code = (
        "import sys, pseudolinear\n"
        "from pseudolinear import MeasureClassifier\n"
        "heavy = ('rivals', 'experiments', 'datasets', 'inspection', 'cli')\n"
        "print([m for m in sys.modules if m.startswith(tuple(f'pseudolinear.{h}' for h in heavy))"
        " or m == 'matplotlib'])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize("name", pseudolinear.__all__)
def test_public_names_load_and_are_documented(name):
    """Every name of the public surface exists, says what it is, and shows it."""
    public = getattr(pseudolinear, name)
    assert name in dir(pseudolinear)
    if callable(public):
        texts = [public.__doc__, *(getattr(m, "__doc__", "") for m in vars(public).values())]
        assert public.__doc__
        assert any(">>>" in (text or "") for text in texts)


def test_lazy_table_and_list_of_names_agree():
    """What loads lazily is what is listed."""
    assert sorted(pseudolinear._ROOM_OF) == sorted(pseudolinear.__all__)


def test_unknown_name_is_an_attribute_error():
    """As for any module."""
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        pseudolinear.Nothing  # noqa: B018


def test_percentages_are_written_alike():
    """With a space, as in "95 %": formats of Python that end in a percent sign have none."""
    source = Path(pseudolinear.__file__).parent
    short = re.compile(r"\{[^{}]*:[.\d]*%\}")
    assert [path.name for path in source.rglob("*.py") if short.search(path.read_text())] == []
