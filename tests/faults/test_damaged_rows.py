"""Files of rows that were cut off or changed: what is left is read, or one sentence refuses it."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import dump_svmlight_file

from pseudolinear.datasets import read_file

rng = np.random.default_rng(0)
FRAME = pd.DataFrame({"a": rng.normal(size=40), "b": rng.choice(["x", "y z"], 40), "n": range(40)})
ARFF = "@relation r\n@attribute a numeric\n@attribute b {x,'y z'}\n@attribute n numeric\n@data\n"


def _write_arff(path):
    rows = [f"{row.a},'{row.b}',{row.n}" for row in FRAME.itertuples()]
    path.write_text(ARFF + "\n".join(rows) + "\n")


WRITERS = {
    "csv": lambda path: FRAME.to_csv(path, index=False),
    "tsv": lambda path: FRAME.to_csv(path, index=False, sep="\t"),
    "jsonl": lambda path: FRAME.to_json(path, orient="records", lines=True),
    "parquet": FRAME.to_parquet,
    "arrow": FRAME.to_feather,
    "svmlight": lambda path: dump_svmlight_file(FRAME[["a", "n"]], FRAME["n"] % 2, str(path)),
    "arff": _write_arff,
}


@pytest.fixture(scope="module", params=WRITERS)
def whole(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / f"rows.{request.param}"
    WRITERS[request.param](path)
    assert read_file(path, request.param) is not None
    return request.param, path.read_bytes()


def read(path, name, content):
    """Read a damaged file: an answer, or a sentence that names the file."""
    path.write_bytes(content)
    try:
        read_file(path, name)
    except ValueError as error:
        said = str(error)
        assert said.startswith(str(path)), said
        assert "\n" not in said, said


def test_rows_that_were_cut_off(whole, tmp_path):
    name, content = whole
    for end in range(0, len(content), max(len(content) // 25, 1)):
        read(tmp_path / "cut", name, content[:end])


def test_rows_that_were_changed(whole, tmp_path):
    name, content = whole
    draw = np.random.default_rng(1)
    for place in draw.integers(0, len(content), 40):
        changed = bytearray(content)
        changed[place] ^= int(draw.integers(1, 256))
        read(tmp_path / "changed", name, bytes(changed))


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize(
    "content", [b"", b"\x00" * 1000, bytes(range(256)) * 8, b"PAR1", b"\xff\xfe"]
)
def test_what_is_no_table_at_all(name, content, tmp_path):
    read(tmp_path / "noise", name, content)
