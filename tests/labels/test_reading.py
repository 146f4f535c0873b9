"""y as people have it is read into classes or 0/1; scikit-learn's binarizer is the peer."""

from importlib import import_module
from importlib.util import find_spec

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.preprocessing import MultiLabelBinarizer

from pseudolinear import FBeta
from pseudolinear.labels import LabelForm, LabelSets, match_labels, read_labels

WORDS = [["sport", "news"], [], ["art"], ["news", "art", "sport"], ["news"]]
NUMBERS = [[3, 1], [], [7], [1, 7, 3], [1]]
MATRIX = np.array([[0, 1, 1], [0, 0, 0], [1, 0, 0], [1, 1, 1], [0, 1, 0]])


# Where the lowest versions are tried there is no polars.
LIBRARIES = [import_module(name) for name in ("pandas", "polars") if find_spec(name)]


def objects(rows):
    return np.fromiter(rows, dtype=object, count=len(rows))


@pytest.mark.parametrize("rows", [WORDS, NUMBERS], ids=["words", "numbers"])
@pytest.mark.parametrize("row", [list, tuple, set, frozenset, np.array], ids=lambda t: t.__name__)
@pytest.mark.parametrize("outer", [list, tuple, objects], ids=lambda t: t.__name__)
def test_collections_are_read_as_scikit_learn_binarizes_them(rows, row, outer):
    """Whatever the collections, and whatever they are held in."""
    binarizer = MultiLabelBinarizer()
    matrix, form = read_labels(outer([row(labels) for labels in rows]))
    assert_array_equal(matrix, binarizer.fit_transform(rows))
    assert_array_equal(form.names, binarizer.classes_)


@pytest.mark.parametrize("rows", [WORDS, NUMBERS], ids=["words", "numbers"])
@pytest.mark.parametrize("row", [list, tuple, set, frozenset])
@pytest.mark.parametrize("outer", [list, objects], ids=lambda t: t.__name__)
def test_decoding_is_the_inverse_of_reading(rows, row, outer):
    """Collections come back as they came, lists in the order of the names."""
    given = outer([row(sorted(labels)) for labels in rows])
    matrix, form = read_labels(given)
    found = form.decode(matrix, None)
    assert type(found) is type(given)
    assert list(found) == list(given)
    assert [type(label) for labels in found for label in labels] == [type(rows[0][0])] * 7


@pytest.mark.parametrize("row", [list, set])
def test_columns_of_collections(row):
    """A column of pandas or polars, alone or in a frame, comes back as a column."""
    rows = [row(sorted(labels)) for labels in WORDS]
    for library in LIBRARIES:
        column = library.DataFrame({"tags": objects(rows) if row is set else rows})["tags"]
        for given in (column, library.DataFrame({"tags": column})):
            matrix, form = read_labels(given)
            assert_array_equal(matrix, MATRIX)
            found = form.decode(matrix, None)
            assert isinstance(found, library.Series)
            assert found.name == "tags"
            assert found.to_list() == rows
            assert found.dtype == column.dtype
            empty = form.decode(np.zeros_like(matrix), None)
            assert empty.dtype == column.dtype
            assert empty.to_list() == [row()] * 5


@pytest.mark.parametrize("dtype", [int, bool, float, np.int8])
def test_frames_of_labels(dtype):
    """Columns are labels, and come back: booleans as booleans, all else as 0 and 1."""
    names = ["zoo", "art", "news"]
    for library in LIBRARIES:
        given = library.DataFrame(dict(zip(names, MATRIX.T.astype(dtype), strict=True)))
        matrix, form = read_labels(given)
        assert_array_equal(matrix, MATRIX)
        assert form.names.tolist() == names
        found = form.decode(matrix, None)
        assert isinstance(found, library.DataFrame)
        assert list(found.columns) == names
        assert_array_equal(found.to_numpy(), MATRIX)
        assert (found.to_numpy().dtype == bool) == (dtype is bool)


