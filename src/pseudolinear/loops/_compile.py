"""How loops are compiled: once for all processes where the machine can be written to."""

from contextlib import suppress

from numba import config, njit

from pseudolinear.loops._code_cache import CodeCache


def compiled(function=None, **options):
    """Compile a loop when it is first called, without Python's lock.

    The machine code is cached beside the module or in the user's home. Where neither can be written
    to, as in a read-only container, every process compiles for itself: a folder that others can
    write to as well must not hold code that is executed.

    Parameters
    ----------
    function : callable, default=None
        The loop; None returns a decorator.
    **options
        Of ``numba.njit``.

    Returns
    -------
    callable
        The compiled loop.
    """
    if function is None:
        return lambda loop: compiled(loop, **options)
    # Nobody calls loops from C: without wrappers for it a tenth less is compiled.
    options = {"nogil": True, "no_cfunc_wrapper": True, **options}
    loop = njit(function, **options)
    if not config.DISABLE_JIT:
        with suppress(RuntimeError):  # no place for the cache
            loop._cache = CodeCache(function)
    return loop


def called_by_loops(function):
    """Compile a loop that only other loops call: nothing that Python would call it by is made."""
    return compiled(function, no_cpython_wrapper=True)
