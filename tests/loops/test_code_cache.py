"""Loops whose machine code is on disk: a fresh process runs them, and still compiles others."""

import os
import subprocess
import sys

import pytest
from numba.core.caching import FunctionCache

from pseudolinear.loops._code_cache import CodeCache, code_of
from pseudolinear.loops._curves import lower_left_hull
from pseudolinear.loops._outlines import cut_parts, extend_hull

SCRIPT = """
import sys
import numpy as np
from pseudolinear.loops._curves import lower_left_hull, weighted_cuts

x, y = np.arange(5.0), np.array([4.0, 1.5, 2.0, 0.25, 0.0])
print(lower_left_hull(x, y).tolist(), lower_left_hull.stats.cache_hits.total())
print("numba.np.arraymath" in sys.modules)
if len(sys.argv) > 1:
    sample = np.array([1, 0, 2]), np.array([2.0, 1.0, 3.0]), np.array([True, False, True])
    print([part.tolist() for part in weighted_cuts(*sample, np.array([1.0, 2.0, 3.0]))])
"""


def run(cache, *arguments):
    env = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", SCRIPT, *arguments]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
def test_code_is_loaded_without_what_compiling_needs(tmp_path):
    """Numba's functions of arrays are many, and slow to learn: only where others are compiled."""
    assert run(tmp_path) == ["[0, 1, 3, 4] 0", "True"]
    assert run(tmp_path) == ["[0, 1, 3, 4] 1", "False"]
    found = run(tmp_path, "and weigh")
    assert found[0] == "[0, 1, 3, 4] 1"
    assert found[2] == "[[3.0, 2.0, 1.0], [3.0, 4.0, 4.0], [0.0, 0.0, 2.0]]"


def test_code_is_known_by_that_of_the_loops_it_calls():
    """Their files may change alone."""
    assert code_of(extend_hull) in code_of(cut_parts)
    assert code_of(extend_hull) not in code_of(lower_left_hull)


def test_another_numba_loads_code_in_its_own_way(tmp_path, monkeypatch):
    """Its private names may change."""
    monkeypatch.setattr("pseudolinear.loops._code_cache.OF_NUMBA", ("_no_such_name",))
    monkeypatch.setattr(FunctionCache, "load_overload", lambda *_: "found by numba")
    assert CodeCache(lower_left_hull.py_func).load_overload((), None) == "found by numba"
