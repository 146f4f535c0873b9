"""What a fitted classifier says of itself: in words, in numbers with intervals, as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sklearn.utils.validation import check_is_fitted

from pseudolinear._files import write_atomically
from pseudolinear._predictor import MeasurePredictor


class ExplainedPredictor(MeasurePredictor):
    """Base of :class:`MeasureClassifier`: what is read by people."""

    def report(
        self,
        path: str | Path,
        X: Any = None,
        y: Any = None,
        *,
        sample_weight: Any = None,
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
        from pseudolinear.report import make_page, report_on_evidence, report_on_rows

        check_is_fitted(self)
        if (X is None) != (y is None):
            raise ValueError("report needs both X and y, or neither.")
        if X is None and (importance or sample_weight is not None):
            raise ValueError("importance and sample_weight need rows: give X and y as well.")
        if X is None:
            found = report_on_evidence(self)
        else:
            found = report_on_rows(
                self, X, y, sample_weight, importance=importance, random_state=random_state
            )
        write_atomically(Path(path), make_page(found, title))
        return Path(path)
