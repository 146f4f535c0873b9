"""Two processes write one file, or one database, at the same time: each result is whole."""

import json
import multiprocessing
import os

import pytest

from pseudolinear._files import write_atomically
from pseudolinear.experiments._store import Store

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks of POSIX")
SIZE, TIMES = 200_000, 30


def write_often(path, letter):
    for _ in range(TIMES):
        write_atomically(path, letter * SIZE)


class Numbered:
    """A piece as the database sees it."""

    def __init__(self, number):
        self.key, self.identity = str(number), {"number": number}

    def pack(self, result):
        return json.dumps(result).encode()

    def unpack(self, blob):
        return json.loads(blob)


def put_often(path, start):
    with Store(path) as store:
        for number in range(start, start + TIMES):
            store.put(Numbered(number), number, 0.0)


def at_the_same_time(function, path, values):
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=function, args=(path, value)) for value in values]
    for process in processes:
        process.start()
    while any(process.is_alive() for process in processes):
        yield
    for process in processes:
        process.join()
        assert process.exitcode == 0


def test_a_file_is_that_of_one_of_them(tmp_path):
    path = tmp_path / "model"
    for _ in at_the_same_time(write_often, path, "ab"):
        if path.exists():
            content = path.read_text()
            assert content in ("a" * SIZE, "b" * SIZE)
    assert os.listdir(tmp_path) == ["model"]


def test_a_database_has_the_results_of_both(tmp_path):
    path = tmp_path / "results.db"
    for _ in at_the_same_time(put_often, path, [0, 1000]):
        pass
    with Store(path) as store:
        assert all(Numbered(n + start) in store for start in (0, 1000) for n in range(TIMES))
