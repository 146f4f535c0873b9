"""Processes that a fit has started."""

from __future__ import annotations

import sys


def end_workers() -> None:
    """End the processes of joblib, which would otherwise finish what they were given."""
    if "joblib" in sys.modules:
        from joblib.externals.loky import reusable_executor

        if reusable_executor._executor is not None:
            reusable_executor._executor.shutdown(wait=False, kill_workers=True)
