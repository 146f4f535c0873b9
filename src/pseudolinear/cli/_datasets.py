"""The verb ``datasets``: the data sets of the literature, with their attributes."""

from __future__ import annotations

from typing import Any

import click

from pseudolinear.cli.shared import Output, Verb, table


@click.command("datasets", cls=Verb, short_help="Show the data sets of the literature.")
@click.option(
    "--data-dir",
    type=click.Path(),
    help="Folder of the data sets.  [default: PSEUDOLINEAR_DATA or a cache]",
)
@click.option("--download", metavar="NAME", help="Fetch one from its public home.")
def command(output: Output, *, data_dir: str | None, download: str | None) -> None:
    """Show the attributes next to the published ones, or fetch a data set."""
    from pseudolinear.datasets import attributes_table, download_dataset

    if download:
        folder = str(download_dataset(download, data_dir))
        output.result({"folder": folder}, lambda: folder)
        return
    rows = attributes_table(data_dir=data_dir)
    output.result(rows, lambda: _table(rows))


def _table(rows: list[dict[str, Any]]) -> Any:
    return table(
        ["data set", "attribute", "here", "published", "note"],
        [
            [
                row["dataset"], row["attribute"], _short(row["value"]), _short(row["published"]),
                f"differs. {row['note'] or ''}" if row["differs"] else "",
            ]
            for row in rows
        ],
    )  # fmt: skip


def _short(value: float | None) -> str:
    return "" if value is None else f"{value:.5g}"
