"""MeasureClassifier: the scikit-learn face of the sweep."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, ClassVar

from sklearn.base import MetaEstimatorMixin
from sklearn.utils.metadata_routing import UNUSED, MetadataRouter

from pseudolinear._adapted import AdaptedPredictor
from pseudolinear._callbacks import CallbackSupportMixin, ToldCallbacks
from pseudolinear._deployed import DeployedPredictor
from pseudolinear._explained import ExplainedPredictor
from pseudolinear._fingerprint import fingerprint
from pseudolinear._grouped import GroupedPredictor
from pseudolinear._interpreted import InterpretedPredictor
from pseudolinear._journal import READING, Journal, ShownProgress
from pseudolinear._many_labels import ManyLabelsPredictor
from pseudolinear._parted import PartedPredictor
from pseudolinear._progress import Progress
from pseudolinear._promised import PromisedPredictor
from pseudolinear._retrained import RetrainedPredictor
from pseudolinear.extreme import read_memory, takes_many
from pseudolinear.labels import column_name
from pseudolinear.measures import Measure, Objective, get_ratio
from pseudolinear.portfolio import (
    Common,
    Member,
    add_parts,
    fit_portfolio,
    fit_single,
    list_estimators,
)
from pseudolinear.scale import is_parted
from pseudolinear.search import LevelSearch
from pseudolinear.selection import Rule


class MeasureClassifier(
    CallbackSupportMixin,
    MetaEstimatorMixin,
    PartedPredictor,
    ManyLabelsPredictor,
    ExplainedPredictor,
    DeployedPredictor,
    InterpretedPredictor,
    PromisedPredictor,
    GroupedPredictor,
    AdaptedPredictor,
    RetrainedPredictor,
):
    """Classifier trained for a pseudo-linear measure.

    For each level of the measure that the search proposes, and each setting of the
    hyper-parameters, the learner is trained with the costs of that level, its validation
    scores are cut at the best threshold, and the best classifier is kept.

    Binary, multilabel and multiclass problems are told apart by `y`. A macro average gives every
    label a level, hyper-parameters and a threshold of its own; a micro average shares one level
    among all labels. A multiclass problem is trained with class weights.

    Parameters
    ----------
    estimator : "auto", name, classifier, learner or list of them, default="auto"
        What is trained. ``"auto"`` is a portfolio of linear models, lifted ones and boosted trees
        that suit the data, blended for every label; numbers of any scale, categories, dates, text
        and missing values are made into what each of them likes. One of them can be asked for by
        its name: ``"linear"`` is logistic regression with four values of C, trained many problems
        at once. Any scikit-learn classifier will do as well, pipelines included, or a
        :class:`~pseudolinear.learners.Learner`; a list is a portfolio of your own. Of a classifier
        that is fitted already, as a `FrozenEstimator`, thresholds alone are chosen, on all rows.
    measure : str, Measure or Objective, default="f1"
        What to maximise; see :func:`get_measure` for the names. Of a constraint such as
        :class:`RecallAtPrecision` or :class:`Budget`, F1 is swept and every label is chosen for the
        constraint; of ``"mcc"`` and ``"g_mean"``, a relative with costs. :class:`ExpectedCost` is
        in your unit, such as money, with the same costs for all rows or those in a column of `X`.
    pos_label : object, default=None
        The positive class of a binary problem. None takes 1 of the classes 0 and 1 or -1 and 1,
        and of other classes the rarer one: name it where both are nearly as frequent.
    param_grid : dict or list of dict, default=None
        Values of the estimator's hyper-parameters to try, as for scikit-learn's
        `ParameterGrid`; for a single estimator.
    search : {"auto", "grid", "bracket", "bisection", "dinkelbach", "cone"} or LevelSearch
        Which levels to try: all of a grid at once, or where the last levels point to. ``"auto"``,
        the default, is a grid of four levels for learners that train many problems at once, and up
        to three levels of the cone for the others.
    selection : str or Rule, default="auto"
        How candidates and thresholds are chosen: ``"largest_value"``, ``"smoothed"``,
        ``"least_cost"``, ``"joint"``, ``"shrunk"`` or ``"both"``, that is, by the largest value of
        each label; the same, but cut on a smoothed curve, which chance moves less; by the least
        cost within a level and the largest value among levels; within a level by the largest value
        of all labels together; as ``"largest_value"``, but with rare labels shrunk towards the
        others; or by the mean of the macro and the micro average. ``"auto"``, the default, is
        ``"joint"`` for micro averages over several labels, ``"shrunk"`` for macro averages over
        them, ``"smoothed"`` for binary problems, and ``"largest_value"`` for classes.
    cost_sensitive : bool, default=True
        Whether the learner is trained with the costs of the level; any classifier can without.
    tune_threshold : bool, default=True
        Whether scores are cut at the best threshold, or at the natural one.
    cv : int, "holdout", "prefit", splitter or iterable of splits, default=3
        How rows are held out for validation: a number of shuffled folds whose scores are pooled,
        one random third of the rows (the published protocol), or anything that scikit-learn takes.
        ``"prefit"``: the estimator is fitted already, as if it were a `FrozenEstimator`.
    refit : bool, default=True
        Whether what was chosen is trained on all rows, or on the training rows of the first split.
    effort : {"fast", "balanced", "best"}, default="balanced"
        How much of ``"auto"`` is tried: linear and lifted models; boosted trees as well; or also
        splines, kernels and more trees, for half a point at several times the time.
    max_seconds : float, default=None
        Time after which nothing further is tried; one candidate of every label always is. What was
        left out is said in a warning.
    probabilities : {"agreeing", "calibrated"}, default="agreeing"
        What `predict_proba` gives: the nearest to calibrated probabilities that agree with
        `predict`; or calibrated ones, which `predict` cuts at `probability_threshold_`.
    max_memory : str or float, default=None
        Of 1,000 labels and more: what the arrays of a fit may take besides the rows, as ``"8GB"``,
        ``"512MB"`` or a number of bytes. Labels are trained in blocks of that size, and weights
        that take more go to disk (docs/guide/many_labels.md). None is half of the machine's memory.
    n_jobs : int, default=None
        Number of parallel jobs (joblib); the result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds and of every `random_state` of the estimator that is None.
    verbose : bool, default=False
        Whether to show progress on the error stream: a bar with the time left, or a line for every
        tenth where it is no terminal. scikit-learn's callbacks (`set_callbacks`, from its version
        1.9 on) and the logger ``"pseudolinear"`` say more (docs/guide/parallel.md).

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes; of a multilabel problem the names of the labels, or the column numbers where
        they have none.
    pos_label_ : object
        The positive class; of a binary problem only.
    threshold_ : float or ndarray
        Threshold of the score; one per label, or per class of a multiclass problem.
    probability_threshold_ : float or ndarray of shape (n_labels,)
        The same as a calibrated probability.
    level_ : float or ndarray of shape (n_labels,)
        Level at which the chosen candidates were trained.
    costs_ : ndarray of shape (2,), (n_labels, 2) or (n_classes,)
        Costs of a false negative and a false positive that the learner was given; of a
        multiclass problem the weight of each class.
    best_params_ : dict or list of dict
        Chosen hyper-parameters; one per label of a multilabel problem.
    best_score_ : float
        Value of the measure on the validation rows: optimistic, since the choice was made on them.
    honest_score_ : float
        The same without what choosing gained: nearly unbiased for new rows (docs/selection.md). It
        compares what each fold alone would choose, so it needs two folds or more and a measure.
    honest_interval_ : tuple of float
        Where the value on new rows lies around `honest_score_`, at 95 % (docs/guide/trust.md).
    decision_ : Decision
        What predicts: `learner_` (what scores), `models_` (one per label or one in all, None for
        a label of one value) and `threshold_` are read from it.
    prevalence_ : float, ndarray of shape (n_labels,) or None
        Prevalence that thresholds and probabilities are for, after `retarget` or `adapt`; None
        where it is that of the training rows.
    adaptation_ : Adaptation
        After `adapt`: what the unlabelled rows have shown.
    certificate_ : Certificate
        How far from the best possible value the classifier can be, and what that assumes.
    sweep_ : SweepResult
        Every candidate and the choice; ``sweep_.to_pandas()`` is a table.
    frontier_ : Frontier
        What every other measure would get from the same sweep.
    coef_ : ndarray of shape (1, n_features) or (n_labels or n_classes, n_features)
        Of a single linear learner on columns of numbers: ``X @ coef_.T + intercept_`` is
        `decision_function(X)`.
    intercept_ : ndarray of shape (1,) or (n_labels or n_classes,)
        See `coef_`.
    feature_importances_ : ndarray of shape (n_features,)
        Of trees: the share of each column in what they have gained.
    portfolio_ : list of dict
        Of a portfolio: each learner with its value alone, its seconds, and the labels in whose
        combination it takes part.
    timings_ : list of (str, float)
        What took how many seconds: reading the rows, each learner, combining them, and training on
        all rows.
    resolution_ : float
        Of rows in parts: by how much a cut between those that were counted could raise the value
        of a label, at the most; 0 where the threshold is exact.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features, where `X` has them.
    target_name_, text_name_ : object or None
        Name of the column that `y` was, and of the column of texts that `X` was.

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

    # Groups as for scikit-learn's group splitters; a checkpoint is no metadata of the rows.
    __metadata_request__fit: ClassVar = {"groups": True, "checkpoint": UNUSED}

    def __init__(
        self,
        estimator: Any = "auto",
        *,
        measure: str | Measure | Objective = "f1",
        pos_label: Any = None,
        param_grid: Any = None,
        search: str | LevelSearch = "auto",
        selection: str | Rule = "auto",
        cost_sensitive: bool = True,
        tune_threshold: bool = True,
        cv: Any = 3,
        refit: bool = True,
        effort: str = "balanced",
        max_seconds: float | None = None,
        probabilities: str = "agreeing",
        max_memory: str | float | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: bool = False,
    ) -> None:
        self.estimator = estimator
        self.measure = measure
        self.pos_label = pos_label
        self.param_grid = param_grid
        self.search = search
        self.selection = selection
        self.cost_sensitive = cost_sensitive
        self.tune_threshold = tune_threshold
        self.cv = cv
        self.refit = refit
        self.effort = effort
        self.max_seconds = max_seconds
        self.probabilities = probabilities
        self.max_memory = max_memory
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def __sklearn_tags__(self) -> Any:
        """Say what kinds of input and target this classifier takes."""
        tags = super().__sklearn_tags__()
        goal = self._objective
        if isinstance(goal, Measure):
            tags.classifier_tags.multi_class = goal.for_classes(3).average != "binary"
            tags.classifier_tags.multi_label = goal.average != "binary"
        else:  # other objectives are for labels, not for classes
            tags.classifier_tags.multi_class, tags.classifier_tags.multi_label = False, True
        tags.input_tags.sparse = all(able.sparse for able in self._abilities)
        tags.input_tags.allow_nan = all(able.missing for able in self._abilities)
        tags.input_tags.pairwise = all(able.pairwise for able in self._abilities)
        return tags

    @classmethod
    def published(
        cls, measure: str | Measure = "f1", estimator: Any = "linear", **params: Any
    ) -> MeasureClassifier:
        """Make a classifier that follows the protocol of Puthiya Parambath et al.

        One random third of the rows is held out, 19 levels are tried (and 13 values of C of the
        default learner), micro averages choose by the least cost (the literature's `C_min`), others
        by the largest value (`F_max`), and nothing is trained again.

        Parameters
        ----------
        measure, estimator, **params
            As for the class.

        Returns
        -------
        MeasureClassifier
            Not fitted.

        Examples
        --------
        >>> MeasureClassifier.published("f1_micro").selection
        'least_cost'
        """
        micro = get_ratio(measure).average == "micro"
        preset: dict[str, Any] = {
            "search": "grid",
            "selection": "least_cost" if micro else "largest_value",
            "cv": "holdout",
            "refit": False,
        }
        if isinstance(estimator, str):
            preset["param_grid"] = {"C": [2.0**i for i in range(-6, 7)]}
        return cls(estimator, measure=measure, **(preset | params))

    def get_metadata_routing(self) -> MetadataRouter:
        """Say which metadata goes where, for scikit-learn's metadata routing.

        `sample_weight` and `groups` are used here; the classifier inside, the steps of a pipeline
        and the splitter get what they request besides. The costs reach the classifier without a
        request.

        Returns
        -------
        MetadataRouter
            What scikit-learn asks.
        """
        router = MetadataRouter(owner=self).add_self_request(self)
        learners = list_estimators(self._given, costs=self.cost_sensitive)
        return add_parts(router, learners, self.cv)

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        groups: Any = None,
        *,
        checkpoint: Any = None,
        **fit_params: Any,
    ) -> MeasureClassifier:
        """Sweep, select and train.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame, or rows in parts
            The rows, of shape (n_samples, n_features). Rows that memory need not hold: the path of
            a Parquet file or folder, an Arrow data set, a list of `Path` of files in svmlight's
            format, a large memory-mapped array, an iterator of batches, a collection of Dask, or
            any :class:`~pseudolinear.scale.Parts`.
        y : array-like, sparse matrix, data frame, list of collections or name of a column
            Classes of any type; or the labels of a multilabel problem: a 0/1 matrix, dense or
            sparse, a data frame with a 0/1 or boolean column per label, or a list, array or column
            with a list, tuple or set of labels for each row. Lists of equal length that hold only
            0 and 1 are the rows of a matrix; labels called 0 and 1 are told by sets. A frame
            of a single column is that column. Of rows in files, the name of their column, or a
            list of those of the labels; batches hold their own.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row, in training and validation.
        groups : array-like of shape (n_samples,), default=None
            Rows of one group (a patient, a document) are not split between training and validation.
        checkpoint : path-like, default=None
            Folder in which finished batches are kept, so that a fit that was killed goes on where
            it was when the same call is made again (docs/guide/checkpoints.md). It needs a
            `random_state`.
        **fit_params
            What the estimator inside or the splitter requests, with scikit-learn's metadata
            routing enabled: rows of it, where it has one value per row.

        Returns
        -------
        self
            The fitted classifier.

        Examples
        --------
        >>> X = np.eye(4)[[0, 1, 2, 3] * 10]
        >>> y = [["sport"], ["news"], ["news", "sport"], []] * 10
        >>> clf = MeasureClassifier(measure="f1_macro", random_state=0).fit(X, y)
        >>> clf.predict(X[:4])
        [['sport'], ['news'], ['news', 'sport'], []]
        """
        read_memory(self.max_memory)  # says what is wrong with it
        self._check_seconds()
        if is_parted(X):
            return self._fit_parted(X, y, sample_weight, groups, checkpoint, fit_params)
        journal = Journal()
        if takes_many(self, y):
            return self._fit_many(X, y, sample_weight, groups, checkpoint, fit_params, journal)
        with journal.stage(READING):
            members, common = self._prepare(X, y, sample_weight, groups, fit_params, journal)
            common = replace(common, checkpoint=self._open(checkpoint, members))
        self.target_name_, self.text_name_ = column_name(y), column_name(X)
        for name in ("portfolio_", "adaptation_", "many_labels_"):  # of an earlier fit
            self.__dict__.pop(name, None)
        self._n_effective, self._seen = common.n_effective, fingerprint(X)
        callbacks = ToldCallbacks(self, len(members) + 1, X, y)  # the last: training on all rows
        with callbacks, self._shown(members, common), common.workers:
            journal.watchers.append(callbacks)
            if self._is_portfolio:
                fitted = fit_portfolio(members, common)
                self.portfolio_ = fitted.table
            else:
                fitted = fit_single(members[0], common, refit=self.refit)
            self.timings_ = journal.timings
            return self._keep(fitted, X)

    @contextmanager
    def _shown(self, members: list[Member], common: Common) -> Iterator[None]:
        """Show a progress bar: every fold of a member weighs as much as its training at the end."""
        with Progress("fit", shown=bool(self.verbose)) as progress:
            total = len(members) * (len(common.splits) + 1)
            common.journal.watchers.append(ShownProgress(progress, total))
            yield
