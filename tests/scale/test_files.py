"""Rows in files: Parquet files and folders, Arrow data sets, and what can be wrong with them."""

import errno

import numpy as np
import pytest
from part_rows import assert_same, linear, table

from pseudolinear.scale import ArrayParts, ArrowParts, _arrow_files
from pseudolinear.scale._block import Block

pd = pytest.importorskip("pandas")
pq = pytest.importorskip("pyarrow.parquet")
ds = pytest.importorskip("pyarrow.dataset")

X, y = table(3000)
FRAME = pd.DataFrame(X, columns=[f"c{i}" for i in range(8)]).assign(
    kind=np.where(X[:, 0] > 1, "a", np.where(X[:, 0] > 0, "b", None)),
    weight=np.random.default_rng(0).random(3000),
    churn=np.where(y, "yes", "no"),
)
PLAIN = FRAME.drop(columns=["kind", "weight"])


@pytest.fixture
def folder(tmp_path):
    """Two files of unequal size."""
    PLAIN[:800].to_parquet(tmp_path / "a.parquet")
    PLAIN[800:].to_parquet(tmp_path / "b.parquet")
    return tmp_path


def test_folder_file_and_data_set_are_the_same_rows(folder):
    """As an array of the same numbers."""
    memory = linear().fit(ArrayParts(X, FRAME.churn))
    for source in (folder, str(folder), sorted(folder.glob("*.parquet")), ds.dataset(folder)):
        clf = linear().fit(source, "churn")
        assert clf.pos_label_ == "yes"
        assert clf.best_score_ == pytest.approx(memory.best_score_, rel=1e-9)
        assert clf.predict(folder).tolist() == memory.predict(X).tolist()


def test_tables_of_all_kinds_of_columns(tmp_path):
    """Categories, gaps and weights, read by batches of a few rows."""
    FRAME.to_parquet(tmp_path / "all.parquet")
    parts = ArrowParts(tmp_path / "all.parquet", "churn", "weight", rows=700)
    clf = linear().fit(parts)
    assert clf.feature_names_in_.tolist() == [*PLAIN.columns[:8], "kind"]
    rows = FRAME.drop(columns=["churn", "weight"])
    assert_same(linear().fit(tmp_path, "churn", "weight"), clf, rows)
    memory = linear().fit(rows, FRAME.churn, FRAME.weight)
    assert clf.best_score_ == pytest.approx(memory.best_score_, abs=0.03)


def test_predictions_and_evaluations_of_files_are_those_of_memory(folder):
    """Also with an interval; the target's column is not taken for a feature."""
    clf = linear().fit(folder, "churn")
    rows = PLAIN.drop(columns="churn")
    np.testing.assert_array_equal(clf.predict_proba(folder), clf.predict_proba(rows))
    np.testing.assert_array_equal(clf.decision_function(folder), clf.decision_function(rows))
    files, memory = clf.evaluate(folder, "churn"), clf.evaluate(rows, PLAIN.churn)
    assert files.value == clf.score(folder, "churn") == memory.value
    assert files.interval == pytest.approx(memory.interval)


def test_several_labels_are_columns(tmp_path):
    """Named by a list."""
    labels = PLAIN.assign(churn=y, second=(X[:, 1] > 1).astype(int))
    labels.to_parquet(tmp_path / "rows.parquet")
    clf = linear(measure="f1_macro").fit(tmp_path, ["churn", "second"])
    assert clf.classes_.tolist() == ["churn", "second"]
    found = clf.predict(tmp_path)
    assert found.columns.tolist() == ["churn", "second"]
    assert clf.score(tmp_path, ["churn", "second"]) > 0.5


