"""The published experiments: run, compared with the literature and written to a folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pseudolinear._files import write_atomically
from pseudolinear.datasets import describe
from pseudolinear.experiments._claims import check_claims
from pseudolinear.experiments._figures import draw_figures
from pseudolinear.experiments._page import format_page
from pseudolinear.experiments._protocol import Source
from pseudolinear.experiments._published import PUBLISHED, QUICK
from pseudolinear.experiments._report import format_text, write_csv
from pseudolinear.experiments._results import Results, Row
from pseudolinear.experiments._runner import run
from pseudolinear.experiments._sources import load_source
from pseudolinear.experiments._store import Store


def reproduce(
    output: str | os.PathLike[str] = "reproduction",
    *,
    quick: bool = False,
    n_jobs: int = 1,
    data_dir: str | os.PathLike[str] | None = None,
    datasets: Sequence[str] | None = None,
    verbose: bool = True,
) -> str:
    """Run the published experiments and write what they give.

    Call it again after an interruption, with the same `output`: finished pieces are kept.

    Parameters
    ----------
    output : path, default="reproduction"
        Folder for the database, one CSV file per table, the claims, the attributes of the data,
        the figures and the page ``index.html``, which has them all; it is made if it does not
        exist. Figures need matplotlib.
    quick : bool, default=False
        Whether to run the same on small generated data, in less than two minutes.
    n_jobs : int, default=1
        Number of processes.
    data_dir : path, default=None
        The folder of the data sets; see :func:`pseudolinear.datasets.data_folder`.
    datasets : sequence of str, default=None
        Names of the data sets; by default all of the protocol.
    verbose : bool, default=True
        Whether to show progress and the time left.

    Returns
    -------
    str
        All tables and claims as text.

    Examples
    --------
    >>> import tempfile
    >>> reproduce(tempfile.mkdtemp(), quick=True, datasets=["reuters"])
    Traceback (most recent call last):
    ValueError: 'reuters' is no data set of the quick protocol; it has small galaxy, six topics.
    """
    protocol = QUICK if quick else PUBLISHED
    if datasets is not None:
        protocol = protocol.only(datasets)
    folder = Path(output)
    folder.mkdir(exist_ok=True)
    database = folder / "results.sqlite"
    run(protocol, database, data_dir=data_dir, n_jobs=n_jobs, verbose=verbose)
    with Store(database) as store:
        results = Results(protocol, store)
        rows = results.tables()
        claims = check_claims(results, rows)
        figures = draw_figures(results, data_dir)
    attributes = [row for source in protocol.sources for row in _attributes(source, data_dir)]
    for table in protocol.tables:
        write_csv(folder / f"{table.name}.csv", [r for r in rows if r["table"] == table.name])
    cases = [
        {"claim": claim.statement, "holds": claim.holds} | case
        for claim in claims
        for case in claim.cases
    ]
    write_csv(folder / "claims.csv", cases)
    write_csv(folder / "attributes.csv", attributes)
    (folder / "figures").mkdir(exist_ok=True)
    for figure in figures:
        write_atomically(folder / "figures" / f"{figure.name}.png", figure.png)
    page = format_page(protocol, rows, claims, attributes, figures)
    write_atomically(folder / "index.html", page)
    return format_text(protocol, rows, claims, attributes)


def _attributes(source: Source, data_dir: str | os.PathLike[str] | None) -> list[Row]:
    data = load_source(source, data_dir)
    if data.Y_train.shape[1] == 1:  # a binary problem, whose two classes are counted
        data = replace(data, Y_train=data.Y_train[:, 0], Y_test=data.Y_test[:, 0])
    return describe(data)
