"""fit --in-parts: rows that are read part by part."""

import json

import numpy as np
import pytest

pd = pytest.importorskip("pandas")
pytest.importorskip("pyarrow")


@pytest.fixture
def folder(tmp_path):
    """Two Parquet files with a number that is no feature."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(2000, 3)), columns=list("abc")).assign(key=range(2000))
    odds = 2 * frame.a - frame.b - 2 + rng.logistic(size=2000)
    frame["churn"] = np.where(odds > 0, 1, 0)
    (tmp_path / "rows").mkdir()
    frame[:900].to_parquet(tmp_path / "rows" / "1.parquet")
    frame[900:].to_parquet(tmp_path / "rows" / "2.parquet")
    frame.to_parquet(tmp_path / "all.parquet")
    return tmp_path


def test_folder_and_file_give_the_same_model(run, folder):
    """And the model predicts and is judged as any other."""
    options = ("--target", "churn", "--drop", "key", "--in-parts", "--effort", "fast", "--json")
    found = []
    for name in ("rows", "all.parquet"):
        out = folder / f"{name}.plm"
        code, shown, _ = run("fit", folder / name, *options, "--out", out)
        assert code == 0
        found.append(json.loads(shown)["validation_score"])
        code, shown, _ = run("evaluate", out, folder / "all.parquet", "--json")
        assert code == 0
        assert json.loads(shown)["value"] > 0.5
    assert found[0] == pytest.approx(found[1])


@pytest.mark.parametrize(
    ("options", "match"),
    [
        (("--target", "chrun"), "no column"),
        (("--target", "churn", "--groups", "key"), "--groups needs all rows at once"),
        ((), "Say what to predict"),
    ],
)
def test_what_does_not_go_together_is_said(run, folder, options, match):
    """In one sentence, and nothing is written."""
    command = ("fit", folder / "rows", *options, "--in-parts", "--out", folder / "m.plm")
    code, _, said = run(*command)
    assert code == 2
    assert match in " ".join(said.split())
    assert not (folder / "m.plm").exists()


def fit_csv(run, folder, y, *options):
    """Fit a file with these classes; return the exit code, the result and what was said."""
    X = np.random.default_rng(0).normal(size=(len(y), 2))
    pd.DataFrame(X, columns=["a", "b"]).assign(y=y).to_csv(folder / "y.csv", index=False)
    command = ("fit", folder / "y.csv", "--target", "y", "--effort", "fast", "--json", "--force")
    code, out, said = run(*command, "--out", folder / "y.plm", *options)
    return code, json.loads(out) if code == 0 else None, " ".join(said.split())


@pytest.mark.parametrize("in_parts", [(), ("--in-parts",)], ids=["at once", "in parts"])
class TestPositiveClass:
    """The rule is the same, however the rows are read."""

    def test_the_rarer_one_is_said(self, run, tmp_path, in_parts):
        """Even where it is not the last one of the alphabet."""
        code, found, said = fit_csv(run, tmp_path, ["a", "b", "b", "b"] * 60, *in_parts)
        assert code == 0
        assert found["positive"] == "a"
        assert "Of the classes 'a' (25 %) and 'b' (75 %), the rarer is the positive one" in said

    def test_nearly_equal_ones_must_be_named(self, run, tmp_path, in_parts):
        """Unless the measure is for both."""
        y = ["cat", "dog"] * 60
        code, _, said = fit_csv(run, tmp_path, y, *in_parts)
        assert code == 2
        assert "'cat' (50 %) and 'dog' (50 %) are nearly as frequent; name the positive one" in said
        code, found, _ = fit_csv(run, tmp_path, y, "--positive", "cat", *in_parts)
        assert code == 0
        assert found["positive"] == "cat"
        assert fit_csv(run, tmp_path, y, "--measure", "mcc", *in_parts)[0] == 0

    @pytest.mark.parametrize(
        ("classes", "there"), [([0, 1], "0, 1"), (["no", "yes"], "no, yes"), ([0.5, 2], "0.5, 2.0")]
    )
    def test_another_class_is_refused(self, run, tmp_path, in_parts, classes, there):
        """With those that there are, and without the name of a parameter."""
        code, _, said = fit_csv(run, tmp_path, classes * 60, "--positive", "nope", *in_parts)
        assert code == 2
        assert f"Invalid value for --positive: 'nope' is no class; there are {there}." in said

    def test_a_class_may_be_written_freely(self, run, tmp_path, in_parts):
        """As 0.0, or true for True."""
        code, found, _ = fit_csv(run, tmp_path, [0, 1, 1] * 60, "--positive", "0.0", *in_parts)
        assert code == 0
        assert found["positive"] == 0
        y = [True, False, False] * 60
        assert fit_csv(run, tmp_path, y, "--positive", "TRUE", *in_parts)[1]["positive"] is True

    def test_gaps_are_refused(self, run, tmp_path, in_parts):
        """By the name of the column."""
        code, _, said = fit_csv(run, tmp_path, ["a", "b", None] * 60, *in_parts)
        assert code == 1
        assert "The target 'y' is missing in 60 of 180 rows" in said


@pytest.mark.parametrize(
    "separator", [";", *(pytest.param(one, marks=pytest.mark.slow) for one in (",", "|", "\t"))]
)
def test_csv_is_read_as_it_is_at_once(run, folder, separator):
    """Whatever separates its values, with gaps among the texts, as a file or as a folder."""
    frame = pd.read_parquet(folder / "all.parquet")
    frame["plan"] = np.where(frame.b > 1, None, np.where(frame.a > 0, "gold", "basic"))
    (folder / "csv").mkdir()
    for name, rows in (("csv/1", frame[:900]), ("csv/2", frame[900:]), ("all", frame)):
        rows.to_csv(folder / f"{name}.csv", index=False, sep=separator)
    found = []
    for name, *options in (("csv", "--in-parts"), ("all.csv", "--in-parts"), ("all.csv",)):
        out, options = folder / "m.plm", ("--target", "churn", *options, "--json", "--force")
        code, shown, said = run(
            "fit", folder / name, *options, "--out", out, "--estimator", "linear"
        )
        assert code == 0, said
        found.append(json.loads(shown))
    assert found[0]["validation_score"] == pytest.approx(found[1]["validation_score"])
    assert found[1]["features"] == found[2]["features"]
    assert found[1]["validation_score"] == pytest.approx(found[2]["validation_score"], abs=0.03)


@pytest.mark.parametrize(
    ("name", "match"),
    [
        ("no.csv", "no.csv cannot be read: it does not exist; check the name and the folder."),
        ("rows.jsonl", "since rows.jsonl is no Parquet, Arrow or CSV file; convert it"),
    ],
)
def test_what_cannot_be_read_in_parts_is_said(run, tmp_path, name, match):
    """In one sentence of ours."""
    (tmp_path / "rows.jsonl").write_text('{"a": 1, "y": 0}\n')
    code, _, said = run(
        "fit", tmp_path / name, "--target", "y", "--in-parts", "--out", tmp_path / "m.plm"
    )
    assert code == 1
    assert match in " ".join(said.split())


def test_an_average_over_two_classes_names_the_other_measure(run, folder):
    """In the words of --measure."""
    options = ("--measure", "f1_macro", "--in-parts", "--out", folder / "m.plm")
    code, _, err = run("fit", folder / "rows", "--target", "churn", *options)
    assert code == 1
    assert "f1_macro is an average over both classes" in err
    assert "use the measure of the positive class, f1." in err
