"""Every example runs, draws pictures that all can read, and shows what its text says."""

import re
import runpy
from pathlib import Path

import pandas as pd
import pytest

from pseudolinear._palette import GREY, LINES, ORANGE, SKY

FOLDER = Path(__file__).parents[1] / "examples"
EXAMPLES = sorted(FOLDER.glob("*/plot_*.py"))
TABLES = sorted((FOLDER / "data").glob("*.csv.xz"))
PALETTE = {colour.lower() for colour in (*LINES, ORANGE, SKY, GREY)}
BLACK = "#000000"


def name_of(path):
    """Return the name of an example with its section."""
    return path.relative_to(FOLDER).as_posix()


def numbers(pattern, text):
    """Return the numbers that a pattern finds."""
    return [float(number) for number in re.findall(pattern, text)]


def rising(pattern):
    """Return a check that the numbers that a pattern finds rise."""

    def check(text):
        found = numbers(pattern, text)
        assert len(found) > 1
        assert found == sorted(set(found)), found

    return check


def says(*parts):
    """Return a check that all parts are printed."""

    def check(text):
        for part in parts:
            assert part in text

    return check


def keeps_aims(text):
    """Constraints hold on the rows that have chosen the cuts."""
    (precision,) = numbers(r"precision >= 0.9 .* precision (\S+)", text)
    (recall,) = numbers(r"recall >= 0.95 .* recall (\S+)", text)
    assert precision >= 0.9
    assert recall >= 0.95


def costs_least(text):
    """Costs by row are the cheapest, and more than luck against both others."""
    says("min        250", "max      18424")(text)
    per_credit = numbers(r"(\d+) per credit", text)
    assert min(per_credit) == per_credit[1]
    assert min(numbers(r"interval \+(\S+) to", text)) > 0
    assert text.count("difference +") == 2


def wins_own_game(text):
    """Each average is best for who trained for it."""
    table = [numbers(r"(0\.\d+)", line) for line in text.splitlines() if line.count("0.") == 2]
    plain, macro, micro = table
    assert macro[0] == max(plain[0], macro[0], micro[0])
    assert micro[1] == max(plain[1], macro[1], micro[1])


def keeps_the_promise(text):
    """At most one in ten misses with a promise, and far more without."""
    without, with_promise = numbers(r"by (\d+)%", text)
    assert with_promise >= 90
    assert without < 75


def spends_the_budget(text):
    """Every day has its 50 visits, and a threshold has another number each day."""
    (visits,) = re.findall(r"visits +((?:50 *)+)\n", text)
    assert visits.split() == ["50"] * 8
    (free,) = re.findall(r"by a threshold: \[(.*)\]", text)
    assert len(set(free.split(", "))) > 1


def narrows(text):
    """More levels leave a smaller gap."""
    one, three = numbers(r"gap (\S+)", text)
    assert three < one


def gains_perhaps(text):
    """Training for the measure gains, and the interval of the difference holds 0."""
    rising(r"macro-F1 (0\S+)")(text)
    ((low, high),) = re.findall(r"interval (\S+) to (\S+),", text)
    assert float(low) < 0 < float(high)


# What the text of an example says, or its reader takes from it.
FACTS = {
    "first_steps/plot_1_first_fit.py": rising(r"F1 = (\S+)"),
    "first_steps/plot_4_from_a_file.py": says("predictions are equal: True"),
    "decisions/plot_1_thresholds.py": keeps_aims,
    "decisions/plot_4_costs.py": costs_least,
    "decisions/plot_5_budgets.py": spends_the_budget,
    "labels/plot_1_macro_or_micro.py": wins_own_game,
    "labels/plot_2_multiclass.py": gains_perhaps,
    "labels/plot_3_one_vs_rest.py": says("predictions as without thresholds: True"),
    "trust/plot_3_promise.py": keeps_the_promise,
    "trust/plot_4_rarer_positives.py": rising(r"F1 (?:as trained|adapted) (\S+)"),
    "deploying/plot_1_export.py": says("ONNX: 100% of 500", "plain: 100% are equal"),
    "deploying/plot_2_checkpoint.py": says("13 trainings", "without a power cut: True"),
    "deploying/plot_4_engine.py": says("741 problems", "any number of jobs: True"),
    "how_it_works/plot_4_cones.py": narrows,
    "how_it_works/plot_5_galaxy.py": rising(r"(?:after thresholding: test F1 =|possible:) (\S+)"),
}


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=name_of)
def test_example_runs(path, monkeypatch, capsys):
    """It prints what its text says, and its pictures have titles, labels and our colours."""
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    monkeypatch.setattr(plt, "show", lambda: None)
    monkeypatch.chdir(path.parent)
    plt.close("all")
    runpy.run_path(str(path))
    figures = [plt.figure(number) for number in plt.get_fignums()]
    plt.close("all")
    text = capsys.readouterr().out
    assert text
    FACTS.get(name_of(path), says())(text)
    assert figures or "sphinx_gallery_thumbnail_path" in path.read_text(encoding="utf-8")
    for figure in figures:
        check_picture(figure)


def check_picture(figure):
    """Titles become alternative texts; axes have labels; lines have colours of the palette."""
    from matplotlib.colors import to_hex

    assert figure.get_suptitle()
    for axes in figure.axes:
        colour_bar = axes.get_label() == "<colorbar>"
        assert colour_bar or (
            axes.get_xlabel() and (axes.get_ylabel() or not axes.yaxis.get_visible())
        )
        for line in axes.lines:
            assert to_hex(line.get_color()) in PALETTE | {BLACK}, line.get_label()


def test_facts_are_of_examples():
    """No check is left behind by an example that has moved."""
    assert FACTS.keys() <= {name_of(path) for path in EXAMPLES}


@pytest.mark.parametrize("path", EXAMPLES, ids=name_of)
def test_example_asks(path):
    """Its title is the reader's question, and colours are those of the palette."""
    text = path.read_text(encoding="utf-8")
    _, title, line, *_ = text.split("\n")
    assert title.endswith("?")
    assert line == "=" * len(title)
    assert "\n# %%\n" in text
    assert {colour.lower() for colour in re.findall(r'"(#[0-9A-Fa-f]{6})"', text)} <= PALETTE


def test_sections():
    """Every section says what it is about, and has a few examples."""
    for section in {path.parent for path in EXAMPLES}:
        assert (section / "README.rst").exists()
        assert 4 <= len(list(section.glob("plot_*.py"))) <= 8


def test_tables():
    """Tables are small, have a source, and are used."""
    sizes = [path.stat().st_size for path in TABLES]
    assert max(sizes) < 200_000
    assert sum(sizes) < 1_000_000
    sources = (FOLDER / "data" / "SOURCES.md").read_text(encoding="utf-8")
    examples = "".join(path.read_text(encoding="utf-8") for path in EXAMPLES)
    for path in TABLES:
        assert f"../data/{path.name}" in examples
        (rows,) = re.findall(rf"`{path.name}` \| ([\d,]+) \|", sources)
        assert len(pd.read_csv(path)) == int(rows.replace(",", ""))


def test_numbers_of_the_tables():
    """What the examples say of the tables."""
    counts = {
        path.stem.removesuffix(".csv"): pd.read_csv(path).iloc[:, -1].value_counts()
        for path in TABLES
    }
    assert counts["german"].to_dict() == {"good": 700, "bad": 300}
    assert 0.045 < counts["hypothyroid"]["hypothyroid"] / 3163 < 0.055  # one in twenty
    assert counts["steelfaults"].iloc[-1] == 55
    assert len(counts["steelfaults"]) == 7
