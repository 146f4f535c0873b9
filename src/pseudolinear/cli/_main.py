"""The command line: each verb a call of the public API."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pseudolinear.experiments._reproduce import add_verb as add_reproduce


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    argv : sequence of str, default=None
        The arguments; by default those of the process.

    Returns
    -------
    int
        0, or 1 after an error.
    """
    args = _parser().parse_args(argv)
    try:
        args.run(args)
    except (ValueError, TypeError, ImportError, OSError) as error:
        print(f"pseudolinear {args.verb}: {error}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pseudolinear", description="Train classifiers for the measure people report."
    )
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="verb")
    demo = verbs.add_parser("demo", help="train one learner in four ways on the Galaxy problem")
    demo.add_argument(
        "--output", default="galaxy.png", help="picture to write (default: %(default)s)"
    )
    demo.add_argument(
        "--seed", type=int, default=0, help="seed of the sample (default: %(default)s)"
    )
    demo.add_argument("--json", action="store_true", help="print JSON in place of a table")
    demo.add_argument("--verbose", action="store_true", help="show progress bars")
    demo.set_defaults(run=_demo)
    _add_compare(verbs)
    _add_datasets(verbs)
    add_reproduce(verbs)
    return parser


def _add_compare(verbs: Any) -> None:
    compare = verbs.add_parser("compare", help="fit ours and the rivals on the same splits")
    compare.add_argument("file", help="svmlight, ARFF, CSV or Parquet file of rows and labels")
    compare.add_argument("--measure", default="f1", help="such as f1_macro (default: %(default)s)")
    compare.add_argument("--methods", default="all", help="names separated by commas, or all")
    compare.add_argument("--folds", type=int, default=3, help="(default: %(default)s)")
    compare.add_argument("--seed", type=int, default=0, help="(default: %(default)s)")
    compare.add_argument("--json", action="store_true", help="print JSON in place of a table")
    compare.set_defaults(run=_compare)


def _add_datasets(verbs: Any) -> None:
    datasets = verbs.add_parser("datasets", help="show the data sets of the literature")
    datasets.add_argument(
        "--data-dir", help="folder of the data sets (default: PSEUDOLINEAR_DATA or a cache)"
    )
    datasets.add_argument("--download", metavar="NAME", help="fetch one from its public home")
    datasets.set_defaults(run=_datasets)


def _compare(args: argparse.Namespace) -> None:
    from pseudolinear.datasets import read_rows
    from pseudolinear.rivals._comparison import compare

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


def _datasets(args: argparse.Namespace) -> None:
    from pseudolinear.datasets import attributes_table, download_dataset

    if args.download:
        print(download_dataset(args.download, args.data_dir))
        return
    print(f"{'data set':10} {'attribute':20} {'here':>10} {'published':>10}")
    for row in attributes_table(data_dir=args.data_dir):
        here, published = (_short(row[name]) for name in ("value", "published"))
        flag = f"  differs. {row['note'] or ''}" if row["differs"] else ""
        print(f"{row['dataset']:10} {row['attribute']:20} {here:>10} {published:>10}{flag}")


def _short(value: float | None) -> str:
    return "" if value is None else f"{value:.5g}"


def _demo(args: argparse.Namespace) -> None:
    from pseudolinear.cli._galaxy import format_demo, run_demo

    path = Path(args.output)
    if not path.parent.is_dir():
        raise ValueError(f"the folder {path.parent} does not exist; create it or change --output.")
    rows = run_demo(path, seed=args.seed, verbose=args.verbose)
    if args.json:
        print(json.dumps({"rows": rows, "picture": str(path)}))
    else:
        print(format_demo(rows))
        print(f"\npicture: {path}")
