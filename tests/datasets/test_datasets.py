"""The data sets of the literature, and their attributes."""

import gzip
import os
import sys

import numpy as np
import pytest
from data import read
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from pseudolinear.datasets import Dataset, attributes_table, data_folder, describe, load_dataset
from pseudolinear.datasets._attributes import PUBLISHED
from pseudolinear.datasets._registry import REGISTRY, DatasetSpec, RemoteFile

AT_HAND = ["adult", "scene", "yeast", "siam500", "enron", "bibtex"]


def rows_of(dataset):
    return {row["attribute"]: row for row in describe(dataset)}


@pytest.fixture
def small(tmp_path, monkeypatch):
    """Three labels, 6 + 2 rows, two features, with more in the test file."""
    folder = tmp_path / "small"
    folder.mkdir()
    lines = ["0 1:1", "0,2 2:1", "2 1:2 2:2", " 1:3", "0 1:4", "5 2:5"]
    (folder / "train.svm").write_text("\n".join(lines) + "\n")
    (folder / "test.svm").write_text("5,7 1:1\n0 2:9\n")
    spec = DatasetSpec(6, 2, 2, 3, excerpt=True)
    monkeypatch.setitem(REGISTRY, "small", spec)
    return tmp_path, spec


def test_columns_are_the_labels_of_the_training_rows(small):
    """Numbers of labels may have holes; a test label without training rows is left out."""
    dataset = load_dataset("small", small[0])
    assert_array_equal(dataset.Y_train.T, [[1, 1, 0, 0, 1, 0], [0, 1, 1, 0, 0, 0], [0] * 5 + [1]])
    assert_array_equal(dataset.Y_test, [[0, 0, 1], [1, 0, 0]])
    assert dataset.split == "the test set that comes with the data"
    assert not dataset.published


def test_only_the_first_test_rows_are_read(small):
    """Where the test file holds more of them."""
    (small[0] / "small" / "test.svm").write_text("5 1:1\n0 2:9\n2 1:1\n")
    assert load_dataset("small", small[0]).Y_test.shape == (2, 3)


@pytest.fixture
def news(tmp_path, monkeypatch):
    """Rows that start with the number of a document, whose topics are in a file of their own."""
    files = {
        "train": RemoteFile("https://home/1", "vectors_train.dat.gz"),
        "test": RemoteFile("https://home/2", "vectors_test.dat.gz"),
        "topics": RemoteFile("https://home/3", "topics.qrels.gz"),
    }
    monkeypatch.setitem(REGISTRY, "news", DatasetSpec(3, 2, 2, 2, files=files, excerpt=True))
    contents = {
        "vectors_train.dat.gz": "2286  1:0.5 2:1\n2287  2:2\n2289  1:3\n",
        "vectors_test.dat.gz": "2290  1:4\n2291  1:5\n2292  1:6\n",
        "topics.qrels.gz": "MCAT 2286 1\nC15 2286 1\nC15 2287 1\nMCAT 2289 1\nGCAT 2290 1\n"
        "MCAT 2290 1\nC15 2291 1\n",
    }
    for name, content in contents.items():
        path = tmp_path / "news" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress(content.encode()))
    return tmp_path


def test_topics_in_a_file_of_their_own(news):
    """In the order of their codes; GCAT has no training row."""
    dataset = load_dataset("news", news)
    assert_array_equal(dataset.X_train, [[0.5, 1], [0, 2], [3, 0]])
    assert_array_equal(dataset.Y_train, [[1, 1], [1, 0], [0, 1]])
    assert_array_equal(dataset.Y_test, [[0, 1], [1, 0]])


@pytest.mark.parametrize(
    ("content", "match"),
    [
        ("C15 2286 1\n", r"topics\.qrels\.gz has no topic of document 2287; get"),
        ("C15 2286\n", r"topics\.qrels\.gz is not a valid list of topics"),
        ("C15 first 1\n", r"topics\.qrels\.gz is not a valid list of topics"),
    ],
)
def test_topics_that_do_not_fit(news, content, match):
    """The file is named."""
    (news / "news" / "topics.qrels.gz").write_bytes(gzip.compress(content.encode()))
    with pytest.raises(ValueError, match=match):
        load_dataset("news", news)


