"""The verb ``reproduce``: the published experiments, run again."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "run the published experiments again"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the verb takes."""
    parser.add_argument(
        "--quick", action="store_true", help="small generated data: less than two minutes"
    )
    parser.add_argument(
        "--jobs", type=int, default=1, help="number of processes (default: %(default)s)"
    )
    parser.add_argument(
        "--data-dir", help="folder of the data sets (default: PSEUDOLINEAR_DATA or a cache)"
    )
    parser.add_argument(
        "--output", default="reproduction", help="folder to write to (default: %(default)s)"
    )
    parser.add_argument("--datasets", help="only these data sets, separated by commas")


def run(args: argparse.Namespace) -> None:
    """Print all tables and claims, and where the page is."""
    from pseudolinear.experiments import reproduce

    text = reproduce(
        args.output,
        quick=args.quick,
        n_jobs=args.jobs,
        data_dir=args.data_dir,
        datasets=args.datasets.split(",") if args.datasets else None,
    )
    print(f"{text}\n\npage: {Path(args.output) / 'index.html'}")
