"""Files of rows: every format, compressed, at once and in parts."""

import bz2
import gzip
import lzma
import os
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file

from pseudolinear.datasets import read_file, read_parts

pandas = pytest.importorskip("pandas")
FRAME = pandas.DataFrame({"n": [1.5, None, 3.0, 4.0], "s": ["a", "b;c", "ü", "a"]})


def write(path):
    kind = path.name.split(".")[1]
    if kind == "jsonl":
        FRAME.to_json(path, orient="records", lines=True)
    elif kind == "parquet":
        FRAME.to_parquet(path)
    elif kind in ("feather", "arrow"):
        FRAME.to_feather(path)
    else:
        FRAME.to_csv(path, index=False, sep="\t" if kind == "tsv" else ",")


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet", "feather", "arrow"])
def test_every_format_holds_the_same_rows(tmp_path, kind):
    """Also in parts, in their order."""
    path = tmp_path / f"a.{kind}"
    write(path)
    pandas.testing.assert_frame_equal(read_file(path), FRAME, check_dtype=False)
    parts = list(read_parts(path, n_rows=3))
    assert [len(part) for part in parts] == [3, 1]
    whole = pandas.concat(parts, ignore_index=True)
    pandas.testing.assert_frame_equal(whole, FRAME, check_dtype=False)


@pytest.mark.parametrize("suffix", ["gz", "bz2", "xz", "zip", "zst"])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_every_compression_is_seen_through(tmp_path, kind, suffix):
    """By the name of the file."""
    plain, path = tmp_path / f"a.{kind}", tmp_path / f"a.{kind}.{suffix}"
    write(plain)
    content = plain.read_bytes()
    if suffix == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(plain.name, content)
    elif suffix == "zst":
        import pyarrow

        with pyarrow.CompressedOutputStream(str(path), "zstd") as file:
            file.write(content)
    else:
        path.write_bytes({"gz": gzip, "bz2": bz2, "xz": lzma}[suffix].compress(content))
    pandas.testing.assert_frame_equal(read_file(path), FRAME, check_dtype=False)


def test_a_stream_of_arrow_is_read_like_a_file(tmp_path):
    """It has no end that says where what is."""
    import pyarrow

    table = pyarrow.Table.from_pandas(FRAME)
    with pyarrow.ipc.new_stream(str(tmp_path / "a.arrow"), table.schema) as stream:
        stream.write_table(table)
    pandas.testing.assert_frame_equal(read_file(tmp_path / "a.arrow"), FRAME, check_dtype=False)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_line_of_names_says_what_separates(tmp_path, separator):
    """As people export tables."""
    FRAME.to_csv(tmp_path / "a.csv", index=False, sep=separator)
    assert read_file(tmp_path / "a.csv").columns.tolist() == ["n", "s"]


def test_nominal_values_of_arff_are_strings(tmp_path):
    """And numbers numbers, gaps gaps; a sparse file is filled."""
    path = tmp_path / "a.arff"
    path.write_text("@attribute c {red,blue}\n@attribute x real\n@data\nblue,1.5\n?,2\n")
    found = read_file(path)
    assert found["c"].isna().tolist() == [False, True]
    assert found["c"][0] == "blue"
    assert found["x"].tolist() == [1.5, 2.0]
    path.write_text("@attribute x real\n@attribute y {0,1}\n@data\n{1 1}\n{0 3}\n")
    assert read_file(path).to_numpy().tolist() == [[0, 1], [3, 0]]


@pytest.mark.parametrize("zero_based", [True, False])
def test_parts_of_svmlight_are_the_file(tmp_path, zero_based):
    """Also where a part lacks the first and the last feature."""
    X = np.diag(np.arange(1.0, 7.0))
    dump_svmlight_file(X, np.arange(6), str(tmp_path / "a.svm"), zero_based=zero_based)
    parts = list(read_parts(tmp_path / "a.svm", n_rows=2, n_features=6))
    np.testing.assert_array_equal(np.vstack([part.X.toarray() for part in parts]), X)
    assert np.concatenate([part.y for part in parts]).tolist() == list(range(6))


def test_a_numbering_that_changes_is_refused(tmp_path):
    """Rather than shifted silently."""
    (tmp_path / "a.svm").write_text("1 2:1\n0 1:1\n1 0:1\n")
    with pytest.raises(ValueError, match="numbered 0, but the first rows are numbered from 1"):
        list(read_parts(tmp_path / "a.svm", n_rows=1))


