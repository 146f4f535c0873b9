"""The libraries that NumPy's and SciPy's linear algebra come from."""

from functools import cache

from threadpoolctl import ThreadpoolController

# processors for which OpenBLAS has loops that take small matrices as they lie (AVX-512)
UNCOPIED = {"SkylakeX", "Cooperlake", "SapphireRapids"}


@cache
def libraries() -> ThreadpoolController:
    """Return what sets the numbers of their threads; to look for them takes its time."""
    return ThreadpoolController()


@cache
def takes_small_matrices() -> bool:
    """Say whether small matrices are multiplied without a copy, so that pieces take less time."""
    return any(library.get("architecture") in UNCOPIED for library in libraries().info())
