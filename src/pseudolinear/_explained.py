"""What a fitted classifier says of itself: in words, in numbers with intervals, as a page."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils import estimator_html_repr
from sklearn.utils.validation import check_is_fitted

from pseudolinear._files import write_atomically
from pseudolinear._predictor import MeasurePredictor
from pseudolinear._validation import column_of
from pseudolinear.measures import get_ratio, has_row_costs
from pseudolinear.thresholds import combine

if TYPE_CHECKING:
    from pseudolinear.evaluation import Evaluation
    from pseudolinear.report import Summary


class ExplainedPredictor(MeasurePredictor):
    """Base of :class:`MeasureClassifier`: what is read by people."""

    _interval: tuple[float, float] | None  # of a slimmed classifier
    _n_effective: float  # number of rows of equal weight that tell as much as those validated

    _doc_link_module = "pseudolinear"  # whose estimators scikit-learn's diagram links to

    @property
    def _doc_link_template(self) -> str:
        """The address of the documentation, as the package states it; empty without one."""
        try:
            urls = metadata.metadata("pseudolinear").get_all("Project-URL", [])
        except metadata.PackageNotFoundError:
            return ""
        named = dict(url.split(", ", 1) for url in urls)
        return named.get("Documentation", "")

    def summary(self) -> Summary:
        """Say in about ten lines what was chosen, what it reached and where the time went.

        Returns
        -------
        Summary
            To be printed; its attributes are the numbers.

        Examples
        --------
        >>> from sklearn.datasets import make_classification
        >>> X, y = make_classification(500, weights=[0.9], random_state=0)
        >>> summary = MeasureClassifier("linear", random_state=0).fit(X, y).summary()
        >>> summary.problem, round(summary.value, 3)
        ('binary, positive class 1, 20 features', 0.731)
        """
        from pseudolinear.report import summarise

        check_is_fitted(self)
        return summarise(self, self._sweep)

    def __str__(self) -> str:
        """Write the summary; before `fit`, the constructor."""
        return str(self.summary()) if hasattr(self, "decision_") else repr(self)

    def _html_repr(self) -> str:
        """Return scikit-learn's diagram and, once fitted, the summary below it."""
        diagram = str(estimator_html_repr(self))
        return diagram + self.summary()._repr_html_() if hasattr(self, "decision_") else diagram

    def report(
        self,
        path: str | Path,
        X: Any = None,
        y: Any = None,
        *,
        sample_weight: Any = None,
        by: Any = None,
        importance: bool = False,
        title: str | None = None,
        random_state: Any = None,
    ) -> Path:
        """Write a page that people can read: one file that needs no other, nor a network.

        It has the value with its interval, a threshold to move with everything that follows from
        it, all labels, calibration, other measures, learners and features, the certificate, and
        how the classifier was made.

        Parameters
        ----------
        path : str or Path
            Where to write; a page that is there is replaced.
        X, y : default=None
            Rows that the classifier has not seen, as for :meth:`score`. Without them the page
            tells what the validation rows of the fit have shown.
        sample_weight : array-like of shape (n_samples,), default=None
            Weight of each row.
        by : str, int or array-like of shape (n_samples,), default=None
            What rows are compared by, as for :meth:`evaluate`.
        importance : bool, default=False
            Whether to find out which features the measure depends on, by shuffling them one after
            the other; costs several predictions of all rows per feature.
        title : str, default=None
            Of the page.
        random_state : int, RandomState instance or None, default=None
            Seed of these shuffles.

        Returns
        -------
        Path
            Where the page is.

        Examples
        --------
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from sklearn.datasets import make_classification
        >>> X, y = make_classification(500, weights=[0.9], random_state=0)
        >>> clf = MeasureClassifier("linear", random_state=0).fit(X[:300], y[:300])
        >>> with TemporaryDirectory() as folder:
        ...     page = clf.report(Path(folder) / "report.html", X[300:], y[300:]).read_text()
        >>> page.startswith("<!doctype html>")
        True
        """
        self._refuse_many("report")
        from pseudolinear.report import make_page, report_on_evidence, report_on_rows

        check_is_fitted(self)
        if (X is None) != (y is None):
            raise ValueError("report needs both X and y, or neither.")
        if X is None and (importance or sample_weight is not None or by is not None):
            raise ValueError("importance, by and sample_weight need rows: give X and y as well.")
        if X is None:
            found = report_on_evidence(self)
        else:
            found = report_on_rows(
                self, X, y, sample_weight, by, importance=importance, random_state=random_state
            )
        write_atomically(Path(path), make_page(found, title))
        return Path(path)

    def evaluate(
        self,
        X: Any,
        y: Any,
        *,
        confidence: float = 0.95,
        method: str = "auto",
        sample_weight: Any = None,
        groups: Any = None,
        by: Any = None,
    ) -> Evaluation:
        """Evaluate the predictions for given rows by the measure, with an interval for it.

        The rows must not be those of `fit`, which a warning says where it is noticed: for these see
        `honest_score_` and `honest_interval_`.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The rows.
        y : array-like, sparse matrix, data frame or list of collections
            True classes or labels, as in :meth:`score`.
        confidence, method, sample_weight, groups
            As for :func:`evaluate`.
        by : str, int or array-like of shape (n_samples,), default=None
            What rows are compared by, as for :func:`evaluate`; also the name of a column of X, or
            of an array its position.

        Returns
        -------
        Evaluation
            The value is that of :meth:`score`; of a constraint, what it is after.

        Examples
        --------
        >>> from sklearn.datasets import make_classification
        >>> X, y = make_classification(800, weights=[0.9], random_state=0)
        >>> clf = MeasureClassifier("linear", random_state=0).fit(X[:400], y[:400])
        >>> clf.evaluate(X[400:], y[400:]).value == clf.score(X[400:], y[400:])
        True
        """
        from pseudolinear.evaluation import assess

        kind, objective = self._fitted_decision().kind, self._objective_on(X)
        outcomes = kind.outcomes(y, self._predict(X), objective)
        self._warn_if_seen(X)
        named = isinstance(by, str | int)
        return assess(
            outcomes,
            kind.objective(objective),
            name=self.measure if isinstance(self.measure, str) else repr(self.measure),
            classes=kind.classes,
            confidence=confidence,
            method=method,
            sample_weight=sample_weight,
            groups=groups,
            by=column_of(X, by, "evaluate(by=...)") if named else by,
            by_name=str(by if named else getattr(by, "name", None) or "group"),
        )

    @property
    def honest_interval_(self) -> tuple[float, float]:
        """Where the value on other rows lies, at 95 %, from the validation rows of the fit.

        It is the interval of the delta method around `honest_score_`. Rows are taken to be
        independent, also those of one group, and so are labels.
        """
        honest = self.honest_score_  # says why, where there is none
        if has_row_costs(self._objective) and len(self._fitted_decision().models) > 1:
            raise AttributeError("There is no honest_interval_ of costs by row of several labels.")
        if self._sweep is None:
            assert self._interval is not None
            return self._interval
        from pseudolinear.evaluation import honest_interval

        choices, goals = self._sweep.choices, self._sweep.goals
        pairs = [
            (c.curve, cut) for o in choices for c, cut in zip(o.candidates, o.cuts, strict=True)
        ]
        measure = goals[0].measure if len(goals) == 1 else get_ratio(self.measure)
        return honest_interval(
            honest,
            self._sweep.value,
            measure,
            combine(*zip(*pairs, strict=True)),
            self._n_effective / float(np.mean([goal.design_effect for goal in goals])),
        )

    def slim(self) -> Self:
        """Return a copy without the evidence: it predicts, scores and states its certificate.

        `sweep_`, `frontier_` and `retarget` need the evidence and say so; the honest score and its
        interval stay.

        Returns
        -------
        MeasureClassifier
            Fitted, and as small as what it predicts with.

        Examples
        --------
        >>> from sklearn.datasets import make_classification
        >>> X, y = make_classification(500, weights=[0.9], random_state=0)
        >>> clf = MeasureClassifier("linear", random_state=0).fit(X, y)
        >>> clf.slim().honest_interval_ == clf.honest_interval_
        True
        """
        other = super().slim()
        if self._sweep is not None:
            other._interval = getattr(self, "honest_interval_", None)
        return other
