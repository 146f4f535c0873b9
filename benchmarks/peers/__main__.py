"""Fit one peer in an environment of its own: ``python -m benchmarks.peers NAME ROWS``.

ROWS is a file of ``exchange.py``. Prints processor seconds; predictions go to ROWS with the suffix
``.npy``.
"""

from __future__ import annotations

import sys
import time
import warnings
from importlib import import_module
from pathlib import Path

import numpy as np

from benchmarks.peers.exchange import unpack


def main(name: str, file: str) -> None:
    """Fit and predict."""
    module, *option = name.split(":")
    peer = import_module(f"benchmarks.peers.{module}")
    rows = unpack(Path(file))
    warnings.simplefilter("ignore")
    if hasattr(peer, "compile_loops"):
        peer.compile_loops(*rows, *option)
    start = time.process_time()
    predicted = peer.predict(*rows, *option)
    print(time.process_time() - start)
    np.save(Path(file).with_suffix(".npy"), predicted)


if __name__ == "__main__":
    main(*sys.argv[1:])
