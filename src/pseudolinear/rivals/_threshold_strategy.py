"""ThresholdStrategy: the published ways from the scores of labels to sets of labels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorCurve
from pseudolinear.measures import Measure
from pseudolinear.rivals._held_out import HeldOut
from pseudolinear.rivals._label_wrapper import LabelWrapper
from pseudolinear.rivals._scut import choose_fallback, fold_cuts
from pseudolinear.sweep import Split, Trainer
from pseudolinear.thresholds import best_thresholds, combine, first_best

STRATEGIES = ("scut", "scutfbr", "rcut", "pcut", "micro")
SHARES = 2.0 ** (np.arange(-12, 13) / 4)  # how often a label is predicted, by its prevalence


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
        Any classifier with `predict_proba` or `decision_function`. None means
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
    learner_, models_ : Learner and list
        What trained the models, and the fitted models, one per label.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
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

    def _check_parameters(self) -> None:
        super()._check_parameters()
        self._check_choice("strategy", STRATEGIES)

    def _tune(self, trainer: Trainer, splits: list[Split]) -> None:
        folds = [HeldOut.of(trainer, *split) for split in splits]
        if self.strategy in ("scut", "scutfbr"):
            self._tune_each(trainer, splits, folds)
        else:
            self._tune_together(HeldOut(*map(np.concatenate, zip(*folds, strict=True))))

    def _tune_each(self, trainer: Trainer, splits: list[Split], folds: list[HeldOut]) -> None:
        """Choose the threshold of each label: the mean over the folds."""
        measure = self.measure_.binary()
        cuts = [
            fold_cuts(trainer, train, fold, measure)
            for (train, _), fold in zip(splits, folds, strict=True)
        ]
        if self.strategy == "scutfbr":
            fallback = choose_fallback(trainer, splits, folds, measure)
            self.fbr_ = self._per_label(fallback)
            thresholds = np.mean([cut.guarded(fallback) for cut in cuts], axis=0)
        else:
            thresholds = np.mean([cut.threshold for cut in cuts], axis=0)
        self.threshold_ = self._per_label(thresholds)

    def _tune_together(self, held_out: HeldOut) -> None:
        """Choose what the labels share on the rows of all folds."""
        if self.strategy == "micro":
            if self._several:
                self.measure_ = replace(self.measure_, average="micro")
            labels, scores, weight = held_out
            cut = best_thresholds(labels, scores, self.measure_, weight)
            self.threshold_ = self._per_label(cut.threshold)
        elif self.strategy == "pcut":
            self.share_, thresholds = _choose_share(held_out, self.measure_)
            self.threshold_ = self._per_label(thresholds)
        elif self._several:
            ranks, ks = _ranks(held_out.scores), np.arange(1, held_out.scores.shape[1] + 1)
            values = [self.measure_.value(held_out.errors(ranks < k)) for k in ks]
            self.k_ = int(ks[first_best(np.array(values))])
        else:  # the positive class against the negative one
            self.k_, self.threshold_ = 1, 0.0

    @property
    def _ranks_labels(self) -> bool:
        return self.strategy == "rcut" and self._several

    def _decision(self, X: Any) -> NDArray[np.float64]:
        scores = self._scores(X)
        if not self._ranks_labels:
            return scores - self.threshold_
        ordered = -np.sort(-scores, axis=1)
        below = np.append(ordered[:, 1:], ordered[:, -1:] - 1.0, axis=1)
        return scores - (ordered + below)[:, [self.k_ - 1]] / 2

    def _positive(self, X: Any) -> NDArray[np.bool_]:
        scores = self._scores(X)
        if self._ranks_labels:  # of equal scores the first columns, so that there are k
            return _ranks(scores) < self.k_
        return scores > self.threshold_


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