def test_pandas_labels_keep_the_index_of_the_rows():
    """Frames and columns, also under names that are not strings; other rows have no index."""
    pd = LIBRARIES[0]
    rows = pd.DataFrame({"x": range(5)}, index=list("pqrst"))
    for columns in (
        ["a", "b", "c"],
        [5, 6, 7],
        pd.MultiIndex.from_tuples([(0, 1), (0, 2), (1, 1)]),
    ):
        given = pd.DataFrame(MATRIX, columns=columns, index=rows.index)
        pd.testing.assert_frame_equal(read_labels(given)[1].decode(MATRIX, rows), given)
    given = pd.Series([sorted(labels) for labels in WORDS], index=rows.index, name="tags")
    form = read_labels(given)[1]
    pd.testing.assert_series_equal(form.decode(MATRIX, rows), given)
    pd.testing.assert_series_equal(form.decode(MATRIX, rows["x"]), given)
    assert form.decode(MATRIX, rows.to_numpy()).index.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("make", [getattr(sparse, f"{f}_{k}") for f in ("csr", "csc", "coo", "lil")
                                  for k in ("matrix", "array")])  # fmt: skip
@pytest.mark.parametrize("dtype", [bool, np.int8, int, float])
def test_sparse_matrices(make, dtype):
    """All formats and types are read; what comes back is CSR, of the same generation."""
    given = make(MATRIX.astype(dtype))
    matrix, form = read_labels(given)
    assert_array_equal(matrix, MATRIX)
    found = form.decode(MATRIX, None)
    assert found.format == "csr"
    assert isinstance(found, sparse.sparray) == isinstance(given, sparse.sparray)
    assert_array_equal(found.toarray(), MATRIX)


@pytest.mark.parametrize("convert", [int, float, bool])
@pytest.mark.parametrize("row", [list, tuple, np.array])
def test_equally_long_rows_of_zero_and_one_are_a_matrix(convert, row):
    """As ever; sets, and lists beside sets, are labels that are called 0 and 1."""
    rows = [[1, 0], [0, 1], [1, 1]]
    matrix, form = read_labels([row(list(map(convert, r))) for r in rows])
    assert_array_equal(matrix, rows)
    assert type(form) is LabelForm
    matrix, form = read_labels([set(r) for r in rows])
    assert_array_equal(matrix, [[1, 1], [1, 1], [0, 1]])
    assert_array_equal(read_labels(rows, like=form)[0], matrix)


@pytest.mark.parametrize(
    "values", [["b", "a", "b"], [2, 0, 1], [True, False, True], [0.0, 1.0, 0.0]]
)
def test_classes_stay_classes(values):
    """One class per row, in a list, an array, a column or a frame of one column."""
    columns = [library.DataFrame({"y": values})["y"] for library in LIBRARIES]
    single = [library.DataFrame({"y": values}) for library in LIBRARIES]
    others = [columns[0].convert_dtypes(), columns[0].astype("category")]
    for y in (values, np.array(values), *columns, *single, *others):
        read, form = read_labels(y)
        assert read.tolist() == values
        assert type(form) is LabelForm


@pytest.mark.parametrize("values", [[2, 0, 1], [True, False, True], [0.0, 1.0], [[1, 0], [0, 1]]])
def test_numbers_among_objects_are_numbers(values):
    """As columns are that had gaps or other types before; scikit-learn knows no such classes."""
    y = np.array(values, dtype=object)
    columns = [import_module("pandas").Series(y)] if find_spec("pandas") and y.ndim == 1 else []
    for given in (y, *columns):
        read, _ = read_labels(given)
        assert read.tolist() == values
        assert read.dtype == np.array(values).dtype


class Unhashable:
    __hash__ = None


def spoilt(row):
    return [*WORDS, row]


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (spoilt("news"), r"Row 5 of y is the string 'news' where .* write \['news'\]"),
        (spoilt(None), "Row 5 of y is None, not a list or set of labels; give every row one"),
        (spoilt(np.nan), "Row 5 of y is nan, not a list or set"),
        (spoilt({"news": 1}), "Row 5 of y is {'news': 1}, not a list or set"),
        (spoilt([["news"]]), r"Row 5 of y has \['news'\] among its labels; .* a flat list"),
        (spoilt([("news", "art")]), "Row 5 of y has .* a flat list"),
        (spoilt([{}]), "Row 5 of y has {} among its labels; give each row a flat list"),
        (spoilt([Unhashable()]), "Row 5 of y has a label of the type Unhashable, which cannot be"),
        (spoilt(["news", None]), "Row 5 of y has None among its labels; .* leave out what is miss"),
        (spoilt(["news", np.nan]), "Row 5 of y has nan among its labels"),
        ([[0.5, 0.25], [0.75, 0.0]], "Row 0 of y has 0.5 among its labels; labels are names or wh"),
        (spoilt([3]), "y has labels of the types int and str, which have no common order"),
    ],
)
def test_collections_that_cannot_be_read(y, message):
    """One sentence each, which names the row."""
    with pytest.raises(ValueError, match=message):
        read_labels(y)


