"""ThresholdStrategy: the published ways from the scores of labels to sets of labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorCurve, ErrorProfile
from pseudolinear.measures import Measure
from pseudolinear.rivals._label_wrapper import LabelWrapper, plain_problems
from pseudolinear.rivals._wrapper import held_out_scores
from pseudolinear.sweep._training import Split, Trainer
from pseudolinear.thresholds import ROUNDING, best_threshold, best_thresholds, combine, first_best

STRATEGIES = ("scut", "scutfbr", "rcut", "pcut", "micro")
FALLBACKS = np.arange(1, 9) / 10  # the published candidates of fbr
SHARES = 2.0 ** (np.arange(-12, 13) / 4)  # how often a label is predicted, by its prevalence


class HeldOut(NamedTuple):
    """Rows with the scores of models that did not see them.

    Attributes
    ----------
    labels : ndarray of shape (n_rows, n_labels)
        0 or 1.
    scores : ndarray of shape (n_rows, n_labels)
        Natural threshold 0.
    weight : ndarray of shape (n_rows,)
        Positive.
    """

    labels: NDArray[np.int8]
    scores: NDArray[np.float64]
    weight: NDArray[np.float64]

    def errors(self, predicted: NDArray[np.bool_]) -> ErrorProfile:
        """Count the errors of predictions."""
        return ErrorProfile.from_labels(self.labels, predicted, sample_weight=self.weight)


class FoldCuts(NamedTuple):
    """What one fold says about the threshold of every label.

    Attributes
    ----------
    threshold : ndarray of shape (n_labels,)
        The best threshold; the natural one, 0, unless another one is strictly better.
    value : ndarray of shape (n_labels,)
        Value of the measure there.
    highest : ndarray of shape (n_labels,)
        The highest score: above it nothing is predicted.
    """

    threshold: NDArray[np.float64]
    value: NDArray[np.float64]
    highest: NDArray[np.float64]

    def guarded(self, fallback: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give up labels whose value is not above the fallback."""
        return np.where(self.value > fallback, self.threshold, self.highest)