@pytest.mark.parametrize(
    ("name", "content", "match"),
    [
        ("a.xls", "x", "does not say what it is; give the format, one of csv"),
        ("a.jsonl", "{", "a.jsonl is not a valid jsonl file"),
        ("a.arrow", "x", "a.arrow is not a valid arrow file"),
        ("a.zip", "x", "a.zip|does not say"),
        ("a.csv.zip", "x", "cannot be decompressed"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path, name, content, match):
    """In one line."""
    (tmp_path / name).write_text(content)
    with pytest.raises(ValueError, match=match) as error:
        read_file(tmp_path / name)
    assert "\n" not in str(error.value)


def test_what_is_no_file_is_said(tmp_path):
    """Before its name is asked for the format."""
    for path, kind, match in (
        (tmp_path / "nofile", FileNotFoundError, "nofile does not exist; check the name"),
        (tmp_path, IsADirectoryError, "is a folder; give a file"),
        (Path(os.devnull), OSError, "is a pipe or a device"),
    ):
        with pytest.raises(kind, match=match):
            read_file(path)


class TestDecimalCommas:
    """Numbers are numbers, whichever sign stands before their fraction."""

    ROWS = pandas.DataFrame({"n": [1.5, None, -3.0, 4e-7], "k": [1, 2, 3, 4], "s": list("abca")})

    @pytest.mark.parametrize("separator", [";", "\t", "|", ","])
    def test_they_are_read_as_points_are(self, tmp_path, separator):
        """At once and in parts, in quotes where commas separate values as well."""
        self.ROWS.to_csv(tmp_path / "a.csv", sep=separator, decimal=",", index=False)
        assert b"-3,0" in (tmp_path / "a.csv").read_bytes()
        pandas.testing.assert_frame_equal(read_file(tmp_path / "a.csv"), self.ROWS)
        parts = pandas.concat(read_parts(tmp_path / "a.csv", n_rows=1), ignore_index=True)
        pandas.testing.assert_frame_equal(parts, self.ROWS)

    def test_some_may_have_no_fraction(self, tmp_path):
        """As spreadsheets write them."""
        (tmp_path / "a.csv").write_text("n;s\n3;a\n3,5;b\n;c\n")
        assert read_file(tmp_path / "a.csv")["n"].tolist()[:2] == [3.0, 3.5]

    @pytest.mark.parametrize(
        ("separator", "values"),
        [
            (";", ["1,2", "1,2,3", "4"]),
            (";", ["1,5", "1.5", "2"]),
            (";", ["1,5", "unknown", "2"]),
            (";", [",", "1,", "2"]),
            (";", [True, None, False]),
            (",", ["1,234", "999", "12,345"]),
            ("\t", ["1,234", "999", "12,345"]),
        ],
        ids=["lists", "both", "words", "commas", "booleans", "thousands", "thousands and tabs"],
    )
    def test_other_texts_stay_texts(self, tmp_path, separator, values):
        """Lists of numbers, and commas that may separate thousands."""
        rows = pandas.DataFrame({"s": values, "n": [1, 2, 3]})
        rows.to_csv(tmp_path / "a.csv", sep=separator, index=False)
        assert read_file(tmp_path / "a.csv")["s"].replace({np.nan: None}).tolist() == values

    @pytest.mark.parametrize(
        ("values", "odd", "sign"),
        [
            (["1,5", "2", "unknown"], "'unknown'", "comma"),
            (["1,5", "2", "1.234"], "1.234", "comma"),
            (["2", "1.5", "3,25"], "'3,25'", "point"),
            (["1,2", "3", "1,2,3"], "'1,2,3'", "comma"),
        ],
    )
    def test_what_a_part_has_told_holds_for_all(self, tmp_path, values, odd, sign):
        """Parts that were read one as numbers and one as texts would not be the same column."""
        (tmp_path / "a.csv").write_text("\n".join(["n;k", *(f"{value};1" for value in values)]))
        said = f"the column 'n' holds {odd} after numbers with a decimal {sign}; write all of them"
        with pytest.raises(ValueError, match=re.escape(said)):
            list(read_parts(tmp_path / "a.csv", n_rows=1))

    def test_commas_are_no_thousands_once_they_were_decimal(self, tmp_path):
        """Nor are whole numbers other ones."""
        (tmp_path / "a.csv").write_text('n,k\n2,1\n"1,5",1\n"1,234",1\n,1\n7,1\n')
        parts = pandas.concat(read_parts(tmp_path / "a.csv", n_rows=1), ignore_index=True)
        pandas.testing.assert_frame_equal(parts, read_file(tmp_path / "a.csv"))

    def test_columns_of_strings_stay_strings(self, tmp_path):
        """Such as labels with a comma between them."""
        (tmp_path / "a.csv").write_text("n;s\n1,5;1,2\n2,5;3\n")
        rows = read_file(tmp_path / "a.csv", strings=["s"])
        assert rows["n"].tolist() == [1.5, 2.5]
        assert rows["s"].tolist() == ["1,2", "3"]
