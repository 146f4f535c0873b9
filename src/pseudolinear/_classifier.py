"""MeasureClassifier: the scikit-learn face of the sweep."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit, softmax
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.model_selection import ParameterGrid
from sklearn.pipeline import Pipeline
from sklearn.utils import check_consistent_length, check_random_state, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from pseudolinear._levels import Bisection, Bracket, Cone, Dinkelbach, Grid, LevelSearch
from pseudolinear._measure import Measure
from pseudolinear._measures import get_measure
from pseudolinear._profiles import ErrorProfile
from pseudolinear._selection import Choice, recut
from pseudolinear._splits import make_splits
from pseudolinear._sweep import Plan, SweepResult, sweep
from pseudolinear._targets import Targets
from pseudolinear._training import Split, Trainer
from pseudolinear._validation import check_weights, narrow_indices
from pseudolinear.learners._base import Learner, Model, Problem
from pseudolinear.learners._estimator import EstimatorLearner, check_estimator_takes_costs
from pseudolinear.learners._linear import LinearLearner

_SEARCHES = {
    "grid": Grid,
    "bracket": Bracket,
    "bisection": Bisection,
    "dinkelbach": Dinkelbach,
    "cone": Cone,
}
_CHOICES = {
    "selection": ("auto", "f_max", "c_min"),
    "cost_normalization": ("ratio", "raw", "sum1"),
}


def _has_probabilities(classifier: MeasureClassifier) -> bool:
    return hasattr(classifier._estimator, "predict_proba")


class MeasureClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Classifier trained for a pseudo-linear measure.

    For each level of the measure that the search proposes, and each setting of the
    hyper-parameters, the learner is trained with the costs of that level, its validation
    scores are cut at the best threshold, and the best classifier is kept.

    Binary, multilabel and multiclass problems are told apart by `y`. A macro average gives
    every label a level, hyper-parameters and a threshold of its own; a micro average shares
    one level among all labels. A multiclass problem is trained with class weights, which a
    measure with a default class turns into costs of that class against the others.

    Parameters
    ----------
    estimator : classifier, default=None
        Any scikit-learn classifier that takes `sample_weight` or `class_weight`, pipelines
        included. None stands for ``LinearLearner()``: logistic regression, trained many
        problems at once.
    measure : str or Measure, default="f1"
        What to maximise; see :func:`get_measure` for the names.
    param_grid : dict or list of dict, default=None
        Values of the estimator's hyper-parameters to try, as for scikit-learn's
        `ParameterGrid`.
    search : {"grid", "bracket", "bisection", "dinkelbach", "cone"} or level search, default="grid"
        Which levels to try: :class:`Grid` (19 levels at once), :class:`Bracket`,
        :class:`Bisection`, :class:`Dinkelbach` or :class:`Cone`, which look where the last
        levels point to.
    selection : {"auto", "f_max", "c_min"}, default="auto"
        How candidates and thresholds are chosen: by the largest value of each label, or by the
        least cost within a level and the largest value among levels. ``"auto"`` is
        ``"c_min"`` for micro averages over several labels and ``"f_max"`` otherwise.
    cost_sensitive : bool, default=True
        Whether the learner is trained with the costs of the level, or with equal ones.
    tune_threshold : bool, default=True
        Whether scores are cut at the best threshold, or at the natural one.
    cost_normalization : {"ratio", "raw", "sum1"}, default="ratio"
        Scale of the costs, which matters to regularised learners: relative to the cost of a
        negative row (the literature's), as the measure gives them, or with sum 1.
    cv : int, "holdout", splitter or iterable of splits, default=3
        How rows are held out for validation: a number of shuffled folds whose scores are
        pooled, one random third of the rows (the published protocol), or anything that
        scikit-learn takes.
    refit : bool, default=True
        Whether the chosen candidates are trained again on all rows, or only on the training rows
        of the first split.
    n_jobs : int, default=None
        Number of parallel jobs (joblib); the result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds and of every `random_state` of the estimator that is None.
    verbose : bool, default=False
        Whether to show a progress bar.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes; of a multilabel problem the column numbers.
    threshold_ : float or ndarray
        Threshold of the score; one per label, or per class of a multiclass problem.
    level_ : float or ndarray of shape (n_labels,)
        Level at which the chosen candidates were trained.
    costs_ : ndarray of shape (2,), (n_labels, 2) or (n_classes,)
        Costs of a false negative and a false positive that the learner was given; of a
        multiclass problem the weight of each class.
    best_params_ : dict or list of dict
        Chosen hyper-parameters; one per label of a multilabel problem.
    best_score_ : float
        Value of the measure on the validation rows.
    sweep_ : SweepResult
        Every candidate; ``sweep_.to_pandas()`` is a table.
    learner_ : Learner
        What trained the models.
    models_ : list
        The fitted problems, one per label, or one in all.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where `X` has them.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = make_classification(n_samples=500, weights=[0.9], random_state=0)
    >>> clf = MeasureClassifier(measure="f1", random_state=0).fit(X, y)
    >>> plain = LogisticRegression().fit(X, y)
    >>> FBeta().score(y, plain.predict(X)) < clf.score(X, y)
    True
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        measure: str | Measure = "f1",
        param_grid: Any = None,
        search: str | LevelSearch = "grid",
        selection: str = "auto",
        cost_sensitive: bool = True,
        tune_threshold: bool = True,
        cost_normalization: str = "ratio",
        cv: Any = 3,
        refit: bool = True,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: bool = False,
    ) -> None:
        self.estimator = estimator
        self.measure = measure
        self.param_grid = param_grid
        self.search = search
        self.selection = selection
        self.cost_sensitive = cost_sensitive
        self.tune_threshold = tune_threshold
        self.cost_normalization = cost_normalization
        self.cv = cv
        self.refit = refit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def __sklearn_tags__(self) -> Any:
        """Say what kinds of input and target this classifier takes."""
        tags = super().__sklearn_tags__()
        several = get_measure(self.measure).average != "binary"
        tags.classifier_tags.multi_class = several
        tags.classifier_tags.multi_label = several
        inner = get_tags(self._estimator)
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        tags.input_tags.pairwise = inner.input_tags.pairwise
        return tags

    @property
    def _estimator(self) -> Any:
        return LinearLearner() if self.estimator is None else self.estimator

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> MeasureClassifier:
        """Sweep, select and train.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,) or (n_samples, n_labels)
            Classes of any type, or the 0/1 matrix of a multilabel problem.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row, in training and validation.

        Returns
        -------
        self
            The fitted classifier.
        """
        self._check_choices()
        measure = get_measure(self.measure)
        estimator = self._estimator
        native = hasattr(estimator, "fit_batch")
        if not native:
            check_estimator_takes_costs(estimator, sample_weight is not None)
        X = self._check_rows(X, reset=True)
        if y is None:
            raise ValueError("MeasureClassifier requires y to be passed, but the target y is None.")
        y = y.toarray() if sparse.issparse(y) else np.asarray(y)
        check_consistent_length(X, y)
        weight = check_weights(sample_weight, len(y))
        targets = Targets.from_y(y, measure, weight)
        seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        splits = make_splits(self.cv, X, targets, seed)
        learner: Learner = estimator if native else EstimatorLearner(estimator, seed)
        pairwise = get_tags(estimator).input_tags.pairwise
        trainer = Trainer(learner, X, targets.codes, weight, pairwise, self.n_jobs, self.verbose)
        if pairwise and not self.refit:
            raise ValueError("A precomputed kernel needs refit=True, so that all columns count.")
        plan = self._make_plan(splits, targets, measure)
        found = sweep(trainer, measure, plan)
        choices = found.choices()
        problems = [Problem(c.label, c.costs, c.params) for o in choices for c in o.candidates]
        rows = np.arange(len(targets.codes)) if self.refit else splits[0][0]
        models = trainer.fit(problems, rows)
        if not self.refit and len(splits) == 1:
            # Solved alone or in a batch, a problem ends within the learner's tolerance, not at
            # the same point; the threshold belongs to the model that is kept.
            choices = _cut_again(trainer, found, choices, problems, models, plan)
        self.learner_, self.sweep_, self.models_ = learner, found, models
        self._keep_best(targets, choices)
        return self

    def _check_choices(self) -> None:
        for name, allowed in _CHOICES.items():
            if getattr(self, name) not in allowed:
                raise ValueError(
                    f"{name} must be one of {', '.join(allowed)}, got {getattr(self, name)!r}."
                )

    def _check_rows(self, X: Any, *, reset: bool) -> Any:
        tags = get_tags(self._estimator).input_tags
        if isinstance(self._estimator, Pipeline) or (hasattr(X, "columns") and tags.allow_nan):
            # Its own first step knows what it takes: text, categories, missing values.
            validate_data(self, X, reset=reset, skip_check_array=True)
            return X
        X = validate_data(
            self,
            X,
            reset=reset,
            accept_sparse="csr" if tags.sparse else False,
            ensure_all_finite="allow-nan" if tags.allow_nan else True,
        )
        return narrow_indices(X)

    def _make_plan(self, splits: list[Split], targets: Targets, measure: Measure) -> Plan:
        return Plan(
            search=self._make_search(),
            settings=self._make_settings(),
            splits=splits,
            rule=self._make_rule(targets, measure),
            cost_sensitive=self.cost_sensitive,
            tune_threshold=self.tune_threshold,
            normalization=self.cost_normalization,
        )

    def _make_search(self) -> LevelSearch:
        if not isinstance(self.search, str):
            return self.search
        if self.search not in _SEARCHES:
            raise ValueError(
                f"search must be one of {', '.join(_SEARCHES)} or a level search, "
                f"got {self.search!r}."
            )
        return _SEARCHES[self.search]()

    def _make_settings(self) -> list[dict[str, Any]]:
        settings = list(ParameterGrid({} if self.param_grid is None else self.param_grid))
        if not settings:
            raise ValueError("param_grid is empty; give at least one setting, or None.")
        known = self._estimator.get_params()
        for name in {name for setting in settings for name in setting}:
            if name not in known:
                raise ValueError(
                    f"param_grid: {type(self._estimator).__name__} has no parameter {name!r}; "
                    f"it has {', '.join(sorted(known))}."
                )
        return settings

    def _make_rule(self, targets: Targets, measure: Measure) -> str:
        if self.selection == "auto":
            several = targets.kind == "multilabel" and measure.average == "micro"
            return "c_min" if several else "f_max"
        if targets.kind == "multiclass" and measure.average == "macro":
            raise ValueError(
                "A macro average over classes is no single cost; selection must be 'auto'."
            )
        return self.selection

    def _keep_best(self, targets: Targets, choices: list[Choice]) -> None:
        chosen = [candidate for choice in choices for candidate in choice.candidates]
        thresholds = np.concatenate([choice.thresholds for choice in choices])
        levels = np.array([candidate.level for candidate in chosen])
        costs = np.array([candidate.costs for candidate in chosen])
        self.classes_ = targets.classes
        self.threshold_: float | NDArray[np.float64]
        self.level_: float | NDArray[np.float64]
        self.best_params_: dict[str, Any] | list[dict[str, Any]]
        self.best_score_ = float(np.mean([choice.value for choice in choices]))
        self._kind, self._order = targets.kind, targets.order
        if targets.kind == "multilabel":
            shared = len(choices) == 1 and np.unique(levels).size == 1
            self.threshold_ = thresholds
            self.level_ = float(levels[0]) if shared else levels
            self.costs_ = costs[:, ::-1]
            self.best_params_ = [dict(c.params) for c in chosen]
            return
        self.level_ = float(levels[0])
        self.best_params_ = dict(chosen[0].params)
        if targets.kind == "binary":
            self.threshold_ = float(thresholds[0])
            self.costs_ = costs[0, ::-1]
        else:
            self.threshold_ = thresholds[0][self._columns]
            self.costs_ = costs[0][self._columns]

    @property
    def _columns(self) -> NDArray[np.intp]:
        """Position of each class of `classes_` among the codes."""
        return np.argmax(self.classes_[:, None] == self._order, axis=1)

    def _decision(self, X: Any) -> NDArray[np.float64]:
        """Return scores minus thresholds: (n_samples, n_labels), or a column per class."""
        check_is_fitted(self)
        X = self._check_rows(X, reset=False)
        scores = self.learner_.scores(self.models_, X)
        if self._kind == "multiclass":
            return scores[0][:, self._columns] - self.threshold_
        return np.stack(scores, axis=1) - self.threshold_

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Score rows relative to the threshold: positive values are predicted positive.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,), (n_samples, n_labels) or (n_samples, n_classes)
            Of a multiclass problem, the largest one is predicted.
        """
        decision = self._decision(X)
        if self._kind == "multiclass" and len(self.classes_) == 2:
            return decision[:, 1] - decision[:, 0]
        if self._kind == "binary":
            sign = 1.0 if self._order[1] == self.classes_[1] else -1.0
            return sign * decision[:, 0]
        return decision

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict classes, or the 0/1 matrix of a multilabel problem.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_labels)
            The predictions.
        """
        decision = self._decision(X)
        if self._kind == "multilabel":
            return (decision > 0).astype(np.intp)
        if self._kind == "binary":
            return self._order[(decision[:, 0] > 0).astype(np.intp)]
        return self.classes_[decision.argmax(axis=1)]

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Give the learner's probabilities with one half moved to the threshold.

        The log-odds are shifted by the threshold, so the largest probability is that of the
        predicted class. They are the probabilities in a population whose classes are weighted
        so that plain accuracy is what the measure wants, not those of the training rows.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes) or (n_samples, n_labels)
            Probability of each class, or of each label of a multilabel problem.
        """
        check_is_fitted(self)
        if self._kind == "multilabel":
            return expit(self._decision(X))
        if self._kind == "binary":
            decision = self.decision_function(X)
            return expit(np.stack([-decision, decision], axis=1))
        return softmax(self._decision(X), axis=1)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the measure itself on the given rows.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,) or (n_samples, n_labels)
            True classes or labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.

        Returns
        -------
        float
            Value of the measure.
        """
        predicted = self.predict(X)
        measure = get_measure(self.measure)
        if self._kind == "binary":
            positive = self._order[1]
            y, predicted = np.asarray(y) == positive, predicted == positive
            return measure.value(
                ErrorProfile.from_labels(y, predicted, sample_weight=sample_weight)
            )
        return measure.score(y, predicted, sample_weight)


def _cut_again(
    trainer: Trainer,
    found: SweepResult,
    choices: list[Choice],
    problems: list[Problem],
    models: list[Model],
    plan: Plan,
) -> list[Choice]:
    """Choose thresholds on the validation scores of the models that are kept."""
    ((train, test),) = plan.splits
    scores = trainer.learner.scores(models, trainer.rows(test, train))
    curves = iter(
        trainer.curve(problem, test, s, found.groups[0].measure, plan.tune_threshold)
        for problem, s in zip(problems, scores, strict=True)
    )
    return [
        recut(group, choice, [next(curves) for _ in choice.candidates], plan.rule)
        for group, choice in zip(found.groups, choices, strict=True)
    ]
