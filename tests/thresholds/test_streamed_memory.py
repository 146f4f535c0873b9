"""Memory of a stream does not grow with its rows."""

import subprocess
import sys

import pytest

CODE = """
import resource
import numpy as np
from pseudolinear import streamed_threshold

def batches(n_rows):
    for start in range(0, n_rows, 2**17):
        rng = np.random.default_rng(start)
        y = rng.random(min(2**17, n_rows - start)) < 0.1
        yield y, y + rng.normal(size=len(y))

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

streamed_threshold(lambda: batches(2**20))
before = peak()
found = streamed_threshold(lambda: batches(2**23))
print(found.passes, peak() - before)
"""


@pytest.mark.slow
def test_eight_times_the_rows_take_the_same_memory():
    """Eight million scores would be 64 MB in memory, and a sort of them more."""
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    passes, more = done.stdout.split()
    assert int(passes) <= 3
    assert float(more) < 30
