"""Running, killing, resuming and reporting the experiments."""

import csv
import multiprocessing
import random
import sqlite3
import time
from contextlib import closing
from dataclasses import replace

import pytest

from pseudolinear.experiments import PUBLISHED, QUICK, reproduce, run, tables

LEVELS = (0.5, 1.0, 1.5)


def shrink(learner):
    grid = {name: values[::2] for name, values in learner.grid.items()}
    return replace(learner, grid=grid, levels=LEVELS if len(learner.levels) > 1 else (1.0,))


SOURCES = (
    replace(QUICK.sources[0], params={"n_train": 900, "n_test": 600, "seed": 0}),
    replace(
        QUICK.sources[1],
        params={"n_train": 150, "n_test": 100, "n_features": 10, "n_labels": 3, "seed": 0},
    ),
)
TINY = replace(
    QUICK,
    sources=SOURCES,
    learners=tuple(map(shrink, QUICK.learners)),
    levels=LEVELS,
    n_splits=4,
)


def results(protocol, database):
    """The tables without times."""
    return [row | {"seconds": None} for row in tables(protocol, database)]


def count(database):
    """Number of stored pieces; none before the database is there."""
    with closing(sqlite3.connect(database, timeout=60)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'pieces'").fetchone():
            return 0
        return connection.execute("SELECT count(*) FROM pieces").fetchone()[0]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The database of a run that nothing disturbed."""
    database = tmp_path_factory.mktemp("run") / "results.sqlite"
    run(TINY, database, verbose=False)
    return database


def test_every_cell_is_reported(undisturbed):
    """Three learners with 10 options, for one binary and one multilabel data set, and RBF."""
    rows = tables(TINY, undisturbed)
    assert len(rows) == 10 + 10 + 4 + 20 + 8
    assert all(0 <= row["ours"] <= 100 and row["spread"] >= 0 for row in rows)
    assert all(row["published"] is None and row["default"] > 0 for row in rows)


def test_killed_runs_resume(undisturbed, tmp_path):
    """Killed at ten random moments and resumed: the same tables, and finished pieces stay."""
    database = tmp_path / "results.sqlite"
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["pseudolinear.experiments"])
    chance, counts = random.Random(0), [0]
    for _ in range(10):
        process = context.Process(
            target=run, args=(TINY, database), kwargs={"verbose": False}, daemon=True
        )
        process.start()
        goal = counts[-1] + chance.randint(0, 4)
        while process.is_alive() and count(database) < goal:
            time.sleep(0.002)
        time.sleep(chance.uniform(0, 0.05))
        process.kill()
        process.join()
        counts.append(count(database))
    assert counts == sorted(counts)
    assert len({n for n in counts if 0 < n < count(undisturbed)}) >= 5  # killed half-way
    run(TINY, database, verbose=False)
    assert count(database) == count(undisturbed)
    assert results(TINY, database) == results(TINY, undisturbed)


def test_jobs_do_not_matter(undisturbed, tmp_path):
    """Two processes give what one gives."""
    run(TINY, tmp_path / "results.sqlite", n_jobs=2, verbose=False)
    assert results(TINY, tmp_path / "results.sqlite") == results(TINY, undisturbed)


def test_finished_pieces_are_not_computed_again(undisturbed, monkeypatch):
    """A second run has nothing to do."""
    monkeypatch.setattr("pseudolinear.experiments._runner.compute", None)
    run(TINY, undisturbed, verbose=False)


def test_protocols_do_not_mix(tmp_path):
    """Two protocols in one database give what each gives in a database of its own."""
    one = TINY.only(["six topics"])
    learners = tuple(replace(learner, grid={"C": (1.0,)}) for learner in one.learners[1:3])
    tables_ = (replace(one.tables[0], learners=("SVM", "LR")),)
    one = replace(one, tables=tables_)
    two = replace(one, learners=learners)
    run(one, tmp_path / "one.sqlite", verbose=False)
    run(two, tmp_path / "two.sqlite", verbose=False)
    alone = results(one, tmp_path / "one.sqlite"), results(two, tmp_path / "two.sqlite")
    assert alone[0] != alone[1]
    assert results(two, tmp_path / "one.sqlite") == []
    run(two, tmp_path / "one.sqlite", verbose=False)
    both = results(one, tmp_path / "one.sqlite"), results(two, tmp_path / "one.sqlite")
    assert both == alone


def test_versions_do_not_mix(undisturbed, monkeypatch):
    """Results of another version are not seen."""
    monkeypatch.setattr("pseudolinear.experiments._pieces.versions", lambda code: {"numpy": "0"})
    assert tables(TINY, undisturbed) == []


def test_reproduce_writes_tables_and_a_page(undisturbed, tmp_path, monkeypatch):
    """A CSV file per table, the claims, and a page that needs no other file."""
    monkeypatch.setattr("pseudolinear.experiments._reproduce.QUICK", TINY)
    (tmp_path / "results.sqlite").write_bytes(undisturbed.read_bytes())
    text = reproduce(tmp_path, quick=True, verbose=False)
    rows = tables(TINY, undisturbed)
    for table in TINY.tables:
        with (tmp_path / f"{table.name}.csv").open() as file:
            written = list(csv.DictReader(file))
        own = [row for row in rows if row["table"] == table.name]
        assert [float(row["ours"]) for row in written] == [round(row["ours"], 4) for row in own]
    page = (tmp_path / "index.html").read_text()
    assert "<script" not in page
    assert "http" not in page
    assert page.count('src="') == page.count('src="data:image/png;base64,') >= 5
    for part in ("Thresholding helps", "C_min beats F_max", "one peak", "Bracketing halves"):
        assert part in text
        assert part in page
    assert {path.suffix for path in tmp_path.iterdir()} == {".sqlite", ".csv", ".html"}


def test_missing_data_are_named(tmp_path):
    """One sentence says how to get the data, before anything is computed."""
    with pytest.raises(FileNotFoundError, match="yeast is not in"):
        run(PUBLISHED.only(["yeast"]), tmp_path / "x.sqlite", data_dir=tmp_path, verbose=False)


def test_bad_databases_are_named(tmp_path):
    """A file that is no database, and a folder that does not exist."""
    (tmp_path / "notes.txt").write_text("not a database, but long enough to be read as one" * 20)
    with pytest.raises(ValueError, match="cannot be used as the database"):
        run(TINY, tmp_path / "notes.txt", verbose=False)
    with pytest.raises(ValueError, match="does not exist; create it"):
        run(TINY, tmp_path / "nowhere" / "x.sqlite", verbose=False)
