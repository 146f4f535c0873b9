"""Machine code of a loop on disk."""

from numba.core.caching import FunctionCache
from numba.core.runtime import rtsys


class CodeCache(FunctionCache):
    """Numba's cache, without what only compiling needs.

    Numba learns all functions it could compile before it looks for code that is compiled already:
    two thirds of the wait for a first fit whose loops are on disk. It learns them anyway as soon as
    something has to be compiled.
    """

    def load_overload(self, sig, target_context):
        """Load the code for the given types of arguments, or None."""
        rtsys.initialize(target_context)  # memory of arrays: all that loaded code is linked with
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)
