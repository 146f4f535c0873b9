#!/bin/sh
# Thresholds and evaluation of scores that another engine wrote: parts in Parquet, as Spark leaves them.
# Here a few are made up; a billion rows would go through the same commands in the same memory.
set -e
work=$(mktemp -d)
cd "$work"
python - <<'PYTHON'
from pathlib import Path
import numpy as np
import pandas as pd
rng = np.random.default_rng(0)
Path("scores").mkdir()
Path("scores/_SUCCESS").touch()
for part in range(8):
    fraud = rng.random(5000) < 0.05
    p = 1 / (1 + np.exp(3 - 2 * (rng.normal(size=5000) + 1.5 * fraud)))
    frame = pd.DataFrame({"id": np.arange(5000), "fraud": np.where(fraud, "yes", "no"), "p": p})
    frame.to_parquet(f"scores/part-{part:05}.snappy.parquet", index=False)
PYTHON

# the best threshold for F1, and from the same passes for F2
pseudolinear threshold scores --target fraud --score p --measure f1 --measure f2

# the same where one payment in a hundred is a fraud
pseudolinear threshold 'scores/*.parquet' --target fraud --score p --prevalence 0.01

# chosen on some parts, evaluated on others
cut=$(pseudolinear threshold scores/part-0000[0-3]*.parquet --target fraud --score p --positive yes --json |
    python -c 'import json, sys; print(json.load(sys.stdin)["thresholds"][0]["threshold"])')
pseudolinear evaluate scores/part-0000[4-7]*.parquet --target fraud --score p --threshold "$cut" --positive yes
