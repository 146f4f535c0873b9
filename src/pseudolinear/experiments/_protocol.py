"""What an experiment is, as data: nothing here is computed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

OPTIONS = ("none", "T", "CS", "CS&T")
SELECTIONS = ("C_min", "F_max")
MEASURES = {"binary_F1": "f1", "macro_F1": "f1_macro", "micro_F1": "f1_micro"}
"""What `get_measure` calls the measures of the tables."""


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

    Examples
    --------
    >>> from pseudolinear.experiments import Source
    >>> Source("yeast", published="Yeast").maker
    'folder'
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
        predict the time left.

    Examples
    --------
    >>> from pseudolinear.experiments import PUBLISHED
    >>> PUBLISHED.learner("LR").n_problems  # 13 values of C, 19 levels
    247
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

    Examples
    --------
    >>> from pseudolinear.experiments import TableSetting
    >>> TableSetting("mine", "My table", "micro_F1", ("yeast",), ("LR",)).selections
    ('C_min', 'F_max')
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

    Examples
    --------
    >>> from pseudolinear.experiments import PUBLISHED
    >>> part = PUBLISHED.only(["adult"])
    >>> [table.name for table in part.tables], part.n_splits
    (['tab_bin'], 5)
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
