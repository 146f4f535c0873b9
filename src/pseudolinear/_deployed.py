"""What a fitted classifier can be turned into: a file, an ONNX graph, a plain pipeline."""

from __future__ import annotations

import os

from sklearn.utils.validation import check_is_fitted

from pseudolinear._predictor import MeasurePredictor


class DeployedPredictor(MeasurePredictor):
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
