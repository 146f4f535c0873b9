"""What the experiments are, as data: nothing here is computed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

OPTIONS = ("none", "T", "CS", "CS&T")
SELECTIONS = ("C_min", "F_max")


@dataclass(frozen=True)
class Source:
    """Where the rows of a data set come from.

    Parameters
    ----------
    name : str
        Name in the results.
    maker : {"folder", "galaxy", "multilabel"}, default="folder"
        Files of the data folder, or one of two generators.
    params : mapping, default={}
        Of a generator: the numbers of rows and the seed.
    published : str, default=None
        Name in the published tables; None where rows or features are others, so that no
        published value may stand beside the results.
    note : str, default=""
        What else a reader has to know.
    """

    name: str
    maker: str = "folder"
    params: Mapping[str, int] = field(default_factory=dict)
    published: str | None = None
    note: str = ""


@dataclass(frozen=True)
class LearnerSetting:
    """A learner with the hyper-parameters to try.

    Parameters
    ----------
    name : str
        Name in the results.
    learner : {"linear", "kernel", "svm_perf"}
        What is trained; see :func:`make_learner`.
    params : mapping
        Its fixed parameters.
    grid : mapping of str to tuple
        Its hyper-parameters, all combinations of which are tried in this order.
    levels : tuple of float
        Levels whose costs it is trained with; a single 1.0 where it takes no costs.
    options : tuple of str, default=("none", "T", "CS", "CS&T")
        The published options that it has.
    effort : float, default=1.0
        Time per problem and value of X against that of logistic regression; it only serves to
        foretell the time left.
    """

    name: str
    learner: str
    params: Mapping[str, Any]
    grid: Mapping[str, tuple[float, ...]]
    levels: tuple[float, ...]
    options: tuple[str, ...] = OPTIONS
    effort: float = 1.0

    @property
    def n_problems(self) -> int:
        """Number of trained problems per label and split."""
        n = len(self.levels)
        for values in self.grid.values():
            n *= len(values)
        return n


@dataclass(frozen=True)
class TableSetting:
    """One of the published tables.

    Parameters
    ----------
    name : str
        Name in the list of published cells.
    title : str
        Heading.
    measure : {"binary_F1", "macro_F1", "micro_F1"}
        What is reported.
    datasets, learners : tuple of str
        Its rows and columns, by name.
    """

    name: str
    title: str
    measure: str
    datasets: tuple[str, ...]
    learners: tuple[str, ...]

    @property
    def selections(self) -> tuple[str, ...]:
        """How classifiers are chosen: for a micro average in both ways."""
        return SELECTIONS if self.measure == "micro_F1" else ("n/a",)


@dataclass(frozen=True)
class Protocol:
    """A whole set of experiments.

    Parameters
    ----------
    name : str
        Its name.
    sources : tuple of Source
        Data sets.
    learners : tuple of LearnerSetting
        Learners.
    tables : tuple of TableSetting
        What is reported of them.
    levels : tuple of float
        Levels at which the selection of least cost looks.
    n_splits : int
        Number of random splits; split i has seed i.
    """

    name: str
    sources: tuple[Source, ...]
    learners: tuple[LearnerSetting, ...]
    tables: tuple[TableSetting, ...]
    levels: tuple[float, ...]
    n_splits: int

    def source(self, name: str) -> Source:
        """Return a data set by its name."""
        return next(source for source in self.sources if source.name == name)

    def learner(self, name: str) -> LearnerSetting:
        """Return a learner by its name."""
        return next(learner for learner in self.learners if learner.name == name)

    def only(self, datasets: Collection[str]) -> Protocol:
        """Return the part of the protocol that is about some data sets."""
        known = [source.name for source in self.sources]
        for name in datasets:
            if name not in known:
                raise ValueError(
                    f"{name!r} is no data set of the {self.name} protocol; it has "
                    f"{', '.join(known)}."
                )
        tables = (
            replace(t, datasets=tuple(d for d in t.datasets if d in datasets)) for t in self.tables
        )
        return replace(
            self,
            sources=tuple(source for source in self.sources if source.name in datasets),
            tables=tuple(table for table in tables if table.datasets),
        )


def _powers(low: int, high: int, step: int = 1) -> tuple[float, ...]:
    return tuple(2.0**i for i in range(low, high + 1, step))


def _learners(
    levels: tuple[float, ...], C: tuple[float, ...], gamma: tuple[float, ...]
) -> tuple[LearnerSetting, ...]:
    # The literature appends a constant feature of 100 for the intercept, but not with RBF.
    bias = {"intercept_scaling": 100.0}
    loose = {"tol": 1e-2}  # as the literature's solvers, which stop earlier still
    perf = {"solution": "last", **bias}  # as the original programme, which the literature ran
    return (
        LearnerSetting("SVMperf", "svm_perf", perf, {"C": C}, (1.0,), ("none", "T"), effort=10.0),
        LearnerSetting(
            "SVM", "linear", {"loss": "hinge", **bias, **loose}, {"C": C}, levels, effort=5.0
        ),
        LearnerSetting("LR", "linear", {"loss": "logistic", **bias}, {"C": C}, levels),
        LearnerSetting(
            "SVM-RBF",
            "kernel",
            loose,
            {"gamma": gamma, "C": C},
            levels,
            effort=5.0,
        ),
    )


def _tables(
    binary: tuple[str, ...], multilabel: tuple[str, ...], kernel: tuple[str, ...]
) -> tuple[TableSetting, ...]:
    linear, rbf = ("SVMperf", "SVM", "LR"), ("SVM-RBF",)
    return (
        TableSetting("tab_bin", "Binary F1", "binary_F1", binary, linear),
        TableSetting("tab_MF", "Macro F1", "macro_F1", multilabel, linear),
        TableSetting("tab_MF_kern", "Macro F1 with an RBF kernel", "macro_F1", kernel, rbf),
        TableSetting("tab_mF", "Micro F1", "micro_F1", multilabel, linear),
        TableSetting("tab_mF_kern", "Micro F1 with an RBF kernel", "micro_F1", kernel, rbf),
    )


_LEVELS = tuple(i / 10 for i in range(1, 20))

PUBLISHED = Protocol(
    "published",
    (
        Source("adult", published="Adult"),
        Source(
            "galaxy",
            "galaxy",
            {"n_train": 18_000, "n_test": 7_000, "seed": 0},
            published="Galaxy",
            note="The literature gives no positions of the clusters; these were fitted to its "
            "figures, so agreement is no replication.",
        ),
        Source("scene", published="Scene"),
        Source("yeast", published="Yeast"),
        Source(
            "siam500", note="500 selected words in place of the 30,438 of Siam; not comparable."
        ),
        Source("rcv1sub", note="Other rows of RCV1-v2 than the published ones; not comparable."),
    ),
    _learners(_LEVELS, _powers(-6, 6), _powers(-6, 6)),
    _tables(("adult", "galaxy"), ("rcv1sub", "scene", "siam500", "yeast"), ("scene", "yeast")),
    _LEVELS,
    n_splits=5,
)
"""The experiments of the literature, exactly as published."""

QUICK = Protocol(
    "quick",
    (
        Source("small galaxy", "galaxy", {"n_train": 6_000, "n_test": 6_000, "seed": 0}),
        Source(
            "six topics",
            "multilabel",
            {"n_train": 600, "n_test": 600, "n_features": 40, "n_labels": 6, "seed": 0},
        ),
    ),
    _learners(_LEVELS, _powers(-6, 6, 2), _powers(-4, 4, 4)),
    _tables(("small galaxy",), ("six topics",), ("six topics",)),
    _LEVELS,
    n_splits=3,
)
"""The same on small generated data, with fewer splits and values of C."""
