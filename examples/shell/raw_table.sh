#!/bin/sh
# From a table as it is to a deployed model, all from the shell.
# Any CSV will do; this one is German credit: who will not pay back? ("target" is 1)
# It is looked for in PSEUDOLINEAR_DATA, and written from scikit-learn's breast cancer data if it is not there.
set -e
data=${PSEUDOLINEAR_DATA:-/nowhere}/german
work=$(mktemp -d)
if [ -e "$data/raw_train.csv.xz" ]; then
    train=$data/raw_train.csv.xz test=$data/raw_test.csv.xz
else
    train=$work/train.csv test=$work/test.csv
    python - "$train" "$test" <<'PYTHON'
import sys
from sklearn.datasets import load_breast_cancer
frame = load_breast_cancer(as_frame=True).frame
frame[::2].to_csv(sys.argv[1], index=False)
frame[1::2].to_csv(sys.argv[2], index=False)
PYTHON
fi
cd "$work"

# train for F1, and see what was chosen and what to expect
pseudolinear fit "$train" --target target --measure f1 --effort fast --evidence --out credit.plm

# is it so on rows that it has not seen?
pseudolinear evaluate credit.plm "$test"
pseudolinear report credit.plm "$test" --out report.html

# use it: here, or wherever ONNX runs
pseudolinear predict credit.plm "$test" --probabilities --out predictions.csv
head -3 predictions.csv
pseudolinear export credit.plm --onnx credit.onnx

# a missed case is worse than a false alarm: aim at F2, without training again
pseudolinear retarget credit.plm --measure f2 --out careful.plm --quiet
pseudolinear evaluate careful.plm "$test"
