"""The command line: each verb a call of the public API."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path


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
    return parser


def _demo(args: argparse.Namespace) -> None:
    from pseudolinear._demo import format_demo, run_demo

    path = Path(args.output)
    if not path.parent.is_dir():
        raise ValueError(f"the folder {path.parent} does not exist; create it or change --output.")
    rows = run_demo(path, seed=args.seed, verbose=args.verbose)
    if args.json:
        print(json.dumps({"rows": rows, "picture": str(path)}))
    else:
        print(format_demo(rows))
        print(f"\npicture: {path}")
