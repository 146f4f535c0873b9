"""The verb ``compare``: ours and the rivals on the rows of a file."""

from __future__ import annotations

import argparse
import json

HELP = "fit ours and the rivals on the same splits"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the verb takes."""
    parser.add_argument("file", help="svmlight, ARFF, CSV or Parquet file of rows and labels")
    parser.add_argument("--measure", default="f1", help="such as f1_macro (default: %(default)s)")
    parser.add_argument("--methods", default="all", help="names separated by commas, or all")
    parser.add_argument("--folds", type=int, default=3, help="(default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="(default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print JSON in place of a table")


def run(args: argparse.Namespace) -> None:
    """Print one row per method."""
    from pseudolinear import compare
    from pseudolinear.datasets import read_rows

    X, Y = read_rows(args.file)
    y = Y[:, 0] if Y.ndim == 2 and Y.shape[1] == 1 else Y
    methods = args.methods if args.methods == "all" else args.methods.split(",")
    rows = compare(
        X, y, args.measure, methods=methods, cv=args.folds, random_state=args.seed, verbose=True
    )
    if args.json:
        print(json.dumps(rows))
        return
    print(f"{'method':18} {args.measure:>8} {'spread':>7} {'seconds':>8} {'solves':>7}")
    for row in rows:
        solves = "" if row["solves"] is None else row["solves"]
        print(
            f"{row['method']:18} {row['value']:8.4f} {row['spread']:7.4f} {row['seconds']:8.2f} "
            f"{solves:>7} {row['note']}"
        )
