"""The verbs threshold and evaluate on parts of a table: as on the whole, or one sentence."""

import json

import numpy as np
import pytest

from pseudolinear import best_threshold, best_thresholds, evaluate
from pseudolinear.cli.shared import _score_files


@pytest.fixture(scope="module")
def rows():
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    rng = np.random.default_rng(0)
    y = (rng.random(900) < 0.2).astype(int)
    s = y + rng.normal(0, 0.8, 900)
    return pandas.DataFrame(
        {
            "y": y,
            "s": s,
            "fraud": np.where(y == 1, "a yes", "no"),
            "said": np.where(s > 0.8, "a yes", "no"),
            "z": 1 - y,
            "t": -np.round(s, 1),
            "w": rng.integers(1, 5, 900) / 2,
        }
    )


@pytest.fixture(scope="module")
def parts(rows, tmp_path_factory):
    folder = tmp_path_factory.mktemp("parts")
    ordered = rows.sort_values("y")  # the first part has no positive row
    for k, start in enumerate(range(0, 900, 300)):
        ordered[start : start + 300].to_parquet(folder / f"part-{k}.parquet")
    ordered[:0].to_parquet(folder / "part-3.parquet")
    (folder / "_SUCCESS").touch()
    return folder


def result(run, *arguments):
    code, out, err = run(*arguments, "--json")
    assert code == 0, err
    return json.loads(out)


@pytest.mark.parametrize("how", ["folder", "files", "pattern"])
def test_parts_have_the_threshold_of_the_whole(run, rows, parts, how):
    """However they are named, empty ones and those without positives among them."""
    files = sorted(parts.glob("*.parquet"))
    named = {"folder": [parts], "files": files, "pattern": [parts / "part-?.parquet"]}[how]
    found = result(run, "threshold", *named, "--target", "y", "--score", "s")
    expected = best_threshold(rows.y, rows.s)
    (one,) = found["thresholds"]
    assert (one["threshold"], found["value_here"]) == (expected.threshold, expected.value)
    assert one["flagged_rows"] == (rows.s >= expected.threshold).sum()
    assert (found["n_rows"], found["passes"], found["files"]) == (900, 1, 4)
    assert found["interval"][0] < found["value"] < found["value_here"]


def test_the_positive_class_is_that_of_all_parts(run, rows, parts):
    """The rarer class, though another one is first; or the one that is named."""
    found = result(run, "threshold", parts, "--target", "fraud", "--score", "s")
    assert found["thresholds"][0]["threshold"] == best_threshold(rows.y, rows.s).threshold
    other = result(run, "threshold", parts, "--target", "fraud", "--score", "s", "--positive", "NO")
    assert other["thresholds"][0]["threshold"] == best_threshold(1 - rows.y, rows.s).threshold


def test_several_measures_share_the_passes(run, rows, parts):
    """Also for another prevalence, and for a single file."""
    options = ["--target", "y", "--score", "s", "--measure", "f1", "--measure", "f2"]
    found = result(run, "threshold", parts, *options, "--prevalence", "0.02", "--weight", "w")
    shift = rows.w * np.where(rows.y == 1, 0.02, 0.98) / np.where(
        rows.y == 1, np.average(rows.y, weights=rows.w), np.average(1 - rows.y, weights=rows.w)
    )  # fmt: skip
    for data, goal in zip([found, *found["others"]], ["f1", "f2"], strict=True):
        expected = best_threshold(rows.y, rows.s, goal, shift)
        assert data["thresholds"][0]["threshold"] == pytest.approx(expected.threshold)
        assert data["value_here"] == pytest.approx(expected.value)
        assert data["thresholds"][0]["flagged_rows"] is None
    single = result(run, "threshold", parts / "part-2.parquet", *options)
    assert len(single["others"]) == 1


def test_constraints_budgets_and_labels(run, rows, parts):
    """As in memory."""
    base = ["threshold", parts, "--target", "y", "--score", "s"]
    found = result(run, *base, "--budget", "50")
    assert (rows.s >= found["thresholds"][0]["threshold"]).sum() <= 50
    assert result(run, *base, "--min-recall", "0.9")["thresholds"][0]["recall"] >= 0.9
    assert result(run, *base, "--cost-fn", "5", "--cost-fp", "1")["value_here"] < 0
    found = result(
        run, "threshold", parts, "--target", "y,z", "--score", "s,t", "--measure", "f1_micro"
    )
    expected = best_thresholds(rows[["y", "z"]], rows[["s", "t"]], "f1_micro")
    assert found["value_here"] == pytest.approx(expected.value)
    assert found["interval"] is None


def test_people_see_the_passes(run, parts):
    """One line says what was read, and that nothing is approximate."""
    code, out, _ = run("threshold", parts, "--target", "y", "--score", "s")
    assert code == 0
    assert "exact: 900 rows in 4 files, 1 pass" in out
    code, out, _ = run(
        "threshold", parts, "--target", "y,z", "--score", "s,t", "--measure", "f1_macro"
    )
    assert "on these rows" in out


