"""The data sets: their shapes, and where their files are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

LIBSVM = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets"


@dataclass(frozen=True)
class RemoteFile:
    """A file at its public home.

    Parameters
    ----------
    url : str
        Its address.
    size : int or None, default=None
        Its size in bytes; None if it is not known.
    sha256 : str or None, default=None
        Its checksum; None if it is not known.
    """

    url: str
    size: int | None = None
    sha256: str | None = None

    @property
    def name(self) -> str:
        """Name of the file."""
        return self.url.rpartition("/")[2]


@dataclass(frozen=True)
class DatasetSpec:
    """What is known about a data set before it is read.

    Parameters
    ----------
    n_train, n_test, n_features, n_labels : int
        Its shape; a binary problem has two labels.
    binary : bool, default=False
        Whether each row has one of two labels, or else any number of them.
    published : bool, default=False
        Whether these are the rows and features of the literature's table.
    files : mapping of str to RemoteFile, default={}
        Its public files, as "train" and "test", or as "all" where there is no official test set;
        none if the data are not offered in a form that can be read.
    excerpt : bool, default=False
        Whether the test file holds more rows than the ``n_test`` first that are used, and labels
        that no training row has, which are left out.
    note : str, default=""
        What else to know.
    """

    n_train: int
    n_test: int
    n_features: int
    n_labels: int
    binary: bool = False
    published: bool = False
    files: Mapping[str, RemoteFile] = field(default_factory=dict)
    excerpt: bool = False
    note: str = ""


def _libsvm(**names: str) -> dict[str, RemoteFile]:
    # The collection states neither sizes nor checksums, so none are written here.
    return {part: RemoteFile(f"{LIBSVM}/{name}") for part, name in names.items()}


REGISTRY: dict[str, DatasetSpec] = {
    "adult": DatasetSpec(
        32_561,
        16_281,
        123,
        2,
        binary=True,
        published=True,
        files=_libsvm(train="binary/a9a", test="binary/a9a.t"),
    ),
    "rcv1": DatasetSpec(
        23_149,
        10_000,
        47_236,
        101,
        published=True,
        files=_libsvm(
            train="multilabel/rcv1_topics_train.svm.bz2",
            test="multilabel/rcv1_topics_test_0.svm.bz2",
        ),
        excerpt=True,
        note="The literature does not say which 10,000 test rows it took; these are the first "
        "of the first test file.",
    ),
    "scene": DatasetSpec(
        1_211,
        1_196,
        294,
        6,
        published=True,
        files=_libsvm(train="multilabel/scene_train.bz2", test="multilabel/scene_test.bz2"),
    ),
    "siam": DatasetSpec(
        21_519,
        7_077,
        30_438,
        22,
        published=True,
        files=_libsvm(
            train="multilabel/tmc2007_train.svm.bz2", test="multilabel/tmc2007_test.svm.bz2"
        ),
    ),
    "yeast": DatasetSpec(
        1_500,
        917,
        103,
        14,
        published=True,
        files=_libsvm(train="multilabel/yeast_train.svm.bz2", test="multilabel/yeast_test.svm.bz2"),
    ),
    "siam500": DatasetSpec(
        21_519,
        7_077,
        500,
        22,
        note="The rows and labels of siam with 500 selected words in place of 30,438, not "
        "comparable with published results.",
    ),
    "rcv1sub": DatasetSpec(
        14_401,
        10_000,
        47_236,
        101,
        note="Five public subsets of RCV1-v2 in place of its official training rows, not "
        "comparable with published results.",
    ),
    "enron": DatasetSpec(1_123, 579, 1_001, 53, note="Not in the literature's table."),
    "bibtex": DatasetSpec(
        4_880,
        2_515,
        1_836,
        159,
        files=_libsvm(all="multilabel/bibtex.bz2"),
        note="Not in the literature's table.",
    ),
}


def get_spec(name: str) -> DatasetSpec:
    """Return what is known about a data set."""
    try:
        return REGISTRY[name]
    except KeyError:
        raise ValueError(f"{name!r} is no known data set; use one of {sorted(REGISTRY)}.") from None