def test_a_missing_file_of_several(news):
    """All are named, with their addresses."""
    (news / "news" / "topics.qrels.gz").unlink()
    with pytest.raises(FileNotFoundError, match=r"topics\.qrels\.gz \(from https://home/3\)"):
        load_dataset("news", news)


@pytest.mark.parametrize(
    "shape", [(5, 2, 2, 3), (6, 3, 2, 3), (6, 2, 3, 4)], ids=["training", "test", "labels"]
)
def test_files_of_another_shape_are_refused(small, monkeypatch, shape):
    """What was cut or mixed up does not pass as the data set."""
    monkeypatch.setitem(REGISTRY, "small", DatasetSpec(*shape, excerpt=True))
    with pytest.raises(ValueError, match=r"in place of .* get its files again"):
        load_dataset("small", small[0])


def test_too_many_features_are_refused(small, monkeypatch):
    """By the reader, which names the file."""
    monkeypatch.setitem(REGISTRY, "small", DatasetSpec(6, 2, 1, 3, excerpt=True))
    with pytest.raises(ValueError, match=r"train\.svm is not a valid svmlight file"):
        load_dataset("small", small[0])


@pytest.mark.parametrize("name", ["siam", "enron"])
def test_missing_data_are_explained_in_one_sentence(tmp_path, name):
    """The folder, and every way to get them."""
    with pytest.raises(FileNotFoundError, match="PSEUDOLINEAR_DATA") as error:
        load_dataset(name, tmp_path)
    text = str(error.value)
    assert str(tmp_path / name) in text
    assert text.count("\n") == 0
    assert ("download=True" in text) == (name == "siam")


def test_unknown_names_are_refused():
    """With the names there are."""
    with pytest.raises(ValueError, match=r"no known data set; use one of .*'yeast'"):
        load_dataset("Yeast")


def test_data_folder(monkeypatch, tmp_path):
    """An argument wins over the variable, the variable over the user's caches."""
    monkeypatch.setenv("PSEUDOLINEAR_DATA", str(tmp_path))
    assert data_folder("here").name == "here"
    assert data_folder() == tmp_path
    monkeypatch.setenv("PSEUDOLINEAR_DATA", "")
    for platform, variable in (("linux", "XDG_CACHE_HOME"), ("win32", "LOCALAPPDATA")):
        monkeypatch.setattr(sys, "platform", platform)
        monkeypatch.setenv(variable, str(tmp_path / platform))
        assert data_folder() == tmp_path / platform / "pseudolinear"
        monkeypatch.delenv(variable)
        assert data_folder().is_relative_to(os.path.expanduser("~"))
    monkeypatch.setattr(sys, "platform", "darwin")
    assert data_folder().parts[-3:] == ("Library", "Caches", "pseudolinear")


def test_describe_counts():
    """Against counts by hand; zeros that are stored are no non-zeros."""
    X = sparse.csr_matrix(np.array([[1.0, 2.0, 0.0], [0.0, 3.0, 0.0], [0, 0, 4], [0, 0, 5]]))
    X.data[0] = 0.0
    Y = np.array([[1, 0], [1, 1], [0, 0], [1, 0]])
    dataset = Dataset("own", X, Y, X[:1], Y[:1], split="by hand", published=False)
    assert [row["value"] for row in describe(dataset)] == [4, 1, 3, 2, 1.0, 0.5, 25.0, 75.0, 1.0]
    assert all(row["published"] is None and not row["differs"] for row in describe(dataset))
    binary = Dataset("own", X.toarray(), Y[:, 0], X[:1], Y[:1, 0], split="", published=False)
    assert [row["value"] for row in describe(binary)] == [4, 1, 3, 2, 1.0, 0.5, 25.0, 75.0, 1.0]


