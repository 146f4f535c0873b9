"""The verb ``datasets``: the data sets of the literature, with their attributes."""

from __future__ import annotations

import argparse

HELP = "show the data sets of the literature"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the verb takes."""
    parser.add_argument(
        "--data-dir", help="folder of the data sets (default: PSEUDOLINEAR_DATA or a cache)"
    )
    parser.add_argument("--download", metavar="NAME", help="fetch one from its public home")


def run(args: argparse.Namespace) -> None:
    """Print the attributes next to the published ones, or fetch a data set."""
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
