"""The manifest: what a file holds and what wrote it, for people and for later versions."""

from __future__ import annotations

import platform
import warnings
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import sklearn

FORMAT = 1
PACKAGES = ("pseudolinear", "scikit-learn", "numpy", "lightgbm")


def make_manifest(classifier: Any, *, evidence: bool) -> dict[str, Any]:
    """Say what a fitted classifier is, and which versions it was made by."""
    measure = classifier.measure
    return {
        "format": FORMAT,
        "what": f"{type(classifier).__module__}.{type(classifier).__name__}",
        "kind": type(classifier.decision_.kind).__name__.lower(),
        "measure": measure if isinstance(measure, str) else repr(measure),
        "n_classes": len(classifier.classes_),
        "evidence": evidence,
        "versions": {"python": platform.python_version()} | _versions(),
    }


def check_manifest(manifest: Any) -> None:
    """Refuse what a later version has written."""
    number = manifest.get("format") if isinstance(manifest, dict) else None
    if not isinstance(number, int) or number < 1:
        raise ValueError("its manifest states no format")
    if number > FORMAT:
        wrote = manifest.get("versions", {}).get("pseudolinear")
        raise ValueError(
            f"it has format {number}, written by pseudolinear {wrote}, and this version reads "
            f"formats up to {FORMAT}; install a newer pseudolinear"
        )


def warn_of_versions(manifest: dict[str, Any], name: str) -> None:
    """Warn once where another scikit-learn wrote the file."""
    then, now = manifest.get("versions", {}).get("scikit-learn"), sklearn.__version__
    if then != now:
        warnings.warn(
            f"{name} was saved with scikit-learn {then} and is loaded with {now}; compare some "
            "predictions before you rely on it.",
            UserWarning,
            stacklevel=3,
        )


def _versions() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # not installed, or used from a folder
            continue
    return found
