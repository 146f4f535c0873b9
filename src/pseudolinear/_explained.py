"""What a fitted classifier says of itself: in words, in numbers with intervals, as a page."""

from __future__ import annotations

from importlib import metadata
from typing import TYPE_CHECKING

from sklearn.utils import estimator_html_repr
from sklearn.utils.validation import check_is_fitted

from pseudolinear._predictor import MeasurePredictor

if TYPE_CHECKING:
    from pseudolinear.report import Summary


class ExplainedPredictor(MeasurePredictor):
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
