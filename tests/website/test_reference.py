"""The API reference: every public name has a page, and its docstring shows an example."""

import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

import pseudolinear
from pseudolinear.cli._main import verbs

FOLDER = Path(__file__).parents[2] / "docs" / "reference"
COMPLETE = ("datasets", "experiments", "inspection", "persistence", "rivals")  # all of their names
LISTING = re.compile(r"^\.\. currentmodule:: (\S+)$|^   (\w+)$", re.MULTILINE)


def listed():
    """Return the names that the pages list, as (module, name)."""
    names = []
    for path in sorted(FOLDER.glob("*.rst")):
        module = ""
        for found, name in LISTING.findall(path.read_text(encoding="utf-8")):
            module = found or module
            if name:
                names.append((module, name))
    return names


LISTED = listed()


def test_every_public_name_is_listed_once():
    """Names of the package, and of the modules that are public as a whole."""
    names = [name for _, name in LISTED]
    public = set(pseudolinear.__all__)
    for room in COMPLETE:
        public.update(import_module(f"pseudolinear.{room}").__all__)
    assert sorted(public - set(names)) == []
    assert len(names) == len(set(names))


@pytest.mark.parametrize(("module", "name"), LISTED, ids=lambda part: part)
def test_listed_name_is_exported_and_shows_an_example(module, name):
    """It can be imported as the page says; the doctests of the suite run the example."""
    room = import_module(module)
    assert name in room.__all__
    public = getattr(room, name)
    if callable(public):
        members = vars(public).values() if inspect.isclass(public) else ()
        texts = [public.__doc__, *(getattr(member, "__doc__", "") for member in members)]
        assert any("Examples\n" in (text or "") and ">>>" in text for text in texts)


def test_names_of_the_package_are_listed_where_users_import_them_from():
    """A name that the package has is not listed under one of its modules."""
    inner = {name for module, name in LISTED if module != "pseudolinear"}
    assert sorted(inner.intersection(pseudolinear.__all__)) == []


def test_every_verb_has_options_with_help():
    """The page of the command line is made from them."""
    context = verbs.make_context("pseudolinear", [], resilient_parsing=True)
    for name in verbs.list_commands(context):
        verb = verbs.get_command(context, name)
        assert verb is not None
        assert verb.help
        for parameter in verb.params:
            if parameter.param_type_name == "option" and not parameter.hidden:
                assert parameter.help, (name, parameter.name)


def test_built_site_has_a_page_for_every_name(site):
    """One page each, at an address that does not change."""
    missing = [
        f"{module}.{name}"
        for module, name in LISTED
        if not (site / "reference" / "generated" / f"{module}.{name}.html").is_file()
    ]
    assert missing == []
