"""Disks that are full or must not be written: one sentence, the old file, and nothing else."""

import os
import signal

import pytest
from cli.conftest import make_frame

from pseudolinear.cli import main

resource = pytest.importorskip("resource")
FEW = 64  # bytes that a file may have


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with rows and a model."""
    folder = tmp_path_factory.mktemp("written")
    make_frame().to_csv(folder / "rows.csv", index=False)
    make_frame(seed=1).to_csv(folder / "fresh.csv", index=False)
    code = main(
        ["fit", str(folder / "rows.csv"), "--target", "churned", "--drop", "id", "--out",
         str(folder / "model.plm"), "--quiet", "--estimator", "linear", "--evidence"]
    )  # fmt: skip
    assert code == 0
    return folder


COMMANDS = {  # and what each writes
    "fit": "fit rows.csv --target churned --estimator linear --out new.plm",
    "predict": "predict model.plm fresh.csv --out new.csv",
    "predict to Parquet": "predict model.plm fresh.csv --out new.parquet",
    "report": "report model.plm --out new.html",
    "export": "export model.plm --onnx new.onnx",
    "retarget": "retarget model.plm --measure f2 --out new.plm",
    "adapt": "adapt model.plm fresh.csv --out new.plm",
    "guarantee": "guarantee model.plm fresh.csv --promise recall>=0.3 --out new.plm",
    "groups": "groups model.plm fresh.csv --by plan --within 1 --out new.plm",
}


def run(folder, name, tmp_path, capsys):
    """Run a command; return its exit code, what it said on stderr, and the file that it writes."""
    *arguments, last = COMMANDS[name].split()
    arguments = [str(folder / one) if (folder / one).is_file() else one for one in arguments]
    out = tmp_path / last
    code = main([*arguments, str(out), "--force"])
    return code, capsys.readouterr().err, out


@pytest.fixture
def small_files():
    """Let nobody write more than a few bytes, as on a full disk."""
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (FEW, hard))
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    signal.signal(signal.SIGXFSZ, before)


def is_one_sentence(said):
    """Tell whether an error is the last line, with nothing from the depths before it."""
    return "Traceback" not in said and said.splitlines()[-1].startswith("Error: ")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_leaves_the_old_file(name, folder, tmp_path, capsys, small_files):
    code, said, out = run(folder, name, tmp_path, capsys)  # what it compiles is kept
    assert code == 0, said
    old = out.read_bytes()
    small_files()
    code, said, _ = run(folder, name, tmp_path, capsys)
    assert code == 1, said
    assert "File too large" in said
    assert is_one_sentence(said), said
    assert out.read_bytes() == old
    assert os.listdir(tmp_path) == [out.name]


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_read_only_folder_is_named(name, folder, tmp_path, capsys):
    tmp_path.chmod(0o555)
    try:
        code, said, _ = run(folder, name, tmp_path, capsys)
    finally:
        tmp_path.chmod(0o755)
    assert code == 1, said
    assert "Permission denied" in said
    assert is_one_sentence(said), said
