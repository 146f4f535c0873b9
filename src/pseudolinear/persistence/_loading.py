"""Loading: a file as a fitted classifier, without executing anything that the file says."""

from __future__ import annotations

import os
import warnings
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from sklearn.exceptions import InconsistentVersionWarning

from pseudolinear._decision import Decision
from pseudolinear.persistence._archive import read_archive
from pseudolinear.persistence._manifest import check_manifest, warn_of_versions
from pseudolinear.persistence._sharing import join
from pseudolinear.persistence._trusted import OBJECTS, TRUSTED


def load(path: str | os.PathLike[str], *, trusted: Sequence[str | type] = ()) -> Any:
    """Load a classifier that :meth:`MeasureClassifier.save` has written.

    Nothing is executed on loading: the file holds numbers, text, and names of types, of which
    only those on a list are made. Anything else is refused before any of it is made.

    Parameters
    ----------
    path : str or path-like
        The file.
    trusted : sequence of str or type, default=()
        Further types that the file may hold, such as an estimator of another package; the
        error that refuses them names them. Their code is run, so name what you know.

    Returns
    -------
    MeasureClassifier
        Fitted.

    Examples
    --------
    >>> import tempfile
    >>> import pseudolinear
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(500, weights=[0.9], random_state=0)
    >>> clf = pseudolinear.MeasureClassifier("linear", random_state=0).fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     clf.save(f"{folder}/model.plm")
    ...     loaded = pseudolinear.load(f"{folder}/model.plm")
    >>> bool((loaded.predict(X) == clf.predict(X)).all())
    True
    """
    data = Path(path).read_bytes()
    names = [one if isinstance(one, str) else f"{one.__module__}.{one.__name__}" for one in trusted]
    try:
        manifest, schema = read_archive(data)
        check_manifest(manifest)
        _check_calls(schema, set(OBJECTS))
        classifier = _build(data, names)
    except ImportError:
        raise  # it says what to install
    except Exception as error:
        reason = str(error).rstrip(".") or type(error).__name__
        raise ValueError(f"{path} cannot be loaded: {reason}.") from error
    warn_of_versions(manifest, str(path))
    return classifier


def _build(data: bytes, names: list[str]) -> Any:
    """Make the classifier."""
    from skops import io  # late: it looks at every estimator of scikit-learn
    from skops.io.exceptions import UntrustedTypesFoundException

    with warnings.catch_warnings():  # the manifest warns once
        warnings.simplefilter("ignore", InconsistentVersionWarning)
        try:
            parts = io.loads(data, trusted=[*TRUSTED, *names])
        except UntrustedTypesFoundException as error:
            unknown = set(io.get_untrusted_types(data=data)) - {*TRUSTED, *names}
            raise ValueError(
                "it holds types that are not trusted; if you know where it comes from and what "
                f"they do, give trusted={sorted(unknown)}"
            ) from error
    classifier = parts["classifier"] if isinstance(parts, dict) else None
    if not isinstance(getattr(classifier, "decision_", None), Decision):
        raise ValueError("it holds no classifier of this package")
    return join(parts)


def _check_calls(schema: Any, objects: Collection[str]) -> None:
    """Refuse a schema that would call what is only to be filled with attributes.

    To skops a type is trusted or not; a file could then have a trusted one called with arguments
    of its own, as if it were a list, the type of a key or a method.
    """
    todo = [schema]
    while todo:
        node = todo.pop()
        if isinstance(node, dict):
            name = f"{node.get('__module__')}.{node.get('__class__')}"
            if name in objects and node.get("__loader__") not in ("ObjectNode", "TupleNode"):
                raise ValueError(f"it would call {name}, which no model does")
            todo.extend(node.values())
        elif isinstance(node, list):
            todo.extend(node)