def test_a_data_set_prints_no_rows():
    """Its representation stays short."""
    X = np.zeros((1000, 3))
    assert len(repr(Dataset("own", X, X, X, X, split="by hand", published=False))) < 100


@pytest.mark.parametrize("name", ["adult", "scene"])
def test_published_attributes_hold(name):
    """The data have the printed numbers of rows, features, labels and label frequencies."""
    rows = rows_of(read(name))
    assert [a for a, row in rows.items() if row["published"] is not None] == list(PUBLISHED[name])
    assert not any(row["differs"] for row in rows.values())


def test_published_label_frequencies_of_yeast_are_wrong():
    """25.2 and 43.0 are the frequencies of labels 5 and 1; the extremes are 1.4 and 75.2."""
    dataset = read("yeast")
    rows = rows_of(dataset)
    wrong = [attribute for attribute, row in rows.items() if row["differs"]]
    assert wrong == ["label_freq_min_pct", "label_freq_max_pct"]
    assert_allclose([rows[attribute]["value"] for attribute in wrong], [1.4, 75.2], atol=0.05)
    assert all("misprint" in rows[attribute]["note"] for attribute in wrong)
    frequency = 100 * dataset.Y_train.mean(axis=0)
    assert_allclose(frequency[[5, 1]], [25.2, 43.0], atol=0.05)


def test_own_labels_of_siam_have_the_published_frequencies():
    """The sample with fewer words has the published labels, but not the published name."""
    dataset = read("siam500")
    rows = rows_of(dataset)
    for attribute in ("n_train", "n_test", "n_labels"):
        assert rows[attribute]["value"] == PUBLISHED["siam"][attribute]
    for attribute in ("label_freq_min_pct", "label_freq_max_pct"):
        assert_allclose(rows[attribute]["value"], PUBLISHED["siam"][attribute], atol=0.05)
    assert not dataset.published
    assert "not comparable" in dataset.note
    assert all(row["published"] is None for row in rows.values())


@pytest.mark.parametrize("name", AT_HAND)
def test_real_data_are_read(name):
    """0/1 labels, dense arrays for dense data only, the shape that is known."""
    dataset, spec = read(name), REGISTRY[name]
    assert sparse.issparse(dataset.X_train) == (name not in ("scene", "yeast"))
    assert type(dataset.X_test) is type(dataset.X_train)
    assert dataset.X_test.shape == (spec.n_test, spec.n_features)
    assert_array_equal(np.unique(dataset.Y_test), [0, 1])
    assert dataset.Y_train.shape == (spec.n_train,) + (() if spec.binary else (spec.n_labels,))
    assert dataset.published == (name in PUBLISHED)


def test_attributes_table_without_data(tmp_path):
    """The published numbers are there all the same."""
    table = attributes_table(data_dir=tmp_path)
    assert {row["dataset"] for row in table} == set(REGISTRY)
    assert all(row["value"] is None and not row["differs"] for row in table)
    published = {(row["dataset"], row["attribute"]): row["published"] for row in table}
    assert published["rcv1", "label_freq_min_pct"] == 0.008
    assert published["siam", "n_features"] == 30_438
    assert published["rcv1sub", "n_train"] is None


def test_attributes_table_with_data(small):
    """The rows of describe, one data set after the other."""
    assert attributes_table(["small"], small[0]) == describe(load_dataset("small", small[0]))
    with pytest.raises(ValueError, match="no known data set"):
        attributes_table(["Small"], small[0])


def test_published_table_agrees_with_the_registry():
    """Two sources of the same shapes."""
    for name, row in PUBLISHED.items():
        spec = REGISTRY[name]
        shape = (spec.n_train, spec.n_test, spec.n_features, spec.n_labels)
        assert shape == tuple(row.values())[:4]
        assert spec.published
    assert {name for name, spec in REGISTRY.items() if spec.published} == PUBLISHED.keys()