def test_a_large_file_is_read_in_batches(run, rows, tmp_path, monkeypatch):
    """So that memory does not grow with it."""
    monkeypatch.setattr(_score_files, "LARGE", 1000)
    rows.to_csv(tmp_path / "large.csv", index=False)
    found = result(run, "threshold", tmp_path / "large.csv", "--target", "y", "--score", "s")
    assert found["passes"] == 1


@pytest.mark.parametrize(
    ("columns", "arguments"),
    [
        (("fraud", "said"), ["--target", "fraud", "--prediction", "said"]),
        (("y", "s"), ["--target", "y", "--score", "s", "--threshold", "0.8"]),
        (("fraud", "s"), ["--target", "fraud", "--score", "s", "--threshold", "0.8"]),
        ((["y", "z"], ["s", "t"]), ["--target", "y,z", "--score", "s,t", "--threshold", "0.8,-1"]),
    ],
)
@pytest.mark.parametrize("weight", [None, "w"])
def test_evaluate_is_in_memory(run, rows, parts, columns, arguments, weight):
    """Predictions, and scores with a threshold, of one target and of labels."""
    true, pred = columns
    labels = isinstance(true, list)
    options = {"threshold": [0.8, -1] if labels else 0.8} if "--score" in arguments else {}
    expected = evaluate(
        rows[true], rows[pred], "f1_macro" if labels else "f1",
        sample_weight=None if weight is None else rows[weight].to_numpy(), **options,
    )  # fmt: skip
    given = [] if weight is None else ["--weight", weight]
    found = result(run, "evaluate", parts, *arguments, *given)
    assert found["value"] == pytest.approx(expected.value)
    assert found["interval"] == pytest.approx(expected.interval)
    assert [one["label"] for one in found["labels"]] == [one.label for one in expected.labels]
    assert found["n_rows"] == 900


def test_evaluate_takes_the_positive_class(run, rows, parts):
    """As it is written, or nearly."""
    arguments = ["--target", "fraud", "--prediction", "said", "--positive", "No", "--measure", "f2"]
    found = result(run, "evaluate", parts, *arguments)
    assert found["value"] == pytest.approx(
        evaluate(rows.fraud, rows.said, "f2", pos_label="no").value
    )


@pytest.mark.parametrize("measure", ["accuracy", "mcc", "balanced_accuracy"])
def test_scores_are_of_the_same_class_for_measures_that_treat_classes_alike(
    run, rows, parts, tmp_path, measure
):
    """The rarer one, as for F1: a measure that needs no positive class does not turn scores."""
    rows.to_csv(tmp_path / "rows.csv", index=False)
    options = ["--score", "s", "--measure", measure]
    cut = ["--threshold", "0.8"]
    for place in (parts, tmp_path / "rows.csv"):
        for verb, own, value in (("threshold", [], "value_here"), ("evaluate", cut, "value")):
            named = result(run, verb, place, "--target", "fraud", *options, *own)
            coded = result(run, verb, place, "--target", "y", *options, *own)
            assert named[value] == pytest.approx(coded[value])


BASE = ["--target", "y", "--score", "s"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["threshold", "PARTS", "-", *BASE], 2, "standard input"),
        (["threshold", "PARTS", "--target", "y", "--score", "no"], 1, "part-0.parquet has no colu"),
        (["threshold", "PARTS", *BASE, "--cost-fn", "w", "--cost-fp", "1"], 2, "Costs by row"),
        (["threshold", "PARTS", *BASE, "--measure", "f1_macro"], 2, "average over several"),
        (["threshold", "PARTS", "--target", "t", "--score", "s"], 1, "more than two classes"),
        (["threshold", "PARTS/no*.csv", *BASE], 1, "check the pattern"),
        (["threshold", "PARTS", "--target", "y,z", "--score", "s,t"], 1, "is for one label"),
        (["evaluate", "PARTS", *BASE], 2, "--score needs --threshold; --prediction takes none."),
        (["evaluate", "PARTS", *BASE, "--threshold", "1,2"], 2, "one --threshold"),
        (["evaluate", "PARTS", *BASE, "--threshold", "x"], 2, "no number"),
        (["evaluate", "PARTS", *BASE, "--threshold", "1", "--by", "w"], 2, "--by is for a model"),
        (["evaluate", "PARTS", "--score", "s", "--threshold", "1"], 2, "--target"),
        (["evaluate", "PARTS"], 2, "Give a model and a file"),
        (["evaluate", "a", "b", "--positive", "x"], 2, "a model has its own"),
        (["evaluate", "PARTS", "--target", "y,z", "--prediction", "y"], 1, "give as many"),
    ],
)  # fmt: skip
def test_wrong_use_is_one_line(run, parts, arguments, code, said):
    """What is wrong, with the exit code of the other verbs."""
    found, out, err = run(*(one.replace("PARTS", str(parts)) for one in arguments))
    assert found == code
    assert said in err
    assert out == ""


