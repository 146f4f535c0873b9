"""How loops are compiled: once for all processes where the machine can be written to."""

import gc
from contextlib import suppress
from functools import wraps

from numba import config, njit
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.options import DefaultOptions

from pseudolinear.loops._code_cache import CodeCache

ANY_ORDER = {"reassoc", "contract", "nsz"}  # for ``fastmath``: sums may be split over registers
# Numba keeps this option to itself; a version without it compiles as it does
NO_MEMORY = {"_nrt": False} if hasattr(DefaultOptions, "_nrt") else {}
# for closures, contexts, branches by type, literals, functions that are inlined by type, and text
OF_OTHERS = {
    "inline_closure_likes",
    "with_lifting",
    "rewrite_semantic_constants",
    "dead_branch_prune",
    "Rewrite dynamic raises",
    "make_function_op_code_to_jit_function",
    "find_literally",
    "literal_unroll",
    "LiteralPropagation",
    "inline_overloads",
    "nopython_rewrites",
    "annotate_types",
}


class PlainCompiler(Compiler):
    """Numba's compiler, without the passes that plain loops have no use for.

    LLVM is told that what is written is no part of another array. Otherwise a loop begins by
    comparing the places of all arrays, which is worth it for many lanes only: fewer than 16 (the
    logistic loss) or 32 (the squared hinge) took the time of scalar code, three to four times as
    long.
    """

    def define_pipelines(self):
        """Return Numba's passes but for some, which are known by name."""
        self.state.flags.noalias = True
        pipelines = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [one for one in pipeline.passes if one[0]._name not in OF_OTHERS]
            pipeline.finalize()
        return pipelines


def compiled(function=None, plain=False, lanes=False, **options):
    """Compile a loop when it is first called, without Python's lock.

    The machine code is cached beside the module or in the user's home. Where neither can be written
    to, as in a read-only container, every process compiles for itself: a folder that others can
    write to as well must not hold code that is executed.

    Parameters
    ----------
    function : callable, default=None
        The loop; None returns a decorator.
    plain : bool, default=False
        Whether the loop makes no arrays, has nothing in it but loops, conditions and arithmetic,
        and writes into no array that shares memory with another of its arguments: it is compiled in
        a seventh less time, and is vector code for few lanes too.
    lanes : bool, default=False
        Whether innermost loops run over ``LANES`` numbers: LLVM writes them out and then joins what
        is written out to vector registers, which Numba keeps it from otherwise.
    **options
        Of ``numba.njit``.

    Returns
    -------
    callable
        The compiled loop.
    """
    if function is None:
        return lambda loop: compiled(loop, plain, lanes, **options)
    # Nobody calls loops from C: without wrappers for it a tenth less is compiled.
    options = {"nogil": True, "no_cfunc_wrapper": True, **options}
    if plain:
        options |= {"pipeline_class": PlainCompiler, **NO_MEMORY}
    loop = njit(function, **options)
    if not config.DISABLE_JIT:
        with suppress(RuntimeError):  # no place for the cache
            loop._cache = CodeCache(function)
        loop.compile = uncollected(joined(loop.compile) if lanes else loop.compile)
    return loop


def called_by_loops(function):
    """Compile a loop that only other loops call: nothing that Python would call it by is made."""
    return compiled(function, no_cpython_wrapper=True)


def joined(work):
    """Let LLVM join numbers that stand side by side to vectors while a function works.

    A setting of the process, changed while nobody else compiles.
    """

    @wraps(work)
    def work_joining(*args):
        with global_compiler_lock:
            before, config.SLP_VECTORIZE = config.SLP_VECTORIZE, 1
            try:
                return work(*args)
            finally:
                config.SLP_VECTORIZE = before

    return work_joining


def uncollected(work):
    """Let a function work without Python's garbage collector.

    Compiling makes very many objects, all in use until its end: the collector goes through them
    time and again, for a seventh of the time that compiling takes.
    """

    @wraps(work)
    def work_alone(*args):
        if not gc.isenabled():
            return work(*args)
        gc.disable()
        try:
            return work(*args)
        finally:
            gc.enable()

    return work_alone
