"""Running, killing, resuming and reporting the experiments."""

import base64
import csv
import itertools
import multiprocessing
import os
import random
import re
import signal
import sqlite3
import sys
import time
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from clusters import LOADED

from pseudolinear.experiments import PUBLISHED, QUICK, Store, _reproduce, reproduce, run, tables
from pseudolinear.experiments._curves import Curves
from pseudolinear.experiments._label_piece import LabelPiece
from pseudolinear.experiments._page import format_page
from pseudolinear.experiments._report import layout, layout_attributes
from pseudolinear.experiments._sources import load_source

pytestmark = pytest.mark.slow

LEVELS = (0.5, 1.0, 1.5)
BLOB = random.Random(0).randbytes(2_000_000)


def shrink(learner):
    grid = {name: values[::4] for name, values in learner.grid.items()}
    return replace(learner, grid=grid, levels=LEVELS if len(learner.levels) > 1 else (1.0,))


SOURCES = (
    replace(QUICK.sources[0], params={"n_train": 600, "n_test": 300, "seed": 0}),
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
    n_splits=2,
)
LONGER = replace(TINY, n_splits=4)  # pieces enough to be killed half-way several times


def results(protocol, database):
    """The tables without times."""
    return [row | {"seconds": None} for row in tables(protocol, database)]


def count(database):
    """Number of stored pieces; none before the database is there."""
    with closing(sqlite3.connect(database, timeout=60)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'pieces'").fetchone():
            return 0
        return connection.execute("SELECT count(*) FROM pieces").fetchone()[0]


def stored(database):
    """All stored pieces with their results and times."""
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute("SELECT * FROM pieces ORDER BY key").fetchall()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The database of a run that nothing disturbed."""
    database = tmp_path_factory.mktemp("run") / "results.sqlite"
    run(TINY, database, verbose=False)
    return database


@pytest.fixture(scope="module")
def reproduced(undisturbed, tmp_path_factory):
    """The folder that the command writes, and the text that it prints."""
    folder = tmp_path_factory.mktemp("reproduction")
    (folder / "results.sqlite").write_bytes(undisturbed.read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_reproduce, "QUICK", TINY)
        return folder, reproduce(folder, quick=True, verbose=False)


def test_every_cell_is_reported(undisturbed):
    """Three learners with 10 options, for one binary and one multilabel data set, and RBF."""
    rows = tables(TINY, undisturbed)
    assert len(rows) == 10 + 10 + 4 + 20 + 8
    assert all(0 <= row["ours"] <= 100 and row["spread"] >= 0 for row in rows)
    assert all(row["published"] is None and row["default"] > 0 for row in rows)


def reproduce_longer(folder, n_jobs):
    """What a killed process runs, in a group of its own to find its workers again."""
    os.setsid()
    _reproduce.QUICK = LONGER
    reproduce(folder, quick=True, n_jobs=n_jobs, verbose=False)


def write_pieces(database, said):
    """Store one large piece after the other, and say after each how many there are."""
    Curves.to_bytes = lambda self: BLOB  # packing would take longer than writing
    with Store(database) as store:
        for number in itertools.count():
            store.put(numbered(number), Curves(*[None] * 6), 0.0)
            said.send(number + 1)


def numbered(number):
    return LabelPiece(SOURCES[0], "rows", TINY.learners[0], 0, number)


def start(target, *args):
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(LOADED)
    process = context.Process(target=target, args=args)
    process.start()
    return process


def living(group):
    """Processes of a group that still run; those that nobody has waited for do not."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, owner = path.read_text().rpartition(")")[2].split()[:3]
            if int(owner) == group and state != "Z":
                found.append(path)
    return found


@pytest.fixture(scope="module")
def longer(undisturbed, tmp_path_factory):
    """The database of a longer run that nothing disturbed."""
    database = tmp_path_factory.mktemp("longer") / "results.sqlite"
    database.write_bytes(undisturbed.read_bytes())
    run(LONGER, database, verbose=False)
    return database


