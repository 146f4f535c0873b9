"""The README: its code prints what it shows, and its figures are those that were measured."""

import json
import re
from pathlib import Path

import pytest
from pages import run_page

from benchmarks.tables import summarise
from pseudolinear.cli import main

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text()


def test_readme_starts_with_its_two_commands():
    """Whoever opens it can try it at once."""
    assert re.match(r"# pseudolinear\n\n```console\nmake demo .*\nmake test .*\n```\n", TEXT)


def test_readme_code_prints_what_is_shown(tmp_path, monkeypatch):
    """As it stands, without another name or file."""
    monkeypatch.chdir(tmp_path)
    names = run_page(ROOT / "README.md", tmp_path)
    assert names["clf"].score(names["X_test"], names["y_test"]) > 0.9


def test_readme_links_lead_somewhere():
    """Files of this repository, pictures too."""
    links = [*re.findall(r"\]\(([^)#]+)\)", TEXT), *re.findall(r'src(?:set)?="([^"]+)"', TEXT)]
    assert len(links) > 10
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_readme_compares_by_what_was_measured():
    """The table of three systems, and the two differences below it."""
    names = {
        "`MeasureClassifier()`": "default",
        "`TunedThresholdClassifierCV`, HistGradientBoosting": "hist_boosting",
        "`TunedThresholdClassifierCV`, logistic regression": "logistic",
    }
    shown = {
        names[name]: (f1, seconds)
        for name, f1, seconds in re.findall(r"^\| (`.*?) \| ([\d.]+) \| (\d+) \|$", TEXT, re.M)
    }
    results = (ROOT / "benchmarks" / "results" / "tables.jsonl").read_text().splitlines()
    lines = [line for line in map(json.loads, results) if line["system"] in names.values()]
    found = {row["system"]: row for row in summarise(lines, "default")}
    assert shown == {
        name: (f"{row['f1']:.1f}", f"{row['cpu_seconds']:.0f}") for name, row in found.items()
    }
    boosting, logistic = found["hist_boosting"], found["logistic"]
    assert f"{-boosting['minus_default']:.1f} points" in TEXT
    assert f"standard error of {boosting['standard_error']:.1f}" in TEXT
    assert f"{-logistic['minus_default']:.1f} ± {logistic['standard_error']:.1f}" in TEXT
    assert {row["tables"] for row in found.values()} == {26}


@pytest.mark.slow
def test_readme_picture_shows_what_the_demo_prints(capsys):
    """Its four figures, as they are told to who cannot see it."""
    assert main(["demo", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    values = [100 * row["test_f1"] for row in rows if row["learner"] == "logistic regression"]
    plain, threshold, costs, both = (f"{value:.1f} %" for value in values)
    told = f"F1 of {plain}, with a threshold {threshold}, with costs {costs}, "
    assert f"{told}with costs and a threshold {both}" in TEXT
