"""Readers of svmlight, ARFF, CSV and Parquet files."""

import bz2
import gzip
import lzma
import sys
from contextlib import suppress
from io import BytesIO, StringIO

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse
from scipy.io import arff
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from pseudolinear.datasets import read_rows
from pseudolinear.datasets._arff import parse_arff

SUFFIXES = {"": bytes, ".xz": lzma.compress, ".bz2": bz2.compress, ".gz": gzip.compress}

DENSE = """\
% a comment
@relation 'small: set'
@ATTRIBUTE first numeric
@attribute 'second one' REAL
@attribute third {no, yes}
@attribute red {0,1}
@attribute 'dark blue' {0,1}

@data
0.5, 2, yes, 1, 0
0, ?, no, 0, 1
-1e-3,0,yes,1,1
"""
SPARSE = """\
@relation small
@attribute first numeric
@attribute 'second one' real
@attribute third {no, yes}
@attribute red {0,1}
@attribute 'dark blue' {0,1}
@data
{0 0.5, 1 2,2 yes, 3 1}
{1 ?,4 1}
{2 yes, 0 -1e-3,3 1, 4 1}
"""
XML = """<?xml version="1.0"?>
<labels xmlns="http://mulan.sourceforge.net/labels">
<label name="red"><label name="dark blue"></label></label>
</labels>"""
FEATURES = np.array([[0.5, 2, 1], [0, np.nan, 0], [-1e-3, 0, 1]])
LABELS = np.array([[1, 0], [0, 1], [1, 1]])


def dense(X):
    return X.toarray() if sparse.issparse(X) else X


@pytest.fixture
def sample():
    rng = np.random.default_rng(0)
    X = rng.random((20, 7)) * (rng.random((20, 7)) < 0.3)
    X[0, 6] = 1.0
    return sparse.csr_matrix(X), (rng.random((20, 4)) < 0.4).astype(int)


@pytest.mark.parametrize("suffix", [*SUFFIXES, ".GZ"])
def test_svmlight_is_read_back(sample, tmp_path, suffix):
    """What scikit-learn writes is read, with several labels per row, compressed or not."""
    X, Y = sample
    assert (Y.sum(axis=1) == 0).any()
    text = BytesIO()
    dump_svmlight_file(X, Y, text, zero_based=False, multilabel=True)
    path = tmp_path / f"small.svm{suffix}"
    path.write_bytes(SUFFIXES[suffix.lower()](text.getvalue()))
    X_read, Y_read = read_rows(path)
    np.testing.assert_allclose(X_read.toarray(), X.toarray(), rtol=1e-12)
    assert_array_equal(Y_read, Y)
    assert X_read.indices.dtype == np.int32


def test_single_labels_stay_as_they_are(sample, tmp_path):
    """One label per row gives a vector, as scikit-learn's own reader does."""
    path = tmp_path / "a9a.t"
    y = np.where(sample[1][:, 0], 1, -1)
    dump_svmlight_file(sample[0], y, str(path), zero_based=False)
    assert_array_equal(read_rows(path)[1], load_svmlight_file(str(path))[1])
    assert_array_equal(read_rows(path)[1], y)


def test_number_of_labels_and_features_can_be_given(tmp_path):
    """A part that lacks the last ones still fits the whole."""
    path = tmp_path / "part"
    path.write_text("0 1:1\n1 3:1\n")
    X, Y = read_rows(path, labels=4, n_features=9)
    assert X.shape == (2, 9)
    assert_array_equal(Y, np.eye(2, 4))


@pytest.mark.parametrize("text", [DENSE, SPARSE], ids=["dense", "sparse"])
@pytest.mark.parametrize("name", ["small.arff", "small-train.arff", "small.arff.gz"])
def test_arff_with_labels_named_beside_it(tmp_path, text, name):
    """Dense and sparse files say the same."""
    (tmp_path / "small.xml").write_text(XML)
    content = gzip.compress(text.encode()) if name.endswith("gz") else text.encode()
    (tmp_path / name).write_bytes(content)
    X, Y = read_rows(tmp_path / name)
    assert_array_equal(dense(X), FEATURES)
    assert_array_equal(Y, LABELS)
    assert sparse.issparse(X) == (text == SPARSE)
    if sparse.issparse(X):
        assert all((np.diff(row.indices) > 0).all() for row in X)
        assert X.data.all()


