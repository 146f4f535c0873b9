"""Running a protocol: every missing piece is computed and stored at once."""

from __future__ import annotations

import os
import time
from threading import Thread
from typing import Any

from joblib import Parallel, delayed

from pseudolinear._progress import Progress
from pseudolinear.experiments._default_piece import DefaultPiece
from pseudolinear.experiments._label_piece import LabelPiece
from pseudolinear.experiments._piece import Piece, compute
from pseudolinear.experiments._protocol import Protocol
from pseudolinear.experiments._sources import checksum, load_source
from pseudolinear.experiments._store import Store

DEFAULT_PROBLEMS = 60  # of a label: 19 levels on three folds, and once more on all rows


def run(
    protocol: Protocol,
    database: str | os.PathLike[str],
    *,
    data_dir: str | os.PathLike[str] | None = None,
    n_jobs: int = 1,
    verbose: bool = True,
) -> None:
    """Compute all pieces of a protocol that the database does not have yet.

    A run that is stopped, or killed, at any moment loses the pieces in hand and nothing else;
    call it again to go on. Results do not depend on interruptions or on the number of jobs.

    Parameters
    ----------
    protocol : Protocol
        What to run, such as ``PUBLISHED`` or ``QUICK``.
    database : path
        SQLite file of the results; it is made if it does not exist.
    data_dir : path, default=None
        The folder of the data sets; see :func:`pseudolinear.datasets.data_folder`.
    n_jobs : int, default=1
        Number of processes.
    verbose : bool, default=True
        Whether to show progress and the time left.

    Examples
    --------
    A protocol without a data set has nothing to compute, so only the database is made:

    >>> import tempfile
    >>> from dataclasses import replace
    >>> from pathlib import Path
    >>> from pseudolinear.experiments import QUICK, run
    >>> database = Path(tempfile.mkdtemp()) / "results.sqlite"
    >>> run(replace(QUICK, sources=(), tables=()), database, verbose=False)
    >>> database.is_file()
    True
    """
    with Store(database) as store:
        pieces, work = _plan(protocol, store, data_dir)
        missing = [piece for piece in pieces if piece not in store]
        finished = Parallel(
            n_jobs,
            backend="loky",
            return_as="generator_unordered",
            initializer=_end_with,
            initargs=(os.getpid(),),
        )(delayed(compute)(piece, data_dir) for piece in missing)
        total = float(sum(work.values()))
        done = total - sum(work[piece.key] for piece in missing)
        with Progress("reproduce", total, done=done, shown=verbose) as progress:
            for number, (piece, result, seconds) in enumerate(finished, 1):
                store.put(piece, result, seconds)
                done += work[piece.key]
                progress.update(done, f"{number} of {len(missing)} pieces, {piece.source.name}")


def _end_with(runner: int) -> None:
    """End this process once the one that runs the protocol is gone.

    The workers of a killed process would otherwise wait for more work, and keep their memory.
    """

    def watch() -> None:
        while os.getppid() == runner:
            time.sleep(1.0)
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def _plan(
    protocol: Protocol, store: Store, data_dir: str | os.PathLike[str] | None
) -> tuple[list[Piece[Any]], dict[str, int]]:
    """List the pieces, with how much work each key is, and note which rows were seen."""
    pieces: list[Piece[Any]] = []
    work: dict[str, int] = {}
    for source in protocol.sources:
        data = load_source(source, data_dir)
        known = (checksum(data), data.Y_train.shape[1])
        store.put_source(source, *known)
        size = data.X_train.nnz if hasattr(data.X_train, "nnz") else data.X_train.size
        for piece in pieces_of(protocol, source.name, known):
            pieces.append(piece)
            if isinstance(piece, LabelPiece):
                n_problems = piece.setting.effort * piece.setting.n_problems
            else:
                n_problems = DEFAULT_PROBLEMS * known[1]
            work[piece.key] = int(n_problems * size)
    # The cheapest first: whoever looks early, or stops, has most of the tables.
    return sorted(pieces, key=lambda piece: work[piece.key]), work


def pieces_of(protocol: Protocol, dataset: str, known: tuple[str, int]) -> list[Piece[Any]]:
    """List the pieces of a data set.

    Parameters
    ----------
    protocol : Protocol
        The protocol.
    dataset : str
        Name of the data set.
    known : (str, int)
        Checksum and number of labels of its rows.

    Returns
    -------
    list
        First those of today's default, then split by split.
    """
    tables = [table for table in protocol.tables if dataset in table.datasets]
    names = dict.fromkeys(name for table in tables for name in table.learners)
    measures = dict.fromkeys(table.measure for table in tables)
    source, (fingerprint, n_labels) = protocol.source(dataset), known
    pieces: list[Piece[Any]] = [DefaultPiece(source, fingerprint, measure) for measure in measures]
    pieces += [
        LabelPiece(source, fingerprint, protocol.learner(name), split, label)
        for split in range(protocol.n_splits)
        for name in names
        for label in range(n_labels)
    ]
    return pieces
