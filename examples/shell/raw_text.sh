#!/bin/sh
# From raw text to predictions: is a short message spam?
# The messages are looked for in PSEUDOLINEAR_DATA; without them a few are made up.
set -e
data=${PSEUDOLINEAR_DATA:-/nowhere}/smsspam
work=$(mktemp -d)
if [ -e "$data/raw_train.csv.xz" ]; then
    train=$data/raw_train.csv.xz test=$data/raw_test.csv.xz
else
    train=$work/train.csv test=$work/train.csv
    python - "$train" <<'PYTHON'
import sys
with open(sys.argv[1], "w") as file:
    file.write("text,target\n")
    for n in range(60):
        file.write(f"call now to win prize {n},1\nsee you at {n % 12} then,0\nlunch or dinner {n}?,0\n")
PYTHON
fi
cd "$work"

pseudolinear fit "$train" --target target --text text --measure f1 --effort fast --out spam.plm
pseudolinear evaluate spam.plm "$test"
printf 'text\nYou have won a prize! Call now to claim\nsee you at lunch\n' |
    pseudolinear predict spam.plm - --out - --probabilities --keep text

# scores of another program: the exact threshold for at most 50 messages to look into
pseudolinear predict spam.plm "$test" --out scores.csv --scores --keep target
pseudolinear threshold scores.csv --target target --score score --budget 50
