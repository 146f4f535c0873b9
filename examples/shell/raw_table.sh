#!/bin/sh
# From a table as it is to a deployed model, all from the shell.
# Any table will do; this one is German credit: who will not pay back? ("target" is "bad")
set -e
table=$(cd "$(dirname "$0")/../data" && pwd)/german.csv.xz
cd "$(mktemp -d)"

# every second row for training, the others for the test
python - "$table" <<'PYTHON'
import sys
import pandas as pd
table = pd.read_csv(sys.argv[1])
table[::2].to_csv("train.csv", index=False)
table[1::2].to_csv("test.csv", index=False)
PYTHON

# train for F1, and see what was chosen and what to expect
pseudolinear fit train.csv --target target --measure f1 --effort fast --evidence --out credit.plm

# is it so on rows that it has not seen?
pseudolinear evaluate credit.plm test.csv
pseudolinear report credit.plm test.csv --out report.html

# use it: here, or wherever ONNX runs
pseudolinear predict credit.plm test.csv --probabilities --out predictions.csv
head -3 predictions.csv
pseudolinear export credit.plm --onnx credit.onnx

# a missed case is worse than a false alarm: aim at F2, without training again
pseudolinear retarget credit.plm --measure f2 --out careful.plm
pseudolinear evaluate careful.plm test.csv
