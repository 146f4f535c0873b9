"""All methods of `compare` on the official test rows: one JSON line per data set and method.

python -m benchmarks.rivals [--data adult,scene,yeast,enron] [--methods auto,plug_in]
"""

from __future__ import annotations

import argparse
import json

import numpy as np
from scipy import sparse

from benchmarks.problems.grids import read
from pseudolinear import METHODS, compare


def main() -> None:
    """Fit every method on the training rows and evaluate it on the test rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default="adult,scene,yeast,enron")
    parser.add_argument("--methods", default=",".join(METHODS))
    args = parser.parse_args()
    for name in args.data.split(","):
        (X, Y), (X_test, Y_test) = read(name, "train"), read(name, "test")
        some = Y.any(axis=0)  # methods for one label refuse a label that no row carries
        stack = sparse.vstack if sparse.issparse(X) else np.vstack
        rows, labels = stack([X, X_test]), np.vstack([Y, Y_test])[:, some]
        split = [(np.arange(len(Y)), len(Y) + np.arange(len(Y_test)))]
        binary = Y.shape[1] == 1
        for measure in ["f1"] if binary else ["f1_macro", "f1_micro"]:
            y = labels[:, 0] if binary else labels
            for method in args.methods.split(","):
                try:
                    (found,) = compare(rows, y, measure, methods=[method], cv=split, random_state=0)
                except ValueError:
                    continue  # it does not apply
                head = {"benchmark": "rivals", "data": name, "measure": measure}
                print(json.dumps(head | found), flush=True)


if __name__ == "__main__":
    main()
