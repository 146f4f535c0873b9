"""Which code makes a result: all modules that are imported on the way to it.

Imports are read, not run, and count wherever they stand, also inside a function. A name that a
file imports but does not use is only passed on, as by the ``__init__`` of a room: it is followed
where somebody asks for it, so that one module of a room does not stand for all of them. Imports
for type checkers alone are followed in the same way only.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.util import resolve_name
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parents[1]
DISCOVERY = {"import_modules", "import_module"}  # what an __init__ calls that imports its folder
ROWS = "datasets"  # the room whose code does not count: results are keyed by the rows themselves

Statement = ast.Import | ast.ImportFrom


class Name(NamedTuple):
    """What an import takes: the name, or ``"*"`` for all of them, and the module that has it."""

    module: str
    name: str


class Imports(NamedTuple):
    """The imports of a file.

    Attributes
    ----------
    taken : list of Name
        What the file needs itself.
    passed_on : dict of str to Name
        What others may import from it, by the name that they use.
    discovers : bool
        Whether it imports whatever lies in its folder.
    """

    taken: list[Name]
    passed_on: dict[str, Name]
    discovers: bool


@cache
def code_hash(module: str) -> str:
    """Return a hash of a module of this package and of all code that it imports from there."""
    return hash_files(modules_behind(module, PACKAGE), PACKAGE)


def hash_files(paths: list[Path], folder: Path) -> str:
    """Return a hash of files: of their places in a folder and of what is in them."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def modules_behind(module: str, package: Path) -> list[Path]:
    """Find the code of a package that a module needs.

    Parameters
    ----------
    module : str
        Full name of the module.
    package : path
        Folder of the package.

    Returns
    -------
    list of path
        The files of the module, of what it imports and of the rooms on the way, sorted. That of
        the package itself is not among them: it only says where the public names are.
    """
    reader = _Reader(package)
    top, found, waiting = package.name, dict[str, Path](), [module]
    while waiting:
        name = waiting.pop()
        if name in found or name == top or f"{name}.".startswith(f"{top}.{ROWS}."):
            continue
        found[name] = reader.file(name)
        waiting += [name.rpartition(".")[0], *reader.needed(name)]
    return sorted(found.values())


class _Reader:
    """Reads the imports of the modules of a package, each once."""

    def __init__(self, package: Path) -> None:
        self.package = package
        self._read: dict[str, Imports] = {}

    def file(self, module: str) -> Path:
        """Return the file of a module; one that is not there must not go unnoticed."""
        place = self._place(module)
        if place is None:
            raise ModuleNotFoundError(f"{module} is imported, but is not in {self.package}.")
        return place

    def needed(self, module: str) -> Iterator[str]:
        """Yield the modules that a module needs itself."""
        imports = self._imports(module)
        for taken in imports.taken:
            yield from self._defining(taken)
        if imports.discovers:
            for path in self.file(module).parent.iterdir():
                if self._place(f"{module}.{path.stem}") and path.stem != "__init__":
                    yield f"{module}.{path.stem}"

    def _defining(self, wanted: Name) -> Iterator[str]:
        """Yield the modules that a name comes through, down to the one that defines it."""
        if self._place(f"{wanted.module}.{wanted.name}"):
            yield f"{wanted.module}.{wanted.name}"
            return
        yield wanted.module
        passed_on = self._imports(wanted.module).passed_on
        for name in passed_on if wanted.name == "*" else {wanted.name} & passed_on.keys():
            yield from self._defining(passed_on[name])

    def _place(self, module: str) -> Path | None:
        base = self.package.joinpath(*module.split(".")[1:])
        places = base / "__init__.py", base.with_name(f"{base.name}.py")
        return next((place for place in places if place.is_file()), None)

    def _imports(self, module: str) -> Imports:
        if module not in self._read:
            self._read[module] = self._parse(module)
        return self._read[module]

    def _parse(self, module: str) -> Imports:
        path = self.file(module)
        used, statements = _names_and_imports(ast.parse(path.read_text(encoding="utf-8")))
        taken, passed_on = [], {}
        for node, runs in statements:
            for bound, name in self._names(node, module):
                is_module = self._place(f"{name.module}.{name.name}") is not None
                if runs and (bound in used or is_module or name.name == "*"):
                    taken.append(name)
                else:
                    passed_on[bound] = name
        return Imports(taken, passed_on, path.name == "__init__.py" and bool(used & DISCOVERY))

    def _names(self, node: Statement, module: str) -> Iterator[tuple[str, Name]]:
        """Yield what a statement imports from the package, and how it is called from then on."""
        if isinstance(node, ast.Import):
            names = [(alias.name, Name(alias.name, "*")) for alias in node.names]
        else:
            inner = self.file(module).name == "__init__.py"
            room = module if inner else module.rpartition(".")[0]
            source = resolve_name("." * node.level + (node.module or ""), room)
            names = [(alias.asname or alias.name, Name(source, alias.name)) for alias in node.names]
        for bound, name in names:
            if name.module.split(".")[0] == self.package.name:
                yield bound, name


def _names_and_imports(tree: ast.Module) -> tuple[set[str], list[tuple[Statement, bool]]]:
    """Collect the names that a file uses, and its imports with whether they run."""
    used, imports = set(), []
    waiting: list[tuple[ast.AST, bool]] = [(tree, True)]
    while waiting:
        node, runs = waiting.pop()
        if isinstance(node, ast.Name):
            used.add(node.id)
        elif isinstance(node, Statement):
            imports.append((node, runs))
        elif isinstance(node, ast.If) and isinstance(node.test, ast.Name):
            runs = runs and node.test.id != "TYPE_CHECKING"
        waiting += [(child, runs) for child in ast.iter_child_nodes(node)]
    return used, imports
