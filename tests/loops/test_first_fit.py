"""What a fresh process compiles: nothing on import, and every loop once for all layouts of rows."""

import subprocess
import sys

import pytest

SCRIPT = """
import gc, sys
import numpy as np
import pseudolinear
assert "numba" not in sys.modules, "import compiles"
from pseudolinear import MeasureClassifier

X = np.random.RandomState(0).randn(120, 4)
y = X[:, 0] + X[:, 1] > 1
weight = np.linspace(0.5, 1.5, 120)

def fit(X, y, **more):
    MeasureClassifier("linear", random_state=0).fit(X, y, **more).predict(X)

def variants():
    from numba.core.dispatcher import Dispatcher
    loops = [one for one in gc.get_objects() if isinstance(one, Dispatcher)]
    own = [one for one in loops if one.py_func.__module__.startswith("pseudolinear")]
    return {f"{f.py_func.__module__}.{f.py_func.__qualname__}": len(f.signatures) for f in own}

fit(X, y)
fit(np.asfortranarray(X), y.astype(int))
fit(X[::1, ::-1], np.where(y, "yes", "no"))
fit((10 * X).astype(int), y.astype(float))
fit(np.where(np.abs(X) < 0.01, np.nan, X), y.tolist())
fit(X, y, sample_weight=weight)
fit(X, y, sample_weight=weight.astype(np.float32))
print({name: n for name, n in variants().items() if n > 1})
print(sum(variants().values()))
"""


@pytest.mark.slow
def test_rows_of_any_layout_share_the_compiled_loops():
    """Dense rows of any order and type, classes of any type, with weights and without."""
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    twice, n_compiled = done.stdout.splitlines()
    assert twice == "{}"
    assert int(n_compiled) <= 16