def test_killed_runs_resume(longer, tmp_path):
    """Killed at six random moments and resumed: the same tables, and finished pieces stay.

    Only the command is killed, with one and two workers in turn: from before the database is
    there to the writing of the page. Its workers end by themselves.
    """
    database, total = tmp_path / "results.sqlite", count(longer)
    chance = random.Random(0)
    goals = [0, *sorted(chance.randrange(1, total) for _ in range(4)), total]
    counts, groups = [0], []
    for i, goal in enumerate(goals):
        process = start(reproduce_longer, tmp_path, 1 + i % 2)
        groups.append(process.pid)
        while process.is_alive() and count(database) < goal:
            time.sleep(0.002)
        time.sleep(chance.uniform(0, 0.01))  # a fast machine finishes all pieces in 0.2 s
        process.kill()
        process.join()
        assert process.exitcode == -signal.SIGKILL  # it had not finished
        counts.append(count(database))
        assert not (tmp_path / "index.html").exists()
    assert counts == sorted(counts)
    process = start(reproduce_longer, tmp_path, 2)
    process.join()
    assert process.exitcode == 0
    assert (tmp_path / "index.html").read_text().endswith("</html>\n")
    assert count(database) == total
    assert results(LONGER, database) == results(LONGER, longer)
    assert end(groups)
    if len({n for n in counts if 0 < n < total}) < 2:
        pytest.skip("this machine was done, or had not begun, at most of the moments")