class ThresholdStrategy(LabelWrapper):
    """Classifier that turns the scores of labels into sets of labels by a published strategy.

    A classifier is trained per label. Held-out scores decide how they are cut:

    - ``"scut"``: each label has the mean of the best thresholds of the folds, where the natural
      threshold stays unless another one is strictly better;
    - ``"scutfbr"``: the same, but in a fold where even the best threshold gives a value of at
      most `fbr`, the highest score takes its place. It keeps rare labels from low
      thresholds that fit a few rows by chance. Each label has its own `fbr` out of 0.1 to
      0.8, chosen by a second cross-validation within the first, whose folds it shares;
    - ``"rcut"``: the labels of the k highest scores of each row;
    - ``"pcut"``: each label is predicted as often as it occurs, times a factor that all labels
      share. The factor fixes the threshold on the held-out scores, so that the
      prediction of a row does not depend on other rows;
    - ``"micro"``: the thresholds that are jointly optimal for the micro average.

    Parameters
    ----------
    estimator : classifier, default=None
        Any classifier with `predict_proba` or `decision_function`. None stands for
        ``LinearLearner()``, logistic regression.
    strategy : {"scut", "scutfbr", "rcut", "pcut", "micro"}, default="scut"
        How scores are cut. On a binary problem there is nothing to rank, and ``"rcut"`` keeps
        the natural threshold.
    measure : str or Measure, default="f1_macro"
        What `k` and the factor of ``"pcut"`` are chosen for. ``"scut"`` and ``"scutfbr"`` take it
        label by label, ``"micro"`` takes its micro average.
    cv : int, "holdout", splitter or iterable of splits, default=3
        How rows are held out, as in :class:`MeasureClassifier`; ``"scutfbr"`` needs three folds.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds and of every `random_state` of the estimator that is None.

    Attributes
    ----------
    threshold_ : float or ndarray of shape (n_labels,)
        Labels with a larger score are predicted. Not for ``"rcut"``. Scores are log-odds
        where the classifier has probabilities.
    fbr_ : float or ndarray of shape (n_labels,)
        For ``"scutfbr"``: the value of a fold below which it gives up a label.
    k_ : int
        For ``"rcut"``: number of labels that each row gets.
    share_ : float
        For ``"pcut"``: how often a label is predicted, relative to its prevalence.
    classes_ : ndarray of shape (n_classes,)
        The classes; of a multilabel problem the column numbers.
    measure_ : Measure
        The measure in the form that `score` reports.
    learner_ : Learner
        What trained the models.
    models_ : list
        The fitted models, one per label.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where `X` has them.

    References
    ----------
    Yang (2001), SIGIR. Fan and Lin (2007), National Taiwan University. Pillai, Fumera and Roli
    (2013), Pattern Recognition 46.

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from pseudolinear.rivals import ThresholdStrategy
    >>> X, Y = make_multilabel_classification(random_state=0)
    >>> clf = ThresholdStrategy(strategy="rcut", random_state=0).fit(X, Y)
    >>> bool((clf.predict(X).sum(axis=1) == clf.k_).all())
    True
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        strategy: str = "scut",
        measure: str | Measure = "f1_macro",
        cv: Any = 3,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.strategy = strategy
        self.measure = measure
        self.cv = cv
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ThresholdStrategy:
        """Tune the strategy on held-out scores and train.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,) or (n_samples, n_labels)
            Two classes of any type, or the 0/1 matrix of a multilabel problem.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row, in training and tuning.

        Returns
        -------
        self
            The fitted classifier.
        """
        self._check_choice("strategy", STRATEGIES)
        trainer, splits = self._prepare(X, y, sample_weight)
        folds = [_held_out(trainer, *split) for split in splits]
        if self.strategy in ("scut", "scutfbr"):
            cuts = [
                _fold_cuts(trainer, train, fold, self.measure_.binary())
                for (train, _), fold in zip(splits, folds, strict=True)
            ]
            if self.strategy == "scutfbr":
                fallback = _choose_fallback(trainer, splits, folds, self.measure_.binary())
                self.fbr_ = self._per_label(fallback)
                thresholds = np.mean([cut.guarded(fallback) for cut in cuts], axis=0)
            else:
                thresholds = np.mean([cut.threshold for cut in cuts], axis=0)
            self.threshold_ = self._per_label(thresholds)
        else:
            self._tune_together(HeldOut(*map(np.concatenate, zip(*folds, strict=True))))
        problems = plain_problems(trainer.targets.shape[1])
        self.models_ = trainer.fit(problems, np.arange(len(trainer.targets)))
        return self

    def _per_label(self, numbers: NDArray[np.float64]) -> Any:
        return numbers if self._kind == "multilabel" else float(numbers[0])

    def _tune_together(self, held_out: HeldOut) -> None:
        """Choose what the labels share on the rows of all folds."""
        if self.strategy == "micro":
            if self._kind == "multilabel":
                self.measure_ = replace(self.measure_, average="micro")
            labels, scores, weight = held_out
            cut = best_thresholds(labels, scores, self.measure_, weight)
            self.threshold_ = self._per_label(cut.threshold)
        elif self.strategy == "pcut":
            self.share_, thresholds = _choose_share(held_out, self.measure_)
            self.threshold_ = self._per_label(thresholds)
        elif self._kind == "multilabel":
            ranks, ks = _ranks(held_out.scores), np.arange(1, held_out.scores.shape[1] + 1)
            values = [self.measure_.value(held_out.errors(ranks < k)) for k in ks]
            self.k_ = int(ks[first_best(np.array(values))])
        else:  # the positive class against the negative one
            self.k_, self.threshold_ = 1, 0.0

    @property
    def _ranks_labels(self) -> bool:
        return self.strategy == "rcut" and self._kind == "multilabel"

    def _decision(self, X: Any) -> NDArray[np.float64]:
        scores = self._scores(X)
        if not self._ranks_labels:
            return scores - self.threshold_
        ordered = -np.sort(-scores, axis=1)
        below = np.append(ordered[:, 1:], ordered[:, -1:] - 1.0, axis=1)
        return scores - (ordered + below)[:, [self.k_ - 1]] / 2

    def _predict_labels(self, X: Any) -> NDArray[np.bool_]:
        scores = self._scores(X)
        if self._ranks_labels:  # of equal scores the first columns, so that there are k
            return _ranks(scores) < self.k_
        return scores > self.threshold_


def _held_out(trainer: Trainer, train: NDArray[np.intp], test: NDArray[np.intp]) -> HeldOut:
    """Score the test rows that have a weight."""
    weight = np.ones(len(test)) if trainer.sample_weight is None else trainer.sample_weight[test]
    test, weight = test[weight > 0], weight[weight > 0]
    problems = plain_problems(trainer.targets.shape[1])
    scores = held_out_scores(trainer, problems, train, test)
    return HeldOut(trainer.targets[test], scores, weight)


def _fold_cuts(
    trainer: Trainer, train: NDArray[np.intp], fold: HeldOut, measure: Measure
) -> FoldCuts:
    """Cut every label of a fold at its best threshold.

    Scores of a label that the training rows do not carry mean nothing; 0 stays its threshold.
    """
    labels, scores, weight = fold
    seen = trainer.targets[train] > 0
    if trainer.sample_weight is not None:
        seen = seen[trainer.sample_weight[train] > 0]
    learnt = seen.any(axis=0)
    value = _label_values(fold, scores > 0, measure)
    threshold = np.zeros_like(value)
    for k in np.flatnonzero(labels.any(axis=0) & learnt):
        cut = best_threshold(labels[:, k], scores[:, k], measure, weight)
        if cut.value > value[k] + ROUNDING:
            threshold[k], value[k] = cut.threshold, cut.value
    return FoldCuts(threshold, value, np.where(learnt, scores.max(axis=0), 0.0))


def _label_values(
    fold: HeldOut, predicted: NDArray[np.bool_], measure: Measure
) -> NDArray[np.float64]:
    """Evaluate each label on its own."""
    profile = fold.errors(predicted)
    columns = zip(profile.fn, profile.fp, profile.prevalence, strict=True)
    return np.array([measure.value(ErrorProfile(*column)) for column in columns])


def _choose_fallback(
    trainer: Trainer, splits: Sequence[Split], folds: Sequence[HeldOut], measure: Measure
) -> NDArray[np.float64]:
    """Choose fbr per label: the largest of the best, or the smallest where all are useless.

    Each fold judges the thresholds that the other folds give without it, so that nothing is
    tuned on the rows that judge it.
    """
    if len(splits) < 3:
        raise ValueError(
            f"scutfbr needs three folds or more, as each judges what the others agree on, got "
            f"{len(splits)}; raise cv."
        )
    values = np.zeros((len(FALLBACKS), trainer.targets.shape[1]))
    for (train, _), fold in zip(splits, folds, strict=True):
        cuts = []
        for _, other in splits:
            rows = np.intersect1d(train, other)
            if rows.size:
                inner = np.setdiff1d(train, other)
                cuts.append(_fold_cuts(trainer, inner, _held_out(trainer, inner, rows), measure))
        for i, fallback in enumerate(FALLBACKS):
            thresholds = np.mean([cut.guarded(fallback) for cut in cuts], axis=0)
            values[i] += _label_values(fold, fold.scores > thresholds, measure)
    best = values.max(axis=0)
    last = len(FALLBACKS) - 1 - np.argmax(values[::-1] >= best - ROUNDING, axis=0)
    return FALLBACKS[np.where(best > ROUNDING, last, 0)]


def _choose_share(held_out: HeldOut, measure: Measure) -> tuple[float, NDArray[np.float64]]:
    """Choose how often labels are predicted, relative to their prevalence."""
    labels, scores, weight = held_out
    columns = zip(labels.T, scores.T, strict=True)
    curves = [ErrorCurve.from_scores(y, s, weight) for y, s in columns]
    cuts = np.array([_cuts_of_shares(curve) for curve in curves]).T
    best = first_best(np.array([measure.value(combine(curves, row)) for row in cuts]))
    thresholds = [c.thresholds[i] for c, i in zip(curves, cuts[best], strict=True)]
    return float(SHARES[best]), np.array(thresholds)


def _cuts_of_shares(curve: ErrorCurve) -> NDArray[np.intp]:
    """Find the cuts that predict nearest to each share of the prevalence."""
    predicted = (curve.prevalence - curve.fn + curve.fp)[:, 0]
    wanted = np.minimum(SHARES * curve.prevalence[0], 1.0)
    above = np.clip(np.searchsorted(predicted, wanted), 1, len(predicted) - 1)
    nearer_below = wanted - predicted[above - 1] <= predicted[above] - wanted
    return above - nearer_below


def _ranks(scores: NDArray[np.float64]) -> NDArray[np.intp]:
    """Rank the labels of each row from 0, the highest score first."""
    return np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1)
