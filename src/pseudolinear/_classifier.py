"""MeasureClassifier: the scikit-learn face of the sweep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit, softmax
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.model_selection import ParameterGrid
from sklearn.pipeline import Pipeline
from sklearn.utils import check_consistent_length, check_random_state, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from pseudolinear._validation import check_weights, narrow_indices
from pseudolinear.bounds._certificate import certify
from pseudolinear.errors._profile import ErrorProfile
from pseudolinear.kinds._targets import Targets
from pseudolinear.learners._base import Model
from pseudolinear.learners._estimator import EstimatorLearner, check_estimator_takes_costs
from pseudolinear.learners._linear import LinearLearner
from pseudolinear.measures._measure import Measure
from pseudolinear.measures._names import get_measure
from pseudolinear.portfolio._portfolio import C_VALUES, Member, auto_members, fit_portfolio
from pseudolinear.search._bisection import Bisection
from pseudolinear.search._bracket import Bracket
from pseudolinear.search._cone import Cone
from pseudolinear.search._dinkelbach import Dinkelbach
from pseudolinear.search._grid import Grid
from pseudolinear.search._level_search import LevelSearch
from pseudolinear.selection._selection import RULES, Choice, recut
from pseudolinear.sweep._frontier import Frontier
from pseudolinear.sweep._splits import make_splits
from pseudolinear.sweep._sweep import Plan, SweepResult, sweep
from pseudolinear.sweep._training import Split, Trainer
from pseudolinear.thresholds._objectives import Objective

_SEARCHES = {
    "grid": Grid,
    "bracket": Bracket,
    "bisection": Bisection,
    "dinkelbach": Dinkelbach,
    "cone": Cone,
}
_CHOICES = {
    "selection": ("auto", *RULES),
    "cost_normalization": ("ratio", "raw", "sum1"),
}


def _has_probabilities(classifier: MeasureClassifier) -> bool:
    (first, *others) = classifier._estimators
    return not others and not classifier._is_portfolio and hasattr(first, "predict_proba")


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
    estimator : classifier, "auto" or list of classifiers, default=None
        Any scikit-learn classifier that takes `sample_weight` or `class_weight`, pipelines
        included. None stands for ``LinearLearner()``: logistic regression, trained many
        problems at once, with four values of C. ``"auto"`` is a portfolio of linear, kernel and
        tree learners that suit the data's shape; a list is a portfolio of your own. Of a
        portfolio, the best learner or combination of learners is taken for every label.
    measure : str or Measure, default="f1"
        What to maximise; see :func:`get_measure` for the names.
    param_grid : dict or list of dict, default=None
        Values of the estimator's hyper-parameters to try, as for scikit-learn's
        `ParameterGrid`; for a single estimator.
    search : {"auto", "grid", "bracket", "bisection", "dinkelbach", "cone"} or level search
        Which levels to try: :class:`Grid` (19 levels at once), :class:`Bracket`,
        :class:`Bisection`, :class:`Dinkelbach` or :class:`Cone`, which look where the last
        levels point to. ``"auto"``, the default, is a grid of four levels for learners that train
        many problems at once, and up to three levels of the cone for the others.
    selection : {"auto", "f_max", "c_min", "joint", "shrunk", "both"}, default="auto"
        How candidates and thresholds are chosen. ``"f_max"``: by the largest value of each label.
        ``"c_min"``: by the least cost within a level and the largest value among levels.
        ``"joint"``: within a level by the largest value of all labels together.
        ``"shrunk"``: as ``"f_max"``, but rare labels lean on the others. ``"both"``: by the mean
        of the macro and the micro average. ``"auto"`` is ``"joint"`` for micro averages over
        several labels, ``"shrunk"`` for macro averages over them, and ``"f_max"`` otherwise.
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
    max_seconds : float, default=None
        Time after which a portfolio tries no further learner; the first one is always tried.
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
    certificate_ : Certificate
        How far from the best possible value the classifier can be, and what that assumes.
    frontier_ : Frontier
        What every other measure would get from the same sweep.
    portfolio_ : list of dict
        Of a portfolio: each learner with its value alone, its seconds, and the labels in whose
        combination it takes part.
    learner_ : Learner
        What trained the models.
    models_ : list
        The fitted problems, one per label, or one in all; None for a label of one value.
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
        search: str | LevelSearch = "auto",
        selection: str = "auto",
        cost_sensitive: bool = True,
        tune_threshold: bool = True,
        cost_normalization: str = "ratio",
        cv: Any = 3,
        refit: bool = True,
        max_seconds: float | None = None,
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
        self.max_seconds = max_seconds
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def __sklearn_tags__(self) -> Any:
        """Say what kinds of input and target this classifier takes."""
        tags = super().__sklearn_tags__()
        several = get_measure(self.measure).average != "binary"
        tags.classifier_tags.multi_class = several
        tags.classifier_tags.multi_label = several
        inner = [get_tags(estimator).input_tags for estimator in self._estimators]
        tags.input_tags.sparse = all(tag.sparse for tag in inner)
        tags.input_tags.allow_nan = all(tag.allow_nan for tag in inner)
        tags.input_tags.pairwise = all(tag.pairwise for tag in inner)
        return tags

    @property
    def _estimators(self) -> list[Any]:
        """The estimators whose wishes for the input count."""
        if self.estimator is None or isinstance(self.estimator, str):
            return [LinearLearner()]
        return list(self.estimator) if isinstance(self.estimator, list) else [self.estimator]

    @classmethod
    def published(
        cls, measure: str | Measure = "f1", estimator: Any = None, **params: Any
    ) -> MeasureClassifier:
        """Make a classifier that follows the protocol of Puthiya Parambath et al.

        One random third of the rows is held out, 19 levels are tried (and 13 values of C of the
        default learner), candidates and thresholds are chosen without shrinkage, and nothing is
        trained again.

        Parameters
        ----------
        measure : str or Measure, default="f1"
            What to maximise.
        estimator : classifier, default=None
            None stands for ``LinearLearner()``.
        **params : object
            Other parameters of the classifier.

        Returns
        -------
        MeasureClassifier
            Not fitted.

        Examples
        --------
        >>> MeasureClassifier.published("f1_micro").cv
        'holdout'
        """
        goal = get_measure(measure)
        preset: dict[str, Any] = {
            "search": "grid",
            "selection": "c_min" if goal.average == "micro" else "f_max",
            "cv": "holdout",
            "refit": False,
        }
        if estimator is None:
            preset["param_grid"] = {"C": [2.0**i for i in range(-6, 7)]}
        return cls(estimator, measure=measure, **(preset | params))

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
        trainers, splits, targets = self._prepare(X, y, sample_weight, measure)
        plans = [self._make_plan(member, splits, targets, measure) for member, _ in trainers]
        if len(trainers) == 1:
            ((_, trainer),) = trainers
            (plan,) = plans
            found = sweep(trainer, measure, plan)
            choices = found.choices()
            models = self._train(trainer, choices, splits)
            if not self.refit and len(splits) == 1:
                # Solved alone or in a batch, a problem ends within the learner's tolerance, not
                # at the same point; the threshold belongs to the model that is kept.
                choices = _cut_again(trainer, found, choices, models, plan)
            self.learner_: Any = trainer.learner
        else:
            result = fit_portfolio(trainers, plans, measure, self.max_seconds)
            found, choices, models = result.sweep, result.choices, result.models
            self.learner_, self.portfolio_ = result.learner, result.table
        self._keep(targets, found, choices, models)
        return self

    def _prepare(
        self, X: Any, y: Any, sample_weight: Any, measure: Measure
    ) -> tuple[list[tuple[Member, Trainer]], list[Split], Targets]:
        """Check the input; return the members with their trainers, the splits and the targets."""
        for estimator in self._estimators:
            if not hasattr(estimator, "fit_batch"):
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
        pairwise = any(get_tags(estimator).input_tags.pairwise for estimator in self._estimators)
        if not self.refit and (pairwise or self._is_portfolio):
            raise ValueError(
                "A portfolio or a precomputed kernel needs refit=True, so that all rows count."
            )
        codes, parallel = targets.codes, (self.n_jobs, self.verbose)
        trainers = [
            (member, Trainer(member.learner, X, codes, weight, pairwise, *parallel))
            for member in self._make_members(X, targets, measure, seed)
        ]
        return trainers, splits, targets

    def _train(self, trainer: Trainer, choices: Sequence[Choice], splits: list[Split]) -> list[Any]:
        """Train the chosen candidates, on all rows or on those of the first split."""
        rows = np.arange(len(trainer.targets)) if self.refit else splits[0][0]
        return trainer.fit([c.problem for o in choices for c in o.candidates], rows)

    @property
    def _is_portfolio(self) -> bool:
        return isinstance(self.estimator, str | list)

    def _check_choices(self) -> None:
        if isinstance(self.estimator, str) and self.estimator != "auto":
            raise TypeError(
                f"estimator must be a classifier, a list of them, 'auto' or None, got "
                f"{self.estimator!r}."
            )
        if isinstance(self.estimator, list) and not self.estimator:
            raise ValueError("estimator is an empty list; give at least one classifier.")
        if self._is_portfolio and self.param_grid is not None:
            raise ValueError(
                "param_grid is for a single estimator; in a portfolio, list the estimators with "
                "the parameters to try."
            )
        if self.max_seconds is not None and not self._is_portfolio:
            raise ValueError(
                "max_seconds is for portfolios; give estimator='auto' or a list of estimators."
            )
        for name, allowed in _CHOICES.items():
            if getattr(self, name) not in allowed:
                raise ValueError(
                    f"{name} must be one of {', '.join(allowed)}, got {getattr(self, name)!r}."
                )

    def _check_rows(self, X: Any, *, reset: bool) -> Any:
        tags = get_tags(self).input_tags
        pipelines = all(isinstance(estimator, Pipeline) for estimator in self._estimators)
        if pipelines or (hasattr(X, "columns") and tags.allow_nan):
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

    def _make_plan(
        self, member: Member, splits: list[Split], targets: Targets, measure: Measure
    ) -> Plan:
        return Plan(
            search=member.search,
            settings=member.settings,
            splits=splits,
            rule=self._make_rule(targets, measure),
            cost_sensitive=self.cost_sensitive and member.cost_sensitive,
            tune_threshold=self.tune_threshold,
            normalization=self.cost_normalization,
        )

    def _make_members(self, X: Any, targets: Targets, measure: Measure, seed: int) -> list[Member]:
        if isinstance(self.estimator, str):
            members = auto_members(X, targets, seed)
            if self.search == "auto":
                return members
            return [
                replace(m, search=self._make_search(m.learner, measure)) if m.cost_sensitive else m
                for m in members
            ]
        members = []
        for estimator in self._estimators:
            learner = (
                estimator if hasattr(estimator, "fit_batch") else EstimatorLearner(estimator, seed)
            )
            search = self._make_search(learner, measure)
            name = f"{type(estimator).__name__}-{len(members)}"
            members.append(Member(name, learner, self._make_settings(estimator), search))
        return members

    def _make_search(self, learner: Any, measure: Measure) -> LevelSearch:
        if not isinstance(self.search, str):
            return self.search
        if self.search == "auto":
            batched = hasattr(learner, "get_params")
            if batched or not measure.collapses or not self.cost_sensitive:
                return Grid(4)
            return Cone(max_levels=3)
        if self.search not in _SEARCHES:
            raise ValueError(
                f"search must be one of auto, {', '.join(_SEARCHES)} or a level search, "
                f"got {self.search!r}."
            )
        return _SEARCHES[self.search]()

    def _make_settings(self, estimator: Any) -> list[dict[str, Any]]:
        grid = self.param_grid
        if grid is None:
            grid = {"C": C_VALUES} if self.estimator is None else {}
        settings = list(ParameterGrid(grid))
        if not settings:
            raise ValueError("param_grid is empty; give at least one setting, or None.")
        known = estimator.get_params()
        for name in {name for setting in settings for name in setting}:
            if name not in known:
                raise ValueError(
                    f"param_grid: {type(estimator).__name__} has no parameter {name!r}; "
                    f"it has {', '.join(sorted(known))}."
                )
        return settings

    def _make_rule(self, targets: Targets, measure: Measure) -> str:
        if self.selection == "auto":
            if targets.kind != "multilabel":
                return "f_max"
            return "joint" if measure.average == "micro" else "shrunk"
        if targets.kind == "multiclass" and measure.average == "macro":
            raise ValueError(
                "A macro average over classes is no single cost; selection must be 'auto'."
            )
        return self.selection

    def _keep(
        self,
        targets: Targets,
        found: SweepResult,
        choices: list[Choice],
        models: list[Any],
    ) -> None:
        """Set the fitted attributes."""
        self.sweep_, self._choices = found, choices
        self.certificate_ = certify(found.groups, found.by_group, choices)
        self.best_score_ = self.certificate_.value
        self.classes_ = targets.classes
        self._targets = targets.without_rows()
        chosen = [candidate for choice in choices for candidate in choice.candidates]
        thresholds = np.concatenate([choice.thresholds for choice in choices])
        levels = np.array([candidate.level for candidate in chosen])
        costs = np.array([candidate.costs for candidate in chosen])
        self.threshold_: float | NDArray[np.float64]
        self.level_: float | NDArray[np.float64]
        self.best_params_: dict[str, Any] | list[dict[str, Any]]
        if targets.kind == "multilabel":
            # A label of one value has no candidate; that value is predicted.
            labels = [int(candidate.label or 0) for candidate in chosen]
            n_labels = len(targets.classes)
            self.models_: list[Any] = [None] * n_labels
            self.best_params_ = [{} for _ in range(n_labels)]
            self.threshold_ = np.where(targets.always, -1.0, 1.0)
            self.level_, self.costs_ = np.full(n_labels, np.nan), np.full((n_labels, 2), np.nan)
            self.threshold_[labels], self.level_[labels] = thresholds, levels
            self.costs_[labels] = costs[:, ::-1]
            for label, model, candidate in zip(labels, models, chosen, strict=True):
                self.models_[label] = model
                self.best_params_[label] = dict(candidate.params)
            if len(choices) == 1 and np.unique(levels).size == 1:
                self.level_ = float(levels[0])
            return
        self.models_ = models
        self.level_ = float(levels[0])
        self.best_params_ = dict(chosen[0].params)
        if targets.kind == "binary":
            self.threshold_ = float(thresholds[0])
            self.costs_ = costs[0, ::-1]
        else:
            self.threshold_ = thresholds[0][self._columns]
            self.costs_ = costs[0][self._columns]

    @property
    def frontier_(self) -> Frontier:
        """What every measure would get from the candidates of the sweep."""
        check_is_fitted(self)
        return Frontier.from_candidates([c for group in self.sweep_.by_group for c in group])

    def retarget(
        self,
        measure: str | Measure | Objective,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
    ) -> MeasureClassifier:
        """Return a classifier for another measure from the same sweep; nothing is swept again.

        With the training rows, the candidates that the other measure wants are trained on them:
        the result is that of a fresh fit over the same candidates. Without rows nothing is
        trained: only the thresholds of the models at hand are chosen anew.

        Parameters
        ----------
        measure : str, Measure or constraint
            A measure, or :class:`RecallAtPrecision`, :class:`PrecisionAtRecall`,
            :class:`FalseNegativesAtFalsePositives` or :class:`MinimalCost`, for each label.
        X, y, sample_weight : default=None
            The rows that this classifier was fitted on.

        Returns
        -------
        MeasureClassifier
            Fitted.

        Examples
        --------
        >>> from sklearn.datasets import make_classification
        >>> X, y = make_classification(500, weights=[0.9], flip_y=0.1, random_state=0)
        >>> clf = MeasureClassifier(random_state=0).fit(X, y)
        >>> int(clf.predict(X).sum()), int(clf.retarget("f2").predict(X).sum())
        (50, 127)
        """
        check_is_fitted(self)
        if self._is_portfolio:
            raise ValueError(
                "A portfolio keeps no candidates of its combinations; fit it again for the other "
                "measure."
            )
        if (X is None) != (y is None):
            raise ValueError("retarget needs both X and y, or neither.")
        other = clone(self)
        kept = None if X is not None else [c for o in self._choices for c in o.candidates]
        targets, goal = self._targets, get_measure(self.measure)
        if isinstance(measure, str | Measure):
            goal = get_measure(measure)
            other.set_params(measure=measure)
            found = self.sweep_.retarget(goal, other._make_rule(targets, goal), kept)
            choices = found.choices()
        else:
            found = self.sweep_.retarget(goal, self.sweep_.rule, kept)
            choices = found.choices_for(measure)
        if X is None:
            models = [m for m in self.models_ if m is not None]
        else:
            old = get_measure(self.measure)
            ((_, trainer),), splits, _ = other._prepare(X, y, sample_weight, old)
            models = other._train(trainer, choices, splits)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self, name):
                setattr(other, name, getattr(self, name))
        other.learner_ = self.learner_
        other._keep(targets, found, choices, models)
        return other

    @property
    def _columns(self) -> NDArray[np.intp]:
        """Position of each class of `classes_` among the codes."""
        return np.argmax(self.classes_[:, None] == self._targets.order, axis=1)

    def _decision(self, X: Any) -> NDArray[np.float64]:
        """Return scores minus thresholds: (n_samples, n_labels), or a column per class."""
        check_is_fitted(self)
        X = self._check_rows(X, reset=False)
        learnt = [i for i, model in enumerate(self.models_) if model is not None]
        scores = self.learner_.scores([self.models_[i] for i in learnt], X)
        if self._targets.kind == "multiclass":
            return scores[0][:, self._columns] - self.threshold_
        decision = np.zeros((len(scores[0]), len(self.models_)))
        decision[:, learnt] = np.stack(scores, axis=1)
        return decision - self.threshold_

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
        if self._targets.kind == "multiclass" and len(self.classes_) == 2:
            return decision[:, 1] - decision[:, 0]
        if self._targets.kind == "binary":
            sign = 1.0 if self._targets.order[1] == self.classes_[1] else -1.0
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
        if self._targets.kind == "multilabel":
            return (decision > 0).astype(np.intp)
        if self._targets.kind == "binary":
            return self._targets.order[(decision[:, 0] > 0).astype(np.intp)]
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
        if self._targets.kind == "multilabel":
            return expit(self._decision(X))
        if self._targets.kind == "binary":
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
        if self._targets.kind == "binary":
            positive = self._targets.order[1]
            y, predicted = np.asarray(y) == positive, predicted == positive
            return measure.value(
                ErrorProfile.from_labels(y, predicted, sample_weight=sample_weight)
            )
        return measure.score(y, predicted, sample_weight)


def _cut_again(
    trainer: Trainer,
    found: SweepResult,
    choices: list[Choice],
    models: list[Model],
    plan: Plan,
) -> list[Choice]:
    """Choose thresholds on the validation scores of the models that are kept."""
    ((train, test),) = plan.splits
    scores = trainer.learner.scores(models, trainer.rows(test, train))
    problems = [candidate.problem for choice in choices for candidate in choice.candidates]
    curves = iter(
        trainer.curve(problem, test, s, found.groups[0].measure, plan.tune_threshold)
        for problem, s in zip(problems, scores, strict=True)
    )
    return [
        recut(group, choice, [next(curves) for _ in choice.candidates], plan.rule)
        for group, choice in zip(found.groups, choices, strict=True)
    ]