def test_decimal_commas_of_text_files_are_numbers(tmp_path):
    """As points are, in fit and predict, for features and weights; classes stay what they are."""
    rows = FRAME.drop(columns="kind")
    rows.to_csv(tmp_path / "comma.csv", sep=";", decimal=",", index=False)
    rows.to_csv(tmp_path / "point.csv", index=False)
    comma, point = (
        linear().fit(tmp_path / f"{name}.csv", "churn", "weight") for name in ("comma", "point")
    )
    assert_same(comma, point, rows.drop(columns=["churn", "weight"]))
    found = [clf.predict(tmp_path / "comma.csv") for clf in (comma, point)]
    np.testing.assert_array_equal(*found)
    versions = PLAIN[["c0"]].assign(version=np.where(y, "1,5", "2,5"))
    versions.to_csv(tmp_path / "classes.csv", sep=";", index=False)
    assert linear().fit(tmp_path / "classes.csv", "version").classes_.tolist() == ["1,5", "2,5"]


def test_a_file_that_contradicts_the_decimal_commas_before_is_named(tmp_path):
    """Its words would be another column."""
    rows = PLAIN[["c0", "churn"]]
    rows.to_csv(tmp_path / "a.csv", sep=";", decimal=",", index=False)
    rows.assign(c0="unknown").to_csv(tmp_path / "b.csv", sep=";", index=False)
    with pytest.raises(ValueError, match=r"b\.csv cannot be read: the column 'c0' holds 'unknown'"):
        linear().fit(tmp_path, "churn")


class TestTypesOfText:
    """Columns of CSV whose first rows do not tell their type."""

    ROWS = PLAIN[["c0", "churn"]].assign(late=np.arange(3000) % 5, empty=np.nan, w=1)

    @pytest.mark.parametrize("how", ["one file", "folder"])
    def test_fractions_and_values_may_come_late(self, tmp_path, how, monkeypatch):
        """Whole numbers and gaps become the numbers that they are when all rows are read."""
        monkeypatch.setattr(_arrow_files, "BLOCK", 20_000)
        rows = self.ROWS.astype({"late": float, "w": float})
        rows.loc[2990:, ["late", "empty", "w"]] = 0.5
        whole = self.ROWS.assign(empty="")  # "3" and nothing, as people write them
        lines = whole[:2990].to_csv(index=False), rows[2990:].to_csv(index=False, header=False)
        source = tmp_path / "rows.csv"
        if how == "folder":
            source.mkdir()
            (source / "a.csv").write_text(lines[0])
            (source / "b.csv").write_text(rows[2990:].to_csv(index=False))
        else:
            source.write_text("".join(lines))
        rows.to_parquet(tmp_path / "rows.pq")
        clf = linear().fit(source, "churn", "w")
        expected = linear().fit(tmp_path / "rows.pq", "churn", "w")
        assert clf.best_score_ == pytest.approx(expected.best_score_)
        assert clf.predict(source).tolist() == expected.predict(tmp_path / "rows.pq").tolist()
        value = expected.score(tmp_path / "rows.pq", "churn")
        assert clf.score(source, "churn") == pytest.approx(value)

    def test_small_files_have_the_types_of_all_rows(self, tmp_path):
        """As when they are read at once: what holds a word holds words."""
        rows = self.ROWS.assign(late=[*["10115"] * 2500, *["N1 9GU"] * 500]).drop(columns="empty")
        rows.to_csv(tmp_path / "rows.csv", index=False)
        clf = linear().fit(tmp_path / "rows.csv", "churn")
        assert clf.decision_.features.schema.strings == ("late",)

    def test_what_was_text_in_fit_is_text(self, tmp_path):
        """A file where all postcodes look like numbers does not make 150 of 0150."""
        towns = np.where(y == 1, "0150", np.where(np.arange(3000) % 2, "N1 9GU", "10115"))
        rows = pd.DataFrame({"c0": X[:, 0], "zip": towns, "churn": FRAME.churn})
        clf = linear().fit(rows[["c0", "zip"]], rows.churn)
        some = rows[rows.zip != "N1 9GU"]
        some.to_csv(tmp_path / "some.csv", index=False)
        expected = clf.predict(some[["c0", "zip"]])
        assert clf.predict(tmp_path / "some.csv").tolist() == expected.tolist()
        assert clf.score(tmp_path / "some.csv", "churn") == pytest.approx(
            clf.score(some[["c0", "zip"]], some.churn)
        )

    def test_words_after_numbers_are_named(self, tmp_path, monkeypatch):
        """With their column, and what to do."""
        monkeypatch.setattr(_arrow_files, "BLOCK", 20_000)
        rows = self.ROWS.astype({"late": object})
        rows.loc[2990:, "late"] = "many"
        rows.to_csv(tmp_path / "rows.csv", index=False)
        expected = r"rows.csv cannot be read: the column 'late' holds 'many' where .* as Parquet"
        with pytest.raises(ValueError, match=expected):
            linear().fit(ArrowParts(tmp_path / "rows.csv", "churn", columns=["late", "c0"]))


