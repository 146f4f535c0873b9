"""What a release consists of agrees with itself."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def read_yaml(path):
    """Return what a file of YAML holds."""
    yaml = pytest.importorskip("yaml", reason="pyyaml is not installed")
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_citation_has_the_version_of_the_project():
    """One place says the version; what cannot read it there is checked."""
    assert read_yaml(ROOT / "CITATION.cff")["version"] == PROJECT["version"]


def test_changelog_begins_with_this_version():
    """Below what is not released yet; every version has a date, and the newest comes first."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    heads = re.findall(r"^## (\S+)(?: - (\d{4}-\d{2}-\d{2}))?$", text, re.MULTILINE)
    assert heads[0] == ("Unreleased", "")
    assert heads[1][0] == PROJECT["version"]
    dates = [date for _, date in heads[1:]]
    assert all(dates)
    assert dates == sorted(dates, reverse=True)
    kinds = set(re.findall(r"^### (.+)$", text, re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_every_supported_python_is_tested_on_every_system():
    """The classifiers are what the hosted checks try."""
    matrix = read_yaml(ROOT / ".github/workflows/ci.yml")["jobs"]["test"]["strategy"]["matrix"]
    prefix = "Programming Language :: Python :: 3."
    claimed = [c.split()[-1] for c in PROJECT["classifiers"] if c.startswith(prefix)]
    assert matrix["python"] == claimed
    assert claimed[0] == PROJECT["requires-python"].removeprefix(">=")
    assert len(matrix["os"]) == 3


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_run_targets_that_exist(path):
    """Every `make` of a workflow names a target, and every job has little permission."""
    workflow = read_yaml(path)
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    used = {name for step in steps for name in re.findall(r"^make (.+)$", step.get("run", ""))}
    assert used <= targets
    assert workflow["permissions"] == {"contents": "read"}


def test_every_dependency_is_explained():
    """The page of dependencies names all of them."""
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    groups = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    names = {re.split(r"[\[>]", requirement)[0] for group in groups for requirement in group}
    assert sorted(name for name in names - {"pseudolinear"} if name not in page) == []
