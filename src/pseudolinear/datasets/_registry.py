"""The data sets: their shapes, and where their files are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

LIBSVM = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets"
FIGSHARE = "https://ndownloader.figshare.com/files"


@dataclass(frozen=True)
class RemoteFile:
    """A file at its public home.

    Parameters
    ----------
    url : str
        Its address.
    filename : str, default=""
        Its name, where the address does not end in it.
    size : int or None, default=None
        Its size in bytes; None if it is not known.
    sha256 : str or None, default=None
        Its checksum; None if it is not known.
    """

    url: str
    filename: str = ""
    size: int | None = None
    sha256: str | None = None

    @property
    def name(self) -> str:
        """Name of the file."""
        return self.filename or self.url.rpartition("/")[2]


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
        "topics" where the labels are in a file of their own; none if the data are not offered in
        a form that can be read.
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
    # The collection states neither sizes nor checksums, so none are written here, and none were
    # found elsewhere.
    return {part: RemoteFile(f"{LIBSVM}/{name}") for part, name in names.items()}


REGISTRY: dict[str, DatasetSpec] = {
    "adult": DatasetSpec(
        32_561,
        16_281,
        123,
        2,
        binary=True,
        published=True,
        # Public projects that download these files state the checksums, and they are those of the
        # rows at hand as the collection writes them, with a blank behind each: so are the sizes.
        files={
            "train": RemoteFile(
                f"{LIBSVM}/binary/a9a",
                size=2_329_875,
                sha256="f5d5ffd8d865ff41328e7ee043e4b020816914ff6843ff15b98905ddbedce906",
            ),
            "test": RemoteFile(
                f"{LIBSVM}/binary/a9a.t",
                size=1_164_628,
                sha256="1f448a153f0320399a7e40836eb207655b0bde0f21fc941cc472193daa9f5de9",
            ),
        },
    ),
    "rcv1": DatasetSpec(
        23_149,
        10_000,
        47_236,
        101,
        published=True,
        # The files of Lewis et al. (2004); checksums as in scikit-learn's fetch_rcv1.
        files={
            "train": RemoteFile(
                f"{FIGSHARE}/5976057",
                "lyrl2004_vectors_train.dat.gz",
                sha256="5468f656d0ba7a83afc7ad44841cf9a53048a5c083eedc005dcdb5cc768924ae",
            ),
            "test": RemoteFile(
                f"{FIGSHARE}/5976069",
                "lyrl2004_vectors_test_pt0.dat.gz",
                sha256="ed40f7e418d10484091b059703eeb95ae3199fe042891dcec4be6696b9968374",
            ),
            "topics": RemoteFile(
                f"{FIGSHARE}/5976048",
                "rcv1v2.topics.qrels.gz",
                sha256="2a98e5e5d8b770bded93afc8930d88299474317fe14181aee1466cc754d0d1c1",
            ),
        },
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
