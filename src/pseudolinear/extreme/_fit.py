"""fit_many: many labels, in blocks, with a plan that thins out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._journal import TRAINING, Journal
from pseudolinear.extreme._cut_columns import LabelCuts, choose_cuts
from pseudolinear.extreme._label_curves import LabelCurves
from pseudolinear.extreme._label_weights import LabelWeights
from pseudolinear.extreme._memory import OF_MODEL, ArrayStore, block_size
from pseudolinear.extreme._problems import SIDE_BY_SIDE, WIDTH, Fold, Problems, train, validate
from pseudolinear.extreme._settings import Settings
from pseudolinear.extreme._thinning import Evidence, sample_labels
from pseudolinear.extreme._truncation import Truncation, measure_truncation
from pseudolinear.extreme._weight_blocks import WeightBlocks
from pseudolinear.features import FoldFeatures
from pseudolinear.measures import Measure
from pseudolinear.sweep import Split, Workers

SCREENING = "linear, all settings of some labels"
OTHERS = "linear, one setting of the others"
N_STAGES = 3
TOL = 1e-3  # relative duality gap of what is kept,
LOOSE = 1e-2  # and of what is only compared


@dataclass(frozen=True, eq=False)
class LabelRows:
    """What a fit of many labels is given.

    Attributes
    ----------
    features : FoldFeatures
        The rows.
    codes : csc_matrix of shape (n_samples, n_labels)
        0/1 without stored zeros.
    weight : ndarray of shape (n_samples,) or None
        Weight of each row.
    splits : list of (train, test)
        Rows to train on and rows to validate on.
    view : str
        The view of the rows that is trained on.
    """

    features: FoldFeatures
    codes: Any
    weight: NDArray[np.float64] | None
    splits: list[Split]
    view: str = "scaled"

    @cached_property
    def folds(self) -> list[Fold]:
        """The splits with their rows."""
        made = []
        for fitted_on, held_out in self.splits:
            X_train, X_test = (
                self.features.view(self.view, rows, fitted_on) for rows in (fitted_on, held_out)
            )
            made.append(Fold(X_train, X_test, fitted_on, held_out))
        return made

    @cached_property
    def all_rows(self) -> NDArray[np.intp]:
        """The numbers of all rows."""
        return np.arange(self.codes.shape[0])

    @cached_property
    def matrix(self) -> Any:
        """All rows, as what is kept is trained on them."""
        return self.features.view(self.view, self.all_rows, self.all_rows)

    @cached_property
    def prevalence(self) -> NDArray[np.float64]:
        """Share of the rows that carry each label."""
        if self.weight is None:
            return np.diff(self.codes.indptr) / self.codes.shape[0]
        return np.asarray(self.weight @ self.codes).ravel() / self.weight.sum()


@dataclass(frozen=True, eq=False)
class ManyFitted:
    """What a fit of many labels leaves behind.

    Attributes
    ----------
    model : LabelModel
        What scores.
    labels : ndarray of int
        Labels that have a model.
    cuts : LabelCuts
        Where their scores are cut.
    curves : LabelCurves
        What the cuts were chosen from: of every label, what was chosen for it.
    level, ratio, C : ndarray
        What was chosen for each of them.
    truncation : Truncation
        What was left out of the weights.
    n_problems : int
        Problems that were solved, on folds and on all rows.
    n_sample : int
        Labels that tried everything.
    """

    model: Any
    labels: NDArray[np.intp]
    cuts: LabelCuts
    curves: LabelCurves
    level: NDArray[np.float64]
    ratio: NDArray[np.float64]
    C: NDArray[np.float64]
    truncation: Truncation
    n_problems: int
    n_sample: int


def fit_many(
    rows: LabelRows,
    measure: Measure,
    *,
    seed: int,
    budget: int,
    workers: Workers,
    journal: Journal,
    thin: bool = True,
) -> ManyFitted:
    """Fit linear models of many labels.

    All settings are tried at a sample of labels of all frequencies. What gained most there, at
    labels about as frequent, is the one setting that another label gets; its own held-out rows
    choose its threshold.

    Parameters
    ----------
    rows : LabelRows
        Rows, labels and splits.
    measure : Measure
        A micro, macro or weighted average.
    seed : int
        Of the sample.
    budget : int
        Bytes that the arrays of a block, and the weights, may take a share of.
    workers : Workers
        Where blocks are trained; the result does not depend on it.
    journal : Journal
        What is told of stages and steps.
    thin : bool, default=True
        Whether the plan thins out; otherwise every label tries everything, for comparisons.

    Returns
    -------
    ManyFitted
        What scores, and what was seen.
    """
    return _Fit(rows, measure, seed, budget, workers, journal, thin).run()


@dataclass(eq=False)
class _Fit:
    rows: LabelRows
    measure: Measure
    seed: int
    budget: int
    workers: Workers
    journal: Journal
    thin: bool
    n_problems: int = field(default=0, init=False)

    def run(self) -> ManyFitted:
        rows, settings = self.rows, self.settings
        sample, evidence, tried = self._screen()
        n_settings = len(settings)
        setting = np.empty(len(self.labels), np.intp)
        setting[sample] = evidence.choose_own()
        others = self.by_frequency[~np.isin(self.by_frequency, sample)]
        curves = [tried.take(np.arange(len(sample)) * n_settings + setting[sample])]
        if len(others):
            setting[others] = evidence.choose(self.n_positive[others])
            with self.journal.stage(OTHERS, len(rows.splits)):
                curves.append(self._validate(self._problems(others, setting[others])))
        order = np.argsort(np.concatenate([sample, others]))
        joined = LabelCurves.join(curves).take(order)
        cuts = choose_cuts(joined, self.measure)
        chosen = self._problems(np.arange(len(self.labels)), setting)
        truncation = self._truncate(chosen, cuts, sample)
        with self.journal.stage(TRAINING, 1):
            model = self._train(chosen.part(self.by_frequency), truncation.share)
        level = settings.level(np.arange(len(self.labels)), setting)
        return ManyFitted(
            model, self.labels, cuts, joined, level, chosen.ratio, chosen.C, truncation,
            self.n_problems, len(sample),
        )  # fmt: skip

    @cached_property
    def labels(self) -> NDArray[np.intp]:
        """Labels with rows of both values."""
        return np.flatnonzero((self.rows.prevalence > 0) & (self.rows.prevalence < 1))

    @cached_property
    def n_positive(self) -> NDArray[np.float64]:
        codes, weight = self.rows.codes, self.rows.weight
        if weight is not None:
            codes = codes[np.flatnonzero(weight)]
        return codes.getnnz(axis=0)[self.labels].astype(np.float64)

    @cached_property
    def by_frequency(self) -> NDArray[np.intp]:
        """Labels in the order in which they are trained: those of a batch share their rows."""
        return np.argsort(self.n_positive, kind="stable")

    @cached_property
    def settings(self) -> Settings:
        return Settings.of(self.measure, self.rows.prevalence[self.labels])

    def _problems(self, of: NDArray[np.intp], setting: NDArray[np.intp]) -> Problems:
        """Return one problem for each of some labels, given by their place among `labels`."""
        ratio = self.settings.ratio(of, setting)
        return Problems(self.labels[of], ratio, self.settings.values_of_c(setting))

    def _screen(self) -> tuple[NDArray[np.intp], Evidence, LabelCurves]:
        """Try all settings at a sample of the labels."""
        sample = sample_labels(self.n_positive, self.seed) if self.thin else self.by_frequency
        sample = self.by_frequency[np.isin(self.by_frequency, sample)]
        n_settings = len(self.settings)
        each = np.tile(np.arange(n_settings), len(sample))
        problems = self._problems(np.repeat(sample, n_settings), each)
        with self.journal.stage(SCREENING, len(self.rows.splits)):
            tried = self._validate(problems, whole=n_settings)
        return sample, Evidence.of(tried, self.settings, self.measure), tried

    def _validate(self, problems: Problems, whole: int = 1) -> LabelCurves:
        blocks = list(self._blocks(problems, whole))
        self.n_problems += len(self.rows.splits) * len(problems.C)
        self.journal.expect(len(blocks))
        large = (self.rows.folds, self.rows.codes, self.rows.weight, TOL)
        found = []
        for curves in self.workers.map(validate, blocks, large, threads=True):
            found.append(curves)
            self.journal.step()
        return LabelCurves.join(found)

    def _blocks(self, problems: Problems, whole: int = 1) -> Iterator[Problems]:
        """Cut problems into blocks that the budget allows, of whole labels where they fit."""
        n_rows, n_features = self.rows.matrix.shape
        jobs = max(self.workers.n_jobs or 1, 1)
        size = block_size(self.budget // jobs, n_rows, n_features)
        batch = WIDTH if whole == 1 else SIDE_BY_SIDE // whole * whole
        size = max(size // batch, 1) * batch  # what is solved together does not depend on it
        for start in range(0, len(problems.C), size):
            yield problems.part(slice(start, start + size))

    def _truncate(self, chosen: Problems, cuts: LabelCuts, sample: NDArray[np.intp]) -> Truncation:
        own = chosen.part(sample)
        rows, thresholds = self.rows, cuts.thresholds[sample]
        self.n_problems += len(sample)
        return measure_truncation(
            own, thresholds, rows.folds[0], rows.codes, rows.weight, self.measure, LOOSE
        )

    def _train(self, problems: Problems, share: float) -> LabelWeights:
        n_labels, n_features = self.rows.codes.shape[1], self.rows.matrix.shape[1]
        store = ArrayStore(OF_MODEL * self.budget)
        gathered = WeightBlocks(n_labels, n_features, share, store)
        blocks = list(self._blocks(problems))
        self.n_problems += len(problems.C)
        self.journal.expect(len(blocks))
        large = (self.rows.matrix, self.rows.codes, self.rows.weight, TOL)
        models = self.workers.map(train, blocks, large, threads=True)
        for block, parts in zip(blocks, models, strict=True):
            for part in parts:
                gathered.add(block.labels[part.at], part.coef, part.intercept, part.columns)
            self.journal.step()
        return gathered.model()
