"""Keys of pieces: a hash of everything that a piece of a fit depends on."""

from __future__ import annotations

import inspect
import json
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from types import FunctionType
from typing import Any

import joblib
import narwhals.stable.v2 as nw
import numpy as np
from sklearn import get_config

from pseudolinear._problem import Problem

COMPUTING = "pseudolinear numpy scipy scikit-learn numba joblib lightgbm skrub"
PLAIN = (bool, int, float, str, type(None))


class PieceKeys:
    """Makes the keys of the pieces of one fit; what is large is read once.

    Two pieces have one key only if rows, targets, weights, splits, learner, problems and the
    versions of what computes are all the same. A key that changes without need costs time; one that
    does not change where it should would mix two fits, so in doubt it changes.

    Examples
    --------
    >>> from pseudolinear.sweep._piece_keys import PieceKeys
    >>> rows, others = np.eye(2), np.ones((2, 2))
    >>> PieceKeys()([rows], "scaled") == PieceKeys()([np.eye(2)], "scaled")
    True
    >>> PieceKeys()([rows], "scaled") == PieceKeys()([others], "scaled")
    False
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, str]] = {}  # by id; kept, so that it stays theirs
        self._settings = json.dumps([_versions(), joblib.hash(get_config())])

    def __call__(self, large: Sequence[Any], *plain: Any) -> str:
        """Return a key.

        Parameters
        ----------
        large : sequence
            Values of any kind, which stay the same objects through the fit.
        *plain
            What JSON can say.

        Returns
        -------
        str
            Of all of them, and of versions and settings.
        """
        text = json.dumps([self._settings, [self._digest(one) for one in large], plain])
        return blake2b(text.encode(), digest_size=20).hexdigest()

    def _digest(self, part: Any) -> str:
        if id(part) not in self._known:
            self._known[id(part)] = part, digest(part)
        return self._known[id(part)][1]


def digest(part: Any) -> str:
    """Return a hash of a value, with the code of what is no part of an installed package.

    Raises
    ------
    TypeError
        For what has no value that could be compared, such as a function without a name.
    """
    try:
        found = joblib.hash([_comparable(part), sorted(map(_code, set(_types(part))))])
    except Exception as error:  # pickle raises whatever the parts of a value raise
        raise TypeError(
            f"A checkpoint cannot tell whether {type(part).__name__} is the same when the fit "
            f"starts again, as it cannot be pickled ({error}); name its functions in a module, or "
            "fit without a checkpoint."
        ) from error
    assert found is not None
    return found


def problem_keys(problems: Sequence[Problem]) -> list[Any]:
    """Return what tells problems from others, as plain values."""
    return [
        [
            type(problem).__name__,
            repr(problem.label),
            [repr(cost) for cost in problem.costs],
            [(name, _value(value)) for name, value in sorted(problem.params.items())],
        ]
        for problem in problems
    ]


def _value(value: Any) -> str:
    return repr(value) if isinstance(value, PLAIN) else digest(value)


def _comparable(part: Any) -> Any:
    """Return data frames as their columns, since equal ones may be pickled differently."""
    frame = nw.from_native(part, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        return part
    columns = [frame.get_column(name) for name in frame.columns]
    index = np.asarray(part.index) if hasattr(part, "index") else None
    return [(one.name, str(one.dtype), one.to_numpy()) for one in columns], index


def _types(part: Any) -> Iterator[Any]:
    """Yield the classes and functions of a value and of what is inside it."""
    seen: set[int] = set()
    todo = [part]
    while todo:
        one = todo.pop()
        if id(one) in seen or isinstance(one, (*PLAIN, np.ndarray)):
            continue
        seen.add(id(one))
        if isinstance(one, FunctionType):
            yield one
            continue
        yield from (one if isinstance(one, type) else type(one)).__mro__
        if isinstance(one, Mapping):
            todo.extend(one.values())
        elif isinstance(one, list | tuple | set | frozenset):
            todo.extend(one)
        elif not isinstance(one, type):
            todo.extend(getattr(one, "__dict__", {}).values())


def _code(made: Any) -> str:
    """Say which version of a class or function it is: that of its package, or its text."""
    root = (made.__module__ or "builtins").partition(".")[0]
    if root in sys.stdlib_module_names and root != "__main__":
        return root
    installed = getattr(sys.modules.get(root), "__version__", None)
    if installed is not None:
        return f"{root} {installed}"
    try:
        return inspect.getsource(made)
    except (OSError, TypeError):  # typed at a prompt
        return f"{made.__module__}.{made.__qualname__}"


def _versions() -> list[str]:
    """Return the versions of what computes."""
    found = [platform.python_version(), platform.machine()]
    for name in COMPUTING.split():
        with suppress(PackageNotFoundError):
            found.append(f"{name} {version(name)}")
    return found
