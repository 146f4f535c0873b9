#!/bin/sh
# From raw text to predictions: is a short message spam?
set -e
messages=$(cd "$(dirname "$0")/../data" && pwd)/smsspam.csv.xz
cd "$(mktemp -d)"

# one of each message; every second one for training, the others for the test
python - "$messages" <<'PYTHON'
import sys
import pandas as pd
messages = pd.read_csv(sys.argv[1]).drop_duplicates("text")
messages[::2].to_csv("train.csv", index=False)
messages[1::2].to_csv("test.csv", index=False)
PYTHON

pseudolinear fit train.csv --target target --text text --measure f1 --effort fast --out spam.plm
pseudolinear evaluate spam.plm test.csv
printf 'text\nYou have won a prize! Call now to claim\nsee you at lunch\n' |
    pseudolinear predict spam.plm - --out - --probabilities --keep text

# scores of another program: the exact threshold for at most 50 messages to look into
pseudolinear predict spam.plm test.csv --out scores.csv --scores --keep target
pseudolinear threshold scores.csv --target target --score score --budget 50
