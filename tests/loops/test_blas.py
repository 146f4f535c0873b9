"""What is known of the libraries behind NumPy's linear algebra."""

import subprocess
import sys

import pytest
from threadpoolctl import threadpool_info

QUESTION = "from pseudolinear.loops import _blas; print(_blas.takes_small_matrices())"


@pytest.mark.parametrize(("core", "answer"), [("Haswell", "False"), ("SkylakeX", "True")])
def test_loops_for_avx_512_take_small_matrices_as_they_lie(core, answer, monkeypatch):
    if not any(one["internal_api"] == "openblas" for one in threadpool_info()):
        pytest.skip("NumPy's linear algebra is not that of OpenBLAS")
    monkeypatch.setenv("OPENBLAS_CORETYPE", core)
    show = f"import numpy, threadpoolctl; {QUESTION}; print(threadpoolctl.threadpool_info())"
    run = subprocess.run([sys.executable, "-c", show], capture_output=True, text=True, check=True)
    said, libraries = run.stdout.splitlines()
    if core not in libraries:
        pytest.skip(f"the processor has no loops for {core}")
    assert said == answer
