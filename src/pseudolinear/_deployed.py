"""What a fitted classifier can be turned into: a file, an ONNX graph, a plain pipeline."""

from __future__ import annotations

import os
from typing import Any

from sklearn.utils.validation import check_is_fitted

from pseudolinear._evidenced import EvidencedPredictor


class DeployedPredictor(EvidencedPredictor):
    """Base of :class:`MeasureClassifier`: what leaves the process."""

    def save(
        self, path: str | os.PathLike[str], *, evidence: bool = False, overwrite: bool = True
    ) -> None:
        """Write the classifier to one file, which :func:`pseudolinear.load` reads.

        Loading executes nothing that the file says, unlike a pickle. The file is written whole or
        not at all.

        Parameters
        ----------
        path : str or path-like
            The file; by convention its name ends in ``.plm``.
        evidence : bool, default=False
            Whether the sweep is kept, which `retarget`, `sweep_` and `frontier_` need; by default
            what predicts is all that is written, see :meth:`slim`.
        overwrite : bool, default=True
            Whether a file of this name may be replaced.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from sklearn.datasets import make_classification
        >>> X, y = make_classification(500, weights=[0.9], random_state=0)
        >>> clf = MeasureClassifier("linear", random_state=0).fit(X, y)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     clf.save(f"{folder}/model.plm")
        ...     Path(f"{folder}/model.plm").stat().st_size < 10_000
        True
        """
        from pseudolinear.persistence import save

        check_is_fitted(self)
        save(self if evidence else self.slim(), path, evidence=evidence, overwrite=overwrite)

    def to_onnx(self, X: Any = None) -> Any:
        """Export what predicts as an ONNX model, in double precision, thresholds included.

        Needs the package `onnx`; onnxruntime 1.20 or later runs the model. What can be exported
        and how rows go in: docs/guide/export.md.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features), default=None
            Rows to check the model on: onnxruntime predicts them, and an error says if a row is
            predicted otherwise than by this classifier.

        Returns
        -------
        onnx.ModelProto
            Its input is the matrix ``X`` of doubles, or one column per column of a table; its
            outputs are ``label``, what `predict` gives (of several labels the 0/1 matrix),
            ``decision``, what `decision_function` gives, and ``probability``, what `predict_proba`
            gives, if there is one.

        Examples
        --------
        >>> from sklearn.datasets import make_classification
        >>> X, y = make_classification(500, weights=[0.9], random_state=0)
        >>> clf = MeasureClassifier("linear", random_state=0).fit(X, y)
        >>> model = clf.to_onnx(X)
        >>> [output.name for output in model.graph.output]
        ['label', 'decision', 'probability']
        """
        from pseudolinear.persistence.onnx import to_onnx

        self._refuse_policy("ONNX")
        return to_onnx(self, X)

    def to_sklearn(self) -> Any:
        """Say what predicts in plain scikit-learn, thresholds included.

        The pipeline needs nothing of this package. Linear learners become a `LogisticRegression`
        or a `LinearSVC` behind the transformers of their features; a wrapped classifier stays what
        it is; both are cut by a `FixedThresholdClassifier`, one per label in a
        `MultiOutputClassifier`. Thresholds of several classes go into the intercepts of a linear
        model. What cannot be said so, such as a blend, is an error that says why.

        Returns
        -------
        Pipeline
            Fitted; it predicts every row as this classifier does, labels as the 0/1 matrix.

        Examples
        --------
        >>> from sklearn.datasets import make_classification
        >>> X, y = make_classification(500, weights=[0.9], random_state=0)
        >>> clf = MeasureClassifier("linear", random_state=0).fit(X, y)
        >>> plain = clf.to_sklearn()
        >>> type(plain[-1]).__name__, bool((plain.predict(X) == clf.predict(X)).all())
        ('FixedThresholdClassifier', True)
        """
        from pseudolinear.persistence.plain import to_sklearn

        self._refuse_policy("plain scikit-learn")
        return to_sklearn(self.decision_)

    def _refuse_policy(self, form: str) -> None:
        self._refuse_many(f"export to {form}")
        policy = self._fitted_decision().policy
        if policy is not None:
            raise ValueError(
                f"A decision by {type(policy).__name__} looks at more than the score of a row, "
                f"which {form} cannot say; keep it by clf.save(path)."
            )
