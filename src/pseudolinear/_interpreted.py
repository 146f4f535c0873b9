"""What a fitted classifier says of the columns: coefficients and importances."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._predictor import MeasurePredictor


class InterpretedPredictor(MeasurePredictor):
    """Base of :class:`MeasureClassifier`: what other tools read of a single learner.

    scikit-learn's `RFE`, `SelectFromModel` and others look for `coef_`, then for
    `feature_importances_`; where a classifier has none, asking for it is an AttributeError that
    says why.
    """

    @property
    def coef_(self) -> NDArray[np.float64]:
        """Coefficients of the given columns, one row per label or class, or one in all.

        As of scikit-learn's linear classifiers, ``X @ coef_.T + intercept_`` is
        `decision_function(X)`: the scaling of the columns and the thresholds are in them.

        Examples
        --------
        >>> from sklearn.datasets import make_classification
        >>> X, y = make_classification(500, weights=[0.9], random_state=0)
        >>> clf = MeasureClassifier("linear", random_state=0).fit(X, y)
        >>> bool(np.allclose(X @ clf.coef_[0] + clf.intercept_, clf.decision_function(X)))
        True
        """
        return self._linear_form()[0]

    @property
    def intercept_(self) -> NDArray[np.float64]:
        """What is added, less the thresholds; see :attr:`coef_`."""
        return self._linear_form()[1]

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Shares of the given columns in what trees have gained by splitting; they sum to one.

        Of several labels, and of the learners of a portfolio, this is the mean.

        Examples
        --------
        >>> from sklearn.datasets import make_moons
        >>> X, y = make_moons(400, noise=0.2, random_state=0)
        >>> clf = MeasureClassifier("forest", random_state=0).fit(X, y)
        >>> clf.feature_importances_
        array([0.4, 0.6])
        """
        self._refuse_many("feature_importances_", AttributeError)
        found = []
        for model, view in self._parts():
            gains = _read(model, "importances")
            origins = self.decision_.features.origins(view, len(gains))
            gains = np.bincount(origins, gains, self.n_features_in_)
            found.append(gains / max(gains.sum(), np.finfo(np.float64).tiny))
        return np.mean(found, axis=0)

    def _linear_form(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return coefficients and intercepts: the kind's own functions, applied to them."""
        self._refuse_many("dense coef_", AttributeError)
        kind, features = self.decision_.kind, self.decision_.features
        if self.decision_.view is None:
            raise AttributeError(
                "A portfolio has no coef_, as it combines several learners; use one, such as "
                "MeasureClassifier('linear'), or sklearn.inspection.permutation_importance."
            )
        coef, intercept = {}, {}
        for label, model in enumerate(self.decision_.models):
            if model is not None:
                coef[label], intercept[label] = features.unscaled(
                    self.decision_.view, _read(model, "coef"), _read(model, "intercept")
                )
        intercepts = {label: np.asarray(one)[None] for label, one in intercept.items()}
        margins = kind.margins(intercepts, self.decision_.threshold)
        weights = kind.decision_function(kind.margins(coef, 0.0))
        return np.atleast_2d(weights.T), kind.decision_function(margins).ravel()

    def _parts(self) -> list[tuple[Any, str]]:
        """Return the models with their views, those of blends one by one."""
        models = [model for model in self.decision_.models if model is not None]
        view, scorer = self.decision_.view, self.learner_
        if view is not None:
            return [(model, view) for model in models]
        return [
            (model, scorer.views[share.member])
            for blend in models
            for share, model in zip(blend.shares, blend.models, strict=True)
        ]


def _read(model: Any, name: str) -> Any:
    """Return what a model has, or say that it has not."""
    part = model.models[0] if hasattr(model, "models") else model  # of classes one by one
    if hasattr(type(part), name) or hasattr(part, name):
        return getattr(model, name)
    wanted, kind = (
        ("feature_importances_", "trees") if name == "importances" else ("coef_", "linear")
    )
    raise AttributeError(
        f"This classifier has no {wanted}: {type(part).__name__} is not {kind}; "
        "sklearn.inspection.permutation_importance takes any classifier."
    )