def test_a_truncated_part_is_named_and_nothing_is_written(run, rows, tmp_path):
    """Exit code 1, one line."""
    rows[:500].to_parquet(tmp_path / "a.parquet")
    rows[500:].to_parquet(tmp_path / "b.parquet")
    whole = (tmp_path / "b.parquet").read_bytes()
    (tmp_path / "b.parquet").write_bytes(whole[:-100])
    before = sorted(p.name for p in tmp_path.iterdir())
    code, out, err = run("threshold", tmp_path, *BASE)
    assert (code, out) == (1, "")
    assert "b.parquet is not a valid parquet file" in err
    assert len(err.strip().splitlines()) == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == before


class TestSeparatedLabels:
    """Labels in one column, as predict writes them."""

    TRUE = (["a"], ["a", "b"], [], ["1"], ["b"], ["a", "b"])
    SAID = (["a"], ["b"], ["c"], ["1"], [], ["a", "b"])

    @pytest.fixture
    def tagged(self, tmp_path):
        pandas = pytest.importorskip("pandas")
        frame = pandas.DataFrame({"tags": self.TRUE, "prediction": self.SAID, "w": [1.0, 2] * 3})
        joined = frame.assign(**{name: frame[name].map("|".join) for name in frame.columns[:2]})
        joined[:3].to_csv(tmp_path / "0.csv", index=False)
        joined[3:].to_csv(tmp_path / "1.csv", index=False)  # starts with a label that is a number
        frame.to_json(tmp_path / "lists.jsonl", orient="records", lines=True)
        return tmp_path

    @pytest.mark.parametrize("measure", [None, "f1_micro", "jaccard_macro"])
    def test_their_value_is_that_of_lists(self, run, tagged, measure):
        """In CSV with a separator, in JSON lines without one, weighted or not."""
        options = ["--target", "tags", "--prediction", "prediction"]
        options += [] if measure is None else ["--measure", measure]
        files = [tagged / "0.csv", tagged / "1.csv"]
        for weight, given in ((None, []), ([1.0, 2.0] * 3, ["--weight", "w"])):
            expected = evaluate(
                self.TRUE, self.SAID, measure or "f1_macro", sample_weight=weight, method="delta"
            )
            for found in (
                result(run, "evaluate", *files, *options, *given, "--label-separator", "|"),
                result(run, "evaluate", tagged / "lists.jsonl", *options, *given),
            ):
                assert found["value"] == pytest.approx(expected.value)
                assert found["interval"] == pytest.approx(expected.interval)
                labels = [(one["label"], one["tp"], one["fn"]) for one in found["labels"]]
                assert labels == [(one.label, one.tp, one.fn) for one in expected.labels]

    def test_what_predict_writes_is_read(self, run, tmp_path):
        """The value is that of the model on the same rows."""
        pandas = pytest.importorskip("pandas")
        rng = np.random.default_rng(0)
        x = rng.normal(size=(90, 2))
        names = np.array(["a", "b"])
        tags = ["|".join(names[row]) for row in x + rng.normal(0, 0.5, x.shape) > 0]
        rows, said, model = (tmp_path / name for name in ("rows.csv", "said.csv", "m.plm"))
        pandas.DataFrame(x, columns=["u", "v"]).assign(tags=tags).to_csv(rows, index=False)
        fit = ["--target", "tags", "--label-separator", "|", "--measure", "f1_macro"]
        assert run("fit", rows, *fit, "--estimator", "linear", "--out", model)[0] == 0
        assert run("predict", model, rows, "--keep", "tags", "--out", said)[0] == 0
        options = ["--target", "tags", "--prediction", "prediction", "--label-separator", "|"]
        found = result(run, "evaluate", said, *options)
        assert found["value"] == pytest.approx(result(run, "evaluate", model, rows)["value"])

    def test_they_are_suspected(self, run, tagged):
        """By evaluate and fit: one line says which option splits them."""
        rows = tagged / "rows.csv"
        lines = [f"{k % 7},{tags},{tags}" for k in range(30) for tags in ("a", "b", "a|b")]
        rows.write_text("\n".join(["u,tags,prediction", *lines]) + "\n")
        told = "Warning: 'a|b' in 'tags' counts as one class; if it is several labels, give "
        told += "--label-separator '|'.\n"
        options = ["--target", "tags", "--measure", "f1_macro"]
        code, _, err = run("evaluate", rows, *options, "--prediction", "prediction")
        assert (code, err) == (0, told)
        fit = ["--drop", "prediction", "--estimator", "linear", "--out", tagged / "m.plm"]
        code, _, err = run("fit", rows, *options, *fit)
        assert code == 0
        assert told in err

    @pytest.mark.parametrize(
        ("arguments", "code", "said"),
        [
            (["--score", "w", "--threshold", "1", "--label-separator", "|"], 2, "for --prediction"),
            (["--prediction", "prediction", "--label-separator", ""], 2, "must not be empty"),
            (["--prediction", "prediction", "--label-separator", ";"], 0, "is ';' between labels"),
            (["--prediction", "w"], 1, "say what is between labels by --label-separator"),
        ],
    )
    def test_wrong_use_is_one_line(self, run, tagged, arguments, code, said):
        """What is wrong, with the exit code of the other verbs."""
        file = tagged / ("lists.jsonl" if arguments[1] == "w" and code == 1 else "0.csv")
        found, _, err = run("evaluate", file, "--target", "tags", *arguments)
        assert found == code
        assert said in err
