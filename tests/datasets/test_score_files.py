"""Files of scores: the parts of a table, with one sentence for what is wrong in which of them."""

from decimal import Decimal
from itertools import pairwise

import numpy as np
import pytest

from pseudolinear import best_threshold, streamed_threshold
from pseudolinear.datasets import ScoreFiles, find_parts

pandas = pytest.importorskip("pandas")
pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    y = rng.random(1000) < 0.2
    score = np.round(y + rng.normal(size=1000), 2)
    weight = rng.integers(0, 3, 1000) / 2
    return pandas.DataFrame({"other": ["x"] * 1000, "y": y.astype(int), "s": score, "w": weight})


def write(frame, path):
    if path.suffix == ".parquet":
        frame.to_parquet(path)
    elif path.suffix == ".csv":
        frame.to_csv(path, index=False)
    elif path.suffix == ".jsonl":
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.reset_index(drop=True).to_feather(path)
    return path


def split(frame, folder, suffix=".parquet", cuts=(100, 100, 650)):
    ends = [0, *cuts, len(frame)]
    return [
        write(frame.iloc[a:b], folder / f"part-{k}{suffix}")
        for k, (a, b) in enumerate(pairwise(ends))
    ]


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".jsonl", ".feather"])
def test_parts_are_the_whole_table(rows, tmp_path, suffix):
    """Any format, an empty part among them, given as files, as a folder or as a pattern."""
    cuts = (100, 100, 650) if suffix not in (".jsonl",) else (100, 650)
    files = split(rows, tmp_path, suffix, cuts)
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / f".part-0{suffix}.crc").write_text("no table")
    expected = best_threshold(rows.y, rows.s, "f1", rows.w)
    for paths in (files, tmp_path, str(tmp_path / f"part-*{suffix}"), [files[0], *files[1:]]):
        batches = ScoreFiles(paths, target="y", score="s", weight="w", n_rows=70)
        found = streamed_threshold(batches)
        assert found.cut.threshold == expected.threshold
        assert found.n_rows == 1000


def test_classes_may_appear_in_any_order(rows, tmp_path):
    """The rarer class of all parts is positive, also where a part has one class alone."""
    named = rows.assign(y=np.where(rows.y == 1, "a fraud", "fine")).sort_values("y")
    for order in (named, named[::-1]):
        files = ScoreFiles(split(order, tmp_path), target="y", score="s")
        assert files.positive_class == "a fraud"
        threshold = streamed_threshold(files).cut.threshold
        assert threshold == best_threshold(rows.y, rows.s).threshold
    other = ScoreFiles(tmp_path, target="y", score="s", positive="fine")
    assert streamed_threshold(other).cut.threshold == best_threshold(1 - rows.y, rows.s).threshold


def test_types_may_differ_where_values_agree(rows, tmp_path):
    """Booleans, integers and floats; single precision and decimals are the numbers they hold."""
    score = rows.s.astype(np.float32)
    parts = [
        rows[:300].assign(y=rows.y[:300].astype(bool), s=score[:300]),
        rows[300:600].assign(y=rows.y[300:600].astype(float), s=score[300:600].astype(float)),
        rows[600:].assign(s=[Decimal(float(one)) for one in score[600:]]),
    ]
    files = [write(part, tmp_path / f"{k}.parquet") for k, part in enumerate(parts)]
    found = streamed_threshold(ScoreFiles(files, target="y", score="s"))
    assert found.cut.threshold == best_threshold(rows.y, score).threshold


def test_labels_have_columns(rows, tmp_path):
    """Several targets are a matrix, in their order."""
    wide = rows.assign(z=1 - rows.y, t=-rows.s)
    files = ScoreFiles(split(wide, tmp_path), target=["y", "z"], score=["s", "t"])
    y, score = map(np.concatenate, zip(*files, strict=True))
    assert np.array_equal(y, wide[["y", "z"]] == 1)
    assert np.array_equal(score, wide[["s", "t"]])


def test_only_the_columns_are_read(rows, tmp_path):
    """A column that is not asked for may hold anything, or be missing."""
    files = [
        write(rows[:500], tmp_path / "a.parquet"),
        write(rows[500:].drop(columns="other"), tmp_path / "b.parquet"),
    ]
    batches = ScoreFiles(files, target="y", score="s")
    assert {tuple(f.columns) for _, f in batches.frames(["y", "s"])} == {("y", "s")}


BAD = {
    "lacks a column": (lambda f: f.drop(columns="s"), "b.parquet has no column 's'"),
    "lacks all columns": (lambda f: f[["other"]], "b.parquet has no column 'y'"),
    "gap": (
        lambda f: f.assign(s=f.s.where(f.s > 0)),
        r"'s' of .*b.parquet is missing, or not a nu",
    ),
    "infinite": (lambda f: f.assign(s=np.inf), r"'s' of .*b.parquet holds infinity"),
    "text": (lambda f: f.assign(s="high"), r"'s' of .*b.parquet holds 'high', which is no number"),
    "third class": (lambda f: f.assign(y=f.y - 1), r"more than two classes once .*b.parquet"),
    "other class": (lambda f: f.assign(y=2), r"'y' of .*b.parquet holds 2|two classes"),
    "written otherwise": (lambda f: f.assign(y=f.y.astype(str)), r"two classes once .*b.parquet"),
    "gap in the target": (lambda f: f.assign(y=f.y.where(f.y > 0)), r"'y' of .*b.parquet is missi"),
}


@pytest.mark.parametrize("bad", BAD)
def test_what_is_wrong_names_the_part(rows, tmp_path, bad):
    """One sentence, with the file."""
    change, said = BAD[bad]
    files = [
        write(rows[:500], tmp_path / "a.parquet"),
        write(change(rows[500:]), tmp_path / "b.parquet"),
    ]
    with pytest.raises(ValueError, match=said):
        streamed_threshold(ScoreFiles(files, target="y", score="s"))


@pytest.mark.parametrize("kept", [0, 10, 2000, -5])
def test_a_truncated_part_is_named(rows, tmp_path, kept):
    """Whatever is left of it."""
    good, bad = split(rows, tmp_path, cuts=(500,))
    bad.write_bytes(bad.read_bytes()[:kept])
    with pytest.raises(ValueError, match=r"part-1.parquet is (empty|not a valid parquet)"):
        streamed_threshold(ScoreFiles([good, bad], target="y", score="s"))


def test_files_that_are_not_there(tmp_path):
    """A name, a pattern and a folder without a table."""
    for path, said in [
        (tmp_path / "a.csv", "does not exist; check the name"),
        (tmp_path / "*.parquet", r"No file matches .*\*.parquet; check the pattern"),
        (tmp_path, "no file of a known format"),
    ]:
        with pytest.raises(FileNotFoundError, match=said):
            find_parts(path)


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"target": "y"}, "one of both"),
        ({"target": ["y", "z"], "score": "s"}, "give as many"),
    ],
)
def test_columns_belong_together(rows, tmp_path, columns, said):
    """As many scores as targets."""
    with pytest.raises(ValueError, match=said):
        ScoreFiles(write(rows, tmp_path / "a.csv"), **columns)
