"""What is fitted: the data sets, the literature's grid, and rows that are drawn."""

from __future__ import annotations

import os
from pathlib import Path

DATA = Path(os.environ.get("PSEUDOLINEAR_DATA", Path(__file__).parents[3] / "shared" / "data"))