def test_partitions_as_spark_writes_them(tmp_path):
    """A column may be the name of a folder."""
    ds.write_dataset(
        pq.read_table(_written(tmp_path / "one.parquet", FRAME.drop(columns="weight"))),
        tmp_path / "parts", format="parquet",
        partitioning=ds.partitioning(_schema("kind"), flavor="hive"),
    )  # fmt: skip
    clf = linear().fit(tmp_path / "parts", "churn")
    assert "kind" in clf.feature_names_in_
    assert clf.best_score_ > 0.4


def test_empty_files_and_files_of_one_class(folder):
    """They add no rows, or only negatives."""
    whole = linear().fit(folder, "churn")
    PLAIN[:0].to_parquet(folder / "c.parquet")
    assert_same(linear().fit(folder, "churn"), whole, PLAIN.drop(columns="churn"))
    order = PLAIN.sort_values("churn", kind="stable")
    order[:2000].to_parquet(folder / "a.parquet")
    order[2000:].to_parquet(folder / "b.parquet")
    assert linear().fit(folder, "churn").best_score_ > 0.4


def test_numbers_of_other_types_are_numbers(folder):
    """A file of float32 beside one of float64."""
    PLAIN[800:].assign(c0=PLAIN.c0[800:].astype("float32")).to_parquet(folder / "b.parquet")
    assert linear().fit(folder, "churn").best_score_ > 0.4


@pytest.mark.parametrize(
    ("spoil", "match"),
    [
        (lambda f: f.drop(columns="c3"), "b.parquet has no column 'c3'"),
        (lambda f: f.assign(c3="many"), "b.parquet cannot be read"),
    ],
)
def test_files_that_do_not_fit_are_named(folder, spoil, match):
    """One sentence with the name of the file."""
    spoil(PLAIN[800:]).to_parquet(folder / "b.parquet")
    with pytest.raises(ValueError, match=match):
        linear().fit(folder, "churn")


def test_truncated_files_are_named(folder):
    """A part that was cut off."""
    path = folder / "b.parquet"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ValueError, match=r"b\.parquet"):
        linear().fit(folder, "churn")


def test_wrong_columns_and_wrong_types_of_y(folder):
    """The sentence says what there is."""
    with pytest.raises(ValueError, match="no column 'chrun'; the columns are c0, c1"):
        linear().fit(folder, "chrun")
    with pytest.raises(TypeError, match="name the column of the classes"):
        linear().fit(folder, y)
    with pytest.raises(ValueError, match="cannot be read"):
        linear().fit(folder / "nowhere.parquet", "churn")


def test_full_disk_is_said_in_a_sentence(monkeypatch):
    """And nothing is left."""

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Block, "write", full)
    with pytest.raises(OSError, match="no room for the encoded rows; set TMPDIR"):
        linear().fit(ArrayParts(X, y))


def _written(path, frame):
    frame.to_parquet(path)
    return path


def _schema(name):
    import pyarrow as pa

    return pa.schema([(name, pa.string())])
