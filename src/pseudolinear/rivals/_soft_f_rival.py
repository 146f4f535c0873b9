"""SoftFRival: what the rivals share that maximise the soft F-beta."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from pseudolinear.rivals._f_beta_rival import FBetaRival
from pseudolinear.rivals._soft_f_loss import check_descent

ALMOST = float(np.finfo(np.float64).eps)  # no probability is nearer to 0 or 1, so logs are finite


class SoftFRival(FBetaRival):
    """Base of the rivals whose scores are log-odds; children have `alpha` and `slopes`."""

    alpha: float
    slopes: Sequence[float]

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_descent(self.alpha, self.slopes)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Give the probabilities of the model; a label is predicted from one half.

        They are what the soft F-beta was computed with, not estimates of how often a label
        occurs.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, 2) or (n_samples, n_labels)
            Probability of both classes, or of each label of a multilabel problem.
        """
        scores = self._decision(self._new_rows(X))
        if not self._several:
            scores = np.concatenate([-scores, scores], axis=1)
        return np.clip(expit(scores), ALMOST, 1.0 - ALMOST)