def test_arff_with_labels_at_the_end_or_by_name(tmp_path):
    """Without an XML file the labels are chosen by the caller."""
    path = tmp_path / "small.arff"
    path.write_text(SPARSE)
    assert_array_equal(read_rows(path, labels=2)[1], LABELS)
    assert_array_equal(read_rows(path, labels=["dark blue", "red"])[1], LABELS[:, ::-1])
    assert_array_equal(read_rows(path, labels="red")[1], LABELS[:, 0])
    X, y = read_rows(path)
    assert_array_equal(y, LABELS[:, 1])
    assert_array_equal(X.toarray(), np.column_stack([FEATURES, LABELS[:, 0]]))


QUOTED = {
    "double": ('{"x, y",z}', '"x, y"', "z"),
    "single": ("{'x, y',z}", "'x, y'", "'z'"),
    "only in the rows": ("{xy,z}", '"xy"', "'z'"),
    "only in the header": ("{'xy',\"z\"}", "xy", "z"),
    "escaped": (r"{'it\'s, so','\"z\"'}", r"'it\'s, so'", r'"\"z\""'),
    "an apostrophe": ("{don't,z}", "don't", "z"),
}


@pytest.mark.parametrize("is_sparse", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize(("declared", "first", "second"), QUOTED.values(), ids=QUOTED)
def test_arff_values_in_quotes(declared, first, second, is_sparse):
    """Either quote, anywhere, with commas and escaped quotes inside."""
    rows = (
        f"{{0 3, 1 {first}}}\n{{ 1 {second} ,0 '4'}}" if is_sparse else f"3,{first}\n'4', {second}"
    )
    text = f"@relation r\n@attribute n numeric\n@attribute v {declared}\n@data\n{rows}\n"
    attributes, table = parse_arff(text)
    assert len(attributes[1].values) == 2
    assert_array_equal(dense(table), [[3, 0], [4, 1]])


def test_arff_of_other_programs(tmp_path):
    """A byte order mark, Windows line ends, empty lines, and no space before the values."""
    path = tmp_path / "a.arff"
    lines = [
        "\ufeff@relation r",
        "@attribute x real",
        "@attribute y{0,1}",
        "@data",
        "1,0",
        "",
        "2,1",
    ]
    path.write_bytes("\r\n".join(lines).encode())
    X, y = read_rows(path)
    assert_array_equal(X, [[1], [2]])
    assert_array_equal(y, [0, 1])


@pytest.mark.parametrize("declared", ["{TRUE,FALSE}", "{False, True}"])
def test_arff_truth_is_one(tmp_path, declared):
    """Whichever of the two is declared first."""
    path = tmp_path / "a.arff"
    true = "TRUE" if "TRUE" in declared else "True"
    false = "FALSE" if "TRUE" in declared else "False"
    head = f"@attribute x real\n@attribute a {declared}\n@attribute b {declared}\n@data\n"
    path.write_text(f"{head}1,{true},{false}\n2,{false},{false}\n")
    assert_array_equal(read_rows(path, labels=2)[1], [[1, 0], [0, 0]])


@pytest.mark.parametrize("name", ["set-500.arff", "set-train-sparse.arff", "set.arff"])
def test_labels_come_in_the_order_of_the_xml_file(tmp_path, name):
    """It stands beside all files of the set, whatever follows the dash of their names."""
    (tmp_path / "set.xml").write_text('<labels><label name="b"/><label name="a"/></labels>')
    head = "@attribute a {0,1}\n@attribute x real\n@attribute b {0,1}\n@data\n"
    (tmp_path / name).write_text(head + "0,7,1\n0,8,0\n")
    X, Y = read_rows(tmp_path / name)
    assert_array_equal(X, [[7], [8]])
    assert_array_equal(Y, [[1, 0], [0, 0]])


def test_two_columns_of_one_name(tmp_path):
    """Which of them is the label cannot be told."""
    path = tmp_path / "a.arff"
    path.write_text("@attribute x real\n@attribute x {0,1}\n@data\n5,1\n")
    with pytest.raises(ValueError, match="has 2 columns 'x'"):
        read_rows(path, labels=["x"])


def test_dense_arff_agrees_with_scipy():
    """The same numbers and nominal values as scipy's reader of dense files."""
    records, meta = arff.loadarff(StringIO(DENSE))
    attributes, table = parse_arff(DENSE)
    assert [a.name for a in attributes] == meta.names()
    for k, attribute in enumerate(attributes):
        column = records[attribute.name]
        if attribute.values:
            column = [attribute.codes[value.decode()] for value in column]
        assert_array_equal(table[:, k], column)


@pytest.mark.parametrize("kind", ["csv", "csv.xz", "parquet"])
def test_tables(tmp_path, kind):
    """One label by default, several by number or name."""
    frame = pd.DataFrame(
        {"size": [1.5, np.nan, 3.0], "big": [True, False, True], "a": [1, 0, 1], "b": [0, 0, 1]}
    )
    path = tmp_path / f"small.{kind}"
    if kind == "parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index=False)
    X, y = read_rows(path)
    assert X.dtype == float
    assert_array_equal(X, frame[["size", "big", "a"]].to_numpy(float))
    assert_array_equal(y, frame["b"])
    X, Y = read_rows(path, labels=2)
    assert_array_equal(X, frame[["size", "big"]].to_numpy(float))
    assert_array_equal(Y, frame[["a", "b"]])
    assert_array_equal(read_rows(path, labels=["b", "a"])[1], frame[["b", "a"]])
    assert_array_equal(read_rows(path, labels="a")[1], frame["a"])


def test_labels_of_a_table_may_be_text(tmp_path):
    """A single column of labels stays as it is."""
    path = tmp_path / "mail.csv"
    path.write_text("length,kind\n10,spam\n20,ham\n")
    assert read_rows(path)[1].tolist() == ["spam", "ham"]


@pytest.mark.parametrize(
    ("name", "content", "match"),
    [
        ("a.svm", "", r"a\.svm is empty"),
        ("a.csv", " \n", r"a\.csv is empty"),
        ("a.svm", "# nothing\n", "has no rows"),
        ("a.svm", "1 1:x\n", "not a valid svmlight file"),
        ("a.svm", "spam 1:1\n", "not a valid svmlight file"),
        ("a.svm", "1 3:1 2:1\n", "not a valid svmlight file: Feature indices"),
        ("a.svm", "nan 1:1\n", "NaN or infinite"),
        ("a.svm", "-1,2 1:1\n", "whole numbers from 0 to 2"),
        ("a.svm", "0.5,2 1:1\n", "whole numbers from 0 to 2"),
        ("a.svm", "1:1\n", "has no labels"),
        ("a.svm", "1,1e18 1:1\n", "label 1e\\+18, .* renumber"),
        ("a.svm", "1,1e300 1:1\n", "label 1e\\+300, .* renumber"),
        ("a.svm.xz", "not compressed", "cannot be decompressed"),
        ("a.svm.bz2", "not compressed", "cannot be decompressed"),
        ("a.svm.gz", "not compressed", "cannot be decompressed"),
        ("a.arff", "@relation a\n", "it has no line @data"),
        ("a.arff", "@relation a\n@attribute x real\n@data\n", "it has no rows"),
        ("a.arff", "@relation a\nx real\n@data\n", "line 2 is neither"),
        ("a.arff", "@attribute x string\n@data\na\n", "neither number nor nominal"),
        ("a.arff", "@attribute x real\n@data\n1,2\n", "line 3 does not fit the 1 attributes"),
        ("a.arff", "@attribute x {a,b}\n@data\nc\n", "line 3 does not fit"),
        ("a.arff", "@attribute x real\n@data\n{1 1}\n", "line 3 does not fit"),
        ("a.arff", "@attribute x real\n@data\n{-1 1}\n", "line 3 does not fit"),
        ("a.arff", "@attribute x real\n@data\n{0 1, 0 1}\n", "line 3 does not fit"),
        ("a.arff", "@attribute x real\n@data\n{0 1\n", "line 3 does not fit"),
        ("a.arff", "@attribute x real\n@data\n{0 1}, {5}\n", "line 3 does not fit"),
        ("a.arff", "@attribute x {'a,b}\n@data\n'a,b\n", "line 3 does not fit"),
        ("a.arff", "@attribute x real\n@attribute y {TRUE,FALSE}\n@data\n{0 1}\n", "'y' is not 0"),
        ("a.arff", "@attribute x {1,0}\n@data\n{0 1}\n", "'x' is not 0 in a sparse file"),
        ("a.arff", "@attribute x real\n@data\n1\n", "0 columns of features and 1 of labels"),
        (
            "a.arff",
            "@attribute x {a,b,c}\n@attribute y {0,1}\n@data\na,1\n",
            "'x' of .* more than two values",
        ),
        ("a.arff", "@attribute x real\n@attribute y {0,1}\n@data\n1,?\n", "label .* is missing"),
        ("a.csv", "y\n1\n0\n", "0 columns of features and 1 of labels"),
        ("a.csv", "x,y\n", "has no rows"),
        ("a.csv", ",x,y\n0,1,0\n1,5,1\n", "has a column without a name"),
        ("a.csv", "x,y\n1,2\n1,2,3\n", "not a valid csv file"),
        ("a.csv", "x,y\nred,2\n", "the feature 'x' of .* is not a number"),
        ("a.csv", "x,y\n1,\n2,1\n", "label .* is missing"),
        ("a.parquet", "PAR", "not a valid parquet file"),
    ],
)
def test_malformed_files_are_named_in_one_sentence(tmp_path, name, content, match):
    """The file, what is wrong with it, and one line only."""
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(ValueError, match=match) as error:
        read_rows(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["a.arff", "a.csv"])
def test_other_encodings_are_named(tmp_path, name):
    """The sentence says which encoding is meant."""
    path = tmp_path / name
    path.write_bytes("caf\u00e9,y\n1,0\n".encode("latin-1"))
    with pytest.raises(ValueError, match="it is not text in UTF-8"):
        read_rows(path)


@pytest.mark.parametrize("suffix", [".xz", ".bz2", ".gz"])
def test_cut_files_are_refused(tmp_path, suffix):
    """A compressed file that lacks its end gives no rows at all."""
    content = SUFFIXES[suffix](b"1 1:0.25 2:3\n" * 1000)
    path = tmp_path / f"cut.svm{suffix}"
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(ValueError, match="cannot be decompressed"):
        read_rows(path)


def test_missing_files_and_folders(tmp_path):
    """Neither is read."""
    with pytest.raises(FileNotFoundError, match="does not exist; check the name"):
        read_rows(tmp_path / "nowhere.svm")
    with pytest.raises(IsADirectoryError, match="is a folder; give a file"):
        read_rows(tmp_path)


@pytest.mark.parametrize(
    ("labels", "match"),
    [
        (3, "0 columns of features and 3 of labels"),
        (9, "0 columns of features and 3 of labels"),
        (0, "3 columns of features and 0 of labels"),
        (["z"], "no columns 'z'"),
        (2, "must hold only 0 and 1"),
    ],
)
def test_labels_that_do_not_fit(tmp_path, labels, match):
    """They are refused with the reason."""
    path = tmp_path / "a.csv"
    path.write_text("x,y,w\n1,7,0\n")
    with pytest.raises(ValueError, match=match):
        read_rows(path, labels=labels)


def test_arguments_of_another_format(tmp_path):
    """Names are for tables, numbers of features for svmlight."""
    svm, csv = tmp_path / "a.svm", tmp_path / "a.csv"
    svm.write_text("1 5:1\n")
    csv.write_text("x,y\n1,0\n")
    with pytest.raises(TypeError, match="have no names; give their number"):
        read_rows(svm, labels=["spam"])
    with pytest.raises(ValueError, match="n_features is for svmlight files"):
        read_rows(csv, n_features=2)
    with pytest.raises(ValueError, match="n_features"):
        read_rows(svm, n_features=2)
    with pytest.raises(ValueError, match="labels must be at least 1, got 0"):
        read_rows(svm, labels=0)


def test_broken_label_file(tmp_path):
    """The XML file is named, not the ARFF file."""
    (tmp_path / "a.arff").write_text(DENSE)
    (tmp_path / "a.xml").write_text("<labels>")
    with pytest.raises(ValueError, match=r"a\.xml is not a valid XML file"):
        read_rows(tmp_path / "a.arff")
    (tmp_path / "a.xml").write_text("<labels/>")
    with pytest.raises(ValueError, match=r"a\.xml names no label"):
        read_rows(tmp_path / "a.arff")


@pytest.mark.parametrize(("kind", "missing"), [("csv", "pandas"), ("parquet", "pyarrow")])
def test_missing_packages_are_named(tmp_path, monkeypatch, kind, missing):
    """The error says what to install."""
    path = tmp_path / f"a.{kind}"
    frame = pd.DataFrame({"x": [1.0], "y": [0]})
    frame.to_parquet(path) if kind == "parquet" else frame.to_csv(path)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match="pip install pandas pyarrow"):
        read_rows(path)


@given(content=st.binary(max_size=60), name=st.sampled_from(["a.svm", "a.arff", "a.csv", "a.gz"]))
def test_any_bytes_give_rows_or_a_clear_error(tmp_path_factory, content, name):
    """Garbage never ends in another kind of error."""
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(content)
    with suppress(ValueError):
        X, Y = read_rows(path)
        assert X.shape[0] == len(Y)
