"""Saving: a fitted classifier as one file."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED

from pseudolinear._files import write_atomically
from pseudolinear.persistence._archive import add_manifest
from pseudolinear.persistence._manifest import make_manifest
from pseudolinear.persistence._sharing import part
from pseudolinear.persistence._trusted import TRUSTED


def save(classifier: Any, path: str | os.PathLike[str], *, evidence: bool, overwrite: bool) -> None:
    """Write a fitted classifier as it is; see :meth:`MeasureClassifier.save`.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sklearn.datasets import make_classification
    >>> from pseudolinear.persistence import save
    >>> X, y = make_classification(300, weights=[0.8], random_state=0)
    >>> clf = MeasureClassifier("linear", random_state=0).fit(X, y)
    >>> path = Path(tempfile.mkdtemp()) / "model.plm"
    >>> save(clf.slim(), path, evidence=False, overwrite=False)
    >>> bool((load(path).predict(X) == clf.predict(X)).all())
    True
    """
    path = Path(path)
    if not overwrite and path.exists():
        raise FileExistsError(f"{path} exists already; choose another name or overwrite it.")
    data = _dump(part(classifier))
    write_atomically(path, add_manifest(data, make_manifest(classifier, evidence=evidence)))


def _dump(parts: dict[str, Any]) -> bytes:
    """Return what skops makes of it, if it can be loaded again."""
    from skops import io  # late: it looks at every estimator of scikit-learn

    try:
        data = io.dumps(parts, compression=ZIP_DEFLATED)
    except Exception as error:
        raise TypeError(
            f"This classifier holds something that cannot be saved without executing code on "
            f"loading ({error}); use joblib, and load it only where you trust the file."
        ) from error
    for name in set(io.get_untrusted_types(data=data)) - set(TRUSTED):
        _check_found(name)
    return data


def _check_found(name: str) -> None:
    """Raise an error unless a type or function can be found by its name."""
    module, _, last = name.rpartition(".")
    try:
        getattr(import_module(module), last)
    except (ImportError, AttributeError, ValueError) as error:
        raise TypeError(
            f"This classifier holds {name}, which no other process can find; define it at the top "
            "of a module that can be imported."
        ) from error
