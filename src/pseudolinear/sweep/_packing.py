"""Packing: what a task returns as plain arrays, and back, bit for bit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pseudolinear.errors import ErrorCurve
from pseudolinear.learners._boosting import BoostedModel
from pseudolinear.learners._linear import LinearModel
from pseudolinear.learners._native import ClassModel

Arrays = Mapping[str, NDArray[Any]]
CURVE = ("fn", "fp", "thresholds")
LINEAR = ("coef", "intercept", "optimality", "n_iter", "converged")


class Packing(NamedTuple):
    """How results of one kind are made into arrays and back.

    Attributes
    ----------
    pack : callable
        From a batch's results to arrays, or None where they are no arrays.
    unpack : callable
        The way back.
    """

    pack: Callable[[Sequence[Any]], Arrays | None]
    unpack: Callable[[Arrays], list[Any]]


def pack_curves(curves: Sequence[ErrorCurve]) -> dict[str, NDArray[Any]]:
    """Put curves of the same labels one below the other."""
    found = {name: np.concatenate([getattr(curve, name) for curve in curves]) for name in CURVE}
    found["prevalence"] = np.stack([curve.prevalence for curve in curves])
    return found | {"n_cuts": np.array([len(curve.thresholds) for curve in curves])}


def unpack_curves(arrays: Arrays) -> list[ErrorCurve]:
    """Take them apart again."""
    ends = np.cumsum(arrays["n_cuts"])[:-1]
    fn, fp, thresholds = ([part.copy() for part in np.split(arrays[n], ends)] for n in CURVE)
    pairs = zip(fn, fp, arrays["prevalence"], thresholds, strict=True)
    return [ErrorCurve(*values) for values in pairs]


def pack_models(models: Sequence[Any]) -> dict[str, NDArray[Any]] | None:
    """Make arrays of linear models and of boosted trees; models of other learners have none."""
    if all(isinstance(model, BoostedModel) for model in models):
        states = [model.__getstate__() for model in models]
        texts = [(state["booster"] or "").encode() for state in states]
        return {
            "text": np.frombuffer(b"".join(texts), dtype=np.uint8),
            "n_bytes": np.array([len(text) for text in texts]),
            "present": np.concatenate([model.present for model in models]),
            "n_present": np.array([len(model.present) for model in models]),
            "n_classes": np.array([model.n_classes for model in models]),
        }
    of_classes = all(isinstance(model, ClassModel) for model in models)
    flat = [one for model in models for one in model.models] if of_classes else models
    if not all(isinstance(model, LinearModel) for model in flat):
        return None
    found = {name: np.array([getattr(one, name) for one in flat]) for name in LINEAR}
    return found | ({"per_model": np.array(len(flat) // len(models))} if of_classes else {})


def unpack_models(arrays: Arrays) -> list[Any]:
    """Make models of arrays."""
    if "text" in arrays:
        return _boosted(arrays)
    lists = [arrays["coef"], *(arrays[name].tolist() for name in LINEAR[1:])]
    flat = [LinearModel(*values) for values in zip(*lists, strict=True)]
    if "per_model" not in arrays:
        return list(flat)
    size = int(arrays["per_model"])
    return [ClassModel(flat[i : i + size]) for i in range(0, len(flat), size)]


def _boosted(arrays: Arrays) -> list[BoostedModel]:
    text = arrays["text"].tobytes()
    ends = np.cumsum(arrays["n_bytes"])
    present = np.split(arrays["present"], np.cumsum(arrays["n_present"])[:-1])
    models = []
    for i, (end, size) in enumerate(zip(ends, arrays["n_bytes"], strict=True)):
        model = BoostedModel(None, present[i].copy(), int(arrays["n_classes"][i]))
        model.__setstate__(model.__dict__ | {"booster": text[end - size : end].decode() or None})
        models.append(model)
    return models


MODELS = Packing(pack_models, unpack_models)
