"""Rooms that find what is in them, so that adding a thing touches its own file only."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any, ClassVar


class Named:
    """Base of families whose members can be given by name.

    A family is a child with a dictionary `known` of its own; its children with a `name` enter
    themselves there.
    """

    name: ClassVar[str] = ""
    known: ClassVar[dict[str, type[Any]]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Make the class known by its name."""
        super().__init_subclass__(**kwargs)
        if cls.name:
            cls.known[cls.name] = cls


def import_modules(package: str) -> None:
    """Import every module of a package, so that what it defines can make itself known."""
    for module in iter_modules(import_module(package).__path__):
        import_module(f"{package}.{module.name}")
