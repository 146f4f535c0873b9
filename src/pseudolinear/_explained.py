"""What a fitted classifier says of itself: in words, and as a page."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sklearn.utils import estimator_html_repr
from sklearn.utils.validation import check_is_fitted

from pseudolinear._evaluated import EvaluatedPredictor
from pseudolinear._files import write_atomically

if TYPE_CHECKING:
    from pseudolinear.report import Summary


class ExplainedPredictor(EvaluatedPredictor):
    """Base of :class:`MeasureClassifier`: what is read by people."""

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
