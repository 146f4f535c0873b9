"""The base of the kinds of problem."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import (
    GroupShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
)

from pseudolinear._calibration import Calibration, Line
from pseudolinear._problem import Problem
from pseudolinear.errors import ErrorCurve, Outcomes
from pseudolinear.kinds._goal import Goal
from pseudolinear.measures import Measure

HELD_OUT = 1 / 3  # share of the rows that the published protocol keeps for validation


@dataclass(frozen=True, eq=False)
class Kind(ABC):
    """What kind of problem y poses: the only place that asks.

    It says which labels share a level, what is trained, how scores are cut and how decisions become
    classes. It holds nothing of the rows.

    Attributes
    ----------
    classes : ndarray
        The sorted classes; of a multilabel problem the names of the labels, or column numbers.
    """

    name: ClassVar[str]
    separable: ClassVar[bool] = True  # whether labels are decided one by one
    classes: NDArray[Any]

    # What is trained.

    @property
    @abstractmethod
    def code_classes(self) -> NDArray[Any]:
        """The classes that the codes 0, 1, ... of a row stand for."""

    @abstractmethod
    def goals(
        self, codes: NDArray[Any], measure: Measure, sample_weight: NDArray[np.float64] | None
    ) -> list[Goal]:
        """Say which labels share a level.

        Parameters
        ----------
        codes : ndarray of shape (n_samples, n_labels)
            0/1 labels, or the class codes of a multiclass problem in one column.
        measure : Measure
            What is maximised.
        sample_weight : ndarray of shape (n_samples,) or None
            Weight of each row.

        Returns
        -------
        list of Goal
            One, or one per label of a macro average that has rows of both values.
        """

    @abstractmethod
    def regroup(self, goals: Sequence[Goal], measure: Measure) -> list[Goal]:
        """Share the labels of some goals among the goals of another measure."""

    @abstractmethod
    def problem(self, label: int, costs: tuple[float, ...], params: Mapping[str, Any]) -> Problem:
        """Say what is trained for a label."""

    def indicators(self, codes: NDArray[Any]) -> NDArray[Any]:
        """Return a 0/1 matrix with one column per label or class that can be missing in a fold."""
        return codes

    def stratify_by(self, codes: NDArray[Any]) -> NDArray[Any]:
        """Return what scikit-learn's splitters take as y."""
        return codes[:, 0]

    def folds(self, n_splits: int, seed: int, *, grouped: bool) -> Any:
        """Return a splitter into shuffled folds, of whole groups of rows if there are groups."""
        splitter = StratifiedGroupKFold if grouped else StratifiedKFold
        return splitter(n_splits, shuffle=True, random_state=seed)

    def holdout(self, seed: int, *, grouped: bool) -> Any:
        """Return a splitter that holds out one third of the rows, or of the groups."""
        splitter = GroupShuffleSplit if grouped else StratifiedShuffleSplit
        return splitter(1, test_size=HELD_OUT, random_state=seed)

    # How scores are cut.

    @abstractmethod
    def curve(
        self,
        y: NDArray[np.intp],
        scores: NDArray[np.float64],
        objective: Any,
        sample_weight: NDArray[np.float64] | None,
    ) -> ErrorCurve:
        """Return the errors at all cuts worth choosing.

        Parameters
        ----------
        y : ndarray of shape (n_samples,)
            The true class of each row, from 0 on.
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
            What a model gives.
        objective : Measure or Objective
            What is maximised.
        sample_weight : ndarray of shape (n_samples,) or None
            Weight of each row.

        Returns
        -------
        ErrorCurve
            A few dozen cuts.
        """

    @abstractmethod
    def natural_curve(
        self,
        y: NDArray[np.intp],
        scores: NDArray[np.float64],
        sample_weight: NDArray[np.float64] | None,
    ) -> ErrorCurve:
        """Return the errors at the one cut that the learner means: see :meth:`curve`."""

    @abstractmethod
    def lift(
        self,
        goal: Goal,
        codes: NDArray[Any],
        scores: Mapping[int, NDArray[np.float64]],
        thresholds: Mapping[int, Any],
        sample_weight: NDArray[np.float64] | None,
    ) -> tuple[float, Mapping[int, Any]]:
        """Choose thresholds anew where a constant answer would be better than those at hand.

        Parameters
        ----------
        goal : Goal
            Labels, and the measure of them.
        codes : ndarray of shape (n_samples, n_labels)
            True labels or classes of some rows.
        scores : mapping from int to ndarray
            Scores of these rows, by label.
        thresholds : mapping from int to float or ndarray
            The thresholds at hand, by label.
        sample_weight : ndarray of shape (n_samples,) or None
            Weight of each row.

        Returns
        -------
        floor : float
            Value of the best constant answer.
        chosen : mapping from int to float or ndarray
            Thresholds of the goal's labels that reach it; empty where those at hand do.
        """

    def below_floor(
        self,
        goals: Sequence[Goal],
        codes: NDArray[Any],
        scores: Mapping[int, NDArray[np.float64]],
        thresholds: Mapping[int, Any],
        sample_weight: NDArray[np.float64] | None,
    ) -> Sequence[bool]:
        """Tell for which goals :meth:`lift` may have something to do: at first, for all."""
        return [True] * len(goals)

    # How decisions become classes.

    @abstractmethod
    def thresholds(self, by_label: Mapping[int, Any]) -> Any:
        """Arrange the chosen thresholds as `threshold_`: a number, or one per label or class."""

    @abstractmethod
    def margins(self, scores: Mapping[int, NDArray[np.float64]], thresholds: Any) -> NDArray[Any]:
        """Subtract the thresholds from the scores of every label that has a model.

        Returns
        -------
        ndarray of shape (n_samples, n_labels) or (n_samples, n_classes)
            Positive where the label is predicted; of classes, the largest one is predicted.
        """

    @abstractmethod
    def calibration(self, by_label: Mapping[int, Line]) -> Calibration:
        """Arrange what makes log-odds of scores, one column per label or class."""

    @abstractmethod
    def decision_function(self, margins: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the margins in the shape that scikit-learn expects."""

    @abstractmethod
    def predict(self, margins: NDArray[np.float64]) -> NDArray[Any]:
        """Return classes, or the 0/1 matrix of a multilabel problem."""

    def decode(self, predicted: NDArray[Any], rows: Any) -> Any:
        """Return predictions for the rows in the form in which y came."""
        return predicted

    @abstractmethod
    def probabilities(self, log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return probabilities.

        Parameters
        ----------
        log_odds : ndarray of shape (n_samples, n_labels) or (n_samples, n_classes)
            Log-odds, or log-probabilities up to a constant.
        """

    @abstractmethod
    def agree(
        self, probabilities: NDArray[np.float64], margins: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Mix probabilities with what is predicted, as little as makes that the likeliest."""

    def probability_threshold(self, thresholds: Any, calibration: Calibration) -> Any:
        """Return thresholds as probabilities."""
        raise AttributeError(
            f"A {self.name} problem has no probability_threshold_: the class of the largest margin "
            "is predicted, and thresholds move every class; see decision_function."
        )

    @abstractmethod
    def outcomes(self, y: Any, predicted: NDArray[Any], objective: Any) -> Outcomes:
        """Compare what :meth:`predict` gave with y in any form, as an objective reads them."""

    def objective(self, objective: Any) -> Any:
        """Return an objective as this kind of problem wants it, or say why it is not for it."""
        return objective

    def score(self, y: Any, predicted: NDArray[Any], objective: Any, sample_weight: Any) -> float:
        """Return what an objective says of predictions."""
        outcomes = self.outcomes(y, predicted, objective)
        return self.objective(objective).of_outcomes(outcomes, sample_weight)

    # One label against the rest, as results are looked at.

    @property
    def label_names(self) -> NDArray[Any]:
        """The labels or classes that rows can be flagged with."""
        return self.classes

    @abstractmethod
    def truth(self, y: Any) -> NDArray[np.bool_]:
        """Say which of `label_names` the rows of a y, in any form, carry: one column each."""

    def rivals(self, margins: NDArray[np.float64]) -> Any:
        """Return what a margin must exceed for its label or class to be predicted."""
        return 0.0

    def label_probabilities(self, probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the columns of `label_names` among the columns of `predict_proba`."""
        return probabilities

    # What the user sees.

    @abstractmethod
    def levels(self, by_label: Mapping[int, float], *, shared: bool) -> Any:
        """Arrange the chosen levels as `level_`: a number if labels share one, or one per label."""

    def prevalence(self, by_label: Mapping[int, float]) -> Any:
        """Arrange the prevalence of labels as `prevalence_`: a number, or one per label."""
        return self.levels(by_label, shared=False)

    @abstractmethod
    def costs(self, by_label: Mapping[int, tuple[float, ...]]) -> NDArray[np.float64]:
        """Arrange the costs that the chosen models were trained with as `costs_`."""

    @abstractmethod
    def params(self, by_label: Mapping[int, Mapping[str, Any]]) -> Any:
        """Arrange the chosen hyper-parameters as `best_params_`: a dict, or one per label."""

    @property
    def positive_label(self) -> Any:
        """The positive class, which only a binary problem has."""
        raise AttributeError(f"A {self.name} problem has no positive class.")

    @property
    def n_models(self) -> int:
        """Number of models that a fit can have."""
        return 1

    @property
    def n_outputs(self) -> int:
        """Number of labels, or of classes that a model tells apart."""
        return self.n_models

    def cost_columns(self, costs: tuple[float, ...]) -> dict[str, Any]:
        """Name the costs of a problem for tables."""
        return {"cost_fn": costs[0], "cost_fp": costs[1]}

    @abstractmethod
    def label_name(self, label: int) -> Any:
        """Return the label as tables show it."""