def test_frames_that_cannot_be_read():
    """Other values than 0 and 1, missing ones, and equal names."""
    for library in LIBRARIES:
        with pytest.raises(ValueError, match=r"The column 'b' of y holds 2; .* 0 and 1 or bool"):
            read_labels(library.DataFrame({"a": [0, 1], "b": [2, 1]}))
        with pytest.raises(ValueError, match="The column 'b' of y holds 'x'"):
            read_labels(library.DataFrame({"a": [0, 1], "b": ["x", "y"]}))
        with pytest.raises(ValueError, match="The column 'a' of y has missing values; give 1 whe"):
            read_labels(library.DataFrame({"a": [0, None], "b": [0, 1]}))
        with pytest.raises(ValueError, match="y contains NaN or missing values"):
            read_labels(library.Series(["x", None]))
        with pytest.raises(ValueError, match="Row 1 of y is None"):
            read_labels(library.Series([["x"], None]))
    with pytest.raises(ValueError, match="y has two columns of the same name"):
        read_labels(LIBRARIES[0].DataFrame(MATRIX, columns=["a", "b", "a"]))


def test_lazy_frames_are_to_be_collected():
    """A label that is not computed cannot be read."""
    polars = pytest.importorskip("polars")
    with pytest.raises(ValueError, match="y is a lazy frame; collect it first"):
        read_labels(polars.LazyFrame({"a": [0, 1]}))


def test_labels_are_matched_by_name():
    """Columns of frames in any order, collections with labels that are not known, matrices."""
    form = read_labels(WORDS)[1]
    matched, unknown = match_labels([{"zoo", "art"}, {"sport"}], form, 3)
    assert_array_equal(matched, [[1, 0, 0, 1], [0, 0, 1, 0]])
    assert unknown == ["zoo"]
    assert_array_equal(match_labels(MATRIX, form, 3)[0], MATRIX)
    assert_array_equal(match_labels([{0, 2}, {1}], LabelForm(), 3)[0], [[1, 0, 1], [0, 1, 0]])
    for library in LIBRARIES:
        columns = {"sport": [0, 1], "art": [1, 0], "news": [0, 0]}
        matched, unknown = match_labels(library.DataFrame(columns), form, 3)
        assert_array_equal(matched, [[1, 0, 0], [0, 0, 1]])
        assert not unknown
        with pytest.raises(ValueError, match="y has the column 'zoo', which is not one of the 3 l"):
            match_labels(library.DataFrame({**columns, "zoo": [0, 1]}), form, 3)
        with pytest.raises(ValueError, match="y has no column for the label 'news'; add it"):
            match_labels(library.DataFrame({"sport": [0, 1], "art": [1, 0]}), form, 3)
        assert_array_equal(  # where labels have no names, there is only the order
            match_labels(library.DataFrame(columns), LabelForm(), 3)[0], [[0, 1, 0], [1, 0, 0]]
        )


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_measures_count_collections_as_the_matrix_of_all_labels(average):
    """A label of either side alone is counted: scikit-learn's way, binarized over both."""
    true, pred = WORDS, [{"sport"}, {"zoo"}, {"art"}, {"art", "news"}, set()]
    binarizer = MultiLabelBinarizer().fit([*true, *pred])
    measure = FBeta(average=average)
    expected = measure.score(binarizer.transform(true), binarizer.transform(pred))
    assert measure.score(true, pred) == pytest.approx(expected)
    assert measure.score(pred, true) == pytest.approx(expected)  # F1 is symmetric
    assert isinstance(read_labels(pred)[1], LabelSets)