def end(groups):
    """Tell whether all processes of some groups end by themselves."""
    deadline = time.monotonic() + 30
    while any(map(living, groups)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return not any(map(living, groups))


def test_workers_without_work_end_with_a_killed_run(longer, tmp_path):
    """One piece is missing, so that one of two workers has never had any."""
    database = tmp_path / "results.sqlite"
    database.write_bytes(longer.read_bytes())
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("DELETE FROM pieces WHERE rowid = 1")
        connection.commit()
    process = start(reproduce_longer, tmp_path, 2)
    while process.is_alive() and len(living(process.pid)) < 4:  # with loky's tracker
        time.sleep(0.01)
    time.sleep(3.0)  # until both have started
    process.kill()
    process.join()
    assert end([process.pid])


def test_a_kill_in_the_middle_of_a_write_loses_that_piece_only(tmp_path):
    """Whatever was said to be stored is there, whole, and nothing is half there."""
    chance, n_broken = random.Random(0), 0
    for i in range(12):
        database = tmp_path / f"{i}.sqlite"
        reader, writer = multiprocessing.Pipe(duplex=False)
        process = start(write_pieces, database, writer)
        writer.close()
        reader.recv()
        time.sleep(chance.uniform(0, 0.1))
        process.kill()
        process.join()
        n_said = 1
        with suppress(EOFError):
            while True:
                n_said = reader.recv()
        n_broken += database.with_name(f"{i}.sqlite-journal").exists()
        with closing(sqlite3.connect(database)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            stored = dict(connection.execute("SELECT key, result FROM pieces"))
        assert len(stored) >= n_said
        assert stored == {numbered(j).key: BLOB for j in range(len(stored))}
    assert n_broken  # some were killed between the first byte of a piece and its last


def test_jobs_do_not_matter(undisturbed, tmp_path):
    """Two processes give what one gives."""
    part = TINY.only(["small galaxy"])
    run(part, tmp_path / "results.sqlite", n_jobs=2, verbose=False)
    assert len(results(part, undisturbed)) == 10
    assert results(part, tmp_path / "results.sqlite") == results(part, undisturbed)


def test_finished_pieces_are_not_computed_again(undisturbed, monkeypatch):
    """A second run has nothing to do."""
    before = stored(undisturbed)
    monkeypatch.setattr("pseudolinear.experiments._runner.compute", None)
    run(TINY, undisturbed, verbose=False)
    assert stored(undisturbed) == before


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
    monkeypatch.setattr("pseudolinear.experiments._piece.versions", lambda module: {"numpy": "0"})
    assert tables(TINY, undisturbed) == []


def test_reproduce_writes_tables_and_a_page(undisturbed, reproduced):
    """A CSV file per table, the claims, and a page that needs no other file."""
    folder, text = reproduced
    rows = tables(TINY, undisturbed)
    for table in TINY.tables:
        with (folder / f"{table.name}.csv").open() as file:
            written = list(csv.DictReader(file))
        own = [row for row in rows if row["table"] == table.name]
        assert [float(row["ours"]) for row in written] == [round(row["ours"], 4) for row in own]
    page = (folder / "index.html").read_text()
    assert "<script" not in page
    assert "http" not in page
    for part in ("Thresholding helps", "C_min beats F_max", "one peak", "Bracketing halves"):
        assert part in text
        assert part in page
    links = re.findall('href="#([^"]*)"', page)
    assert len(links) == len(TINY.tables) + 3
    assert sorted(links) == sorted(re.findall('id="([^"]*)"', page))
    assert {path.name for path in folder.iterdir()} == {
        *(f"{table.name}.csv" for table in TINY.tables),
        *("results.sqlite", "claims.csv", "attributes.csv", "figures", "index.html"),
    }


def test_the_page_has_every_figure(reproduced):
    """The same pictures as in the folder, each of a kind that the literature shows."""
    pytest.importorskip("matplotlib")
    folder, _ = reproduced
    page = (folder / "index.html").read_text()
    embedded = re.findall('src="data:image/png;base64,([^"]*)"', page)
    assert len(embedded) == page.count("<img")
    pictures = {path.name: path.read_bytes() for path in (folder / "figures").iterdir()}
    assert {base64.b64decode(text) for text in embedded} == set(pictures.values())
    kinds = {"surface", "three", "boundaries", "precision", "cost", "ceilings"}
    assert {re.split("[_.]", name)[0] for name in pictures} == kinds


def test_without_matplotlib_there_is_a_page_without_figures(undisturbed, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    monkeypatch.setattr(_reproduce, "QUICK", TINY)
    (tmp_path / "results.sqlite").write_bytes(undisturbed.read_bytes())
    reproduce(tmp_path, quick=True, verbose=False)
    page = (tmp_path / "index.html").read_text()
    assert "Figures need matplotlib" in page
    assert "<img" not in page


def test_attributes_are_those_of_the_rows(reproduced):
    """Counted here from the generated rows: 600 of Galaxy, 150 with three labels."""
    folder, text = reproduced
    with (folder / "attributes.csv").open() as file:
        found = {(r["dataset"], r["attribute"]): float(r["value"]) for r in csv.DictReader(file)}
    for source, sizes in zip(SOURCES, ((600, 300, 2, 2), (150, 100, 10, 3)), strict=True):
        names = ("n_train", "n_test", "n_features", "n_labels")
        assert tuple(found[source.name, name] for name in names) == sizes
        Y = load_source(source).Y_train
        largest = 100 * max(Y.mean(axis=0).max(), 0 if Y.shape[1] > 1 else 1 - Y.mean())
        assert found[source.name, "label_freq_max_pct"] == pytest.approx(largest, abs=1e-4)
        assert source.name in text


def test_what_differs_from_the_literature_is_marked():
    """More than 1.5 points in a table; a digit of an attribute."""
    (table,) = PUBLISHED.only(["adult"]).tables
    cell = {"table": "tab_bin", "dataset": "adult", "selection": "n/a", "learner": "SVM",
            "spread": 0.3, "published": 66.0, "default": None, "seconds": 2.0}  # fmt: skip
    differences = {"none": 1.4, "T": -1.6, "CS": 1.6, "CS&T": -0.04}
    rows = [
        cell | {"option": option, "ours": 66.0 + by, "difference": by}
        for option, by in differences.items()
    ]
    header, (line,) = layout(table, rows)
    marked = [name for name, cell in zip(header, line, strict=True) if cell.marked]
    assert marked == ["T", "CS"]
    assert str(line[header.index("T")]) == "64.4 ±0.3 (66.0, -1.6)*"
    assert str(line[header.index("CS&T")]) == "66.0 ±0.3 (66.0, +0.0)"
    attributes = [
        {"dataset": "yeast", "attribute": "n_train", "value": 1500, "published": 1500,
         "differs": False, "note": ""},
        {"dataset": "yeast", "attribute": "label_freq_max_pct", "value": 75.2, "published": 43.0,
         "differs": True, "note": "misprint"},
    ]  # fmt: skip
    _, (line,) = layout_attributes(attributes)
    assert [str(cell) for cell in line] == ["yeast", "1500 (1500)", "75.2 (43.0)*"]
    page = format_page(PUBLISHED.only(["yeast"]), rows, [], attributes, [])
    assert page.count('marked">') == 1
    assert "<li>yeast, label_freq_max_pct: misprint.</li>" in page


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
