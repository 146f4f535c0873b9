"""Machine code of a loop on disk."""

import inspect
from hashlib import sha256

from numba.core.caching import FunctionCache
from numba.core.runtime import rtsys

# what of Numba's cache is used here; a version without them loads code as it does
OF_NUMBA = ("_guard_against_spurious_io_errors", "_load_overload")


class CodeCache(FunctionCache):
    """Numba's cache, without what only compiling needs, and with what it forgets.

    Numba learns all functions it could compile before it looks for code that is compiled already:
    two thirds of the wait for a first fit whose loops are on disk. It learns them anyway as soon as
    something has to be compiled.

    Numba knows code by the file of the loop, and what the loop calls by name only. Here it is known
    by all that it was made of: otherwise a changed loss would go on running as it was.
    """

    def load_overload(self, sig, target_context):
        """Load the code for the given types of arguments, or None."""
        if not all(hasattr(self, name) for name in OF_NUMBA):
            return super().load_overload(sig, target_context)
        rtsys.initialize(target_context)  # memory of arrays: all that loaded code is linked with
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def _index_key(self, sig, codegen):
        code = sha256(code_of(self._py_func).encode()).hexdigest()
        return sig, codegen.magic_tuple(), code


def code_of(function):
    """Return the code of a function and of the loops and numbers it uses.

    Parameters
    ----------
    function : callable
        Plain or compiled.

    Returns
    -------
    str
        The same in every process.
    """
    function = getattr(function, "py_func", function)
    code, used = function.__code__, inspect.getclosurevars(function)
    parts = [code.co_code.hex(), str(code.co_consts), str(code.co_names)]
    for name, value in sorted((used.globals | used.nonlocals).items()):
        if hasattr(value, "py_func"):
            parts.append(f"{name}: {code_of(value)}")
        elif isinstance(value, int | float):
            parts.append(f"{name}: {value}")
    return "\n".join(parts)
