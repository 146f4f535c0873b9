"""The verb ``reproduce``: the published experiments, run again."""

from __future__ import annotations

from pathlib import Path

import click

from pseudolinear.cli.shared import Output, Verb, columns_option, jobs_option, shield_workers


@click.command("reproduce", cls=Verb, short_help="Run the published experiments again.")
@click.option("--quick", is_flag=True, help="Small generated data: less than two minutes.")
@jobs_option()
@click.option(
    "--data-dir",
    type=click.Path(),
    help="Folder of the data sets.  [default: PSEUDOLINEAR_DATA or a cache]",
)
@click.option(
    "--output", "folder", default="reproduction", show_default=True, help="Folder to write to."
)
@columns_option("--datasets", "Only these data sets.")
def command(
    output: Output,
    *,
    quick: bool,
    jobs: int,
    data_dir: str | None,
    folder: str,
    datasets: tuple[str, ...],
) -> None:
    """Run the published experiments again: all tables and claims, and a page with figures.

    A run that is interrupted goes on where it was.
    """
    from pseudolinear.experiments import reproduce

    shield_workers(jobs)
    text = reproduce(
        folder, quick=quick, n_jobs=jobs, data_dir=data_dir, datasets=list(datasets) or None
    )
    page = Path(folder) / "index.html"
    output.result({"text": text, "page": str(page)}, lambda: f"{text}\n\npage: {page}")
