"""Where results may be written."""

import os
import threading

import pytest


def test_what_is_read_is_never_overwritten(run, csv, model, tmp_path):
    """Not even by --force: the rows, or the model, would be lost."""
    rows = tmp_path / "rows.csv"
    rows.write_bytes(csv.read_bytes())
    saved = tmp_path / "model.plm"
    saved.write_bytes(model.read_bytes())
    for arguments in (
        ["fit", rows, "--target", "churned", "--out", rows],
        ["predict", saved, rows, "--out", rows],
        ["report", saved, "--out", saved],
        ["export", saved, "--onnx", saved],
    ):
        code, _, error = run(*arguments, "--force")
        assert code == 2
        assert "is what is read" in error
    assert rows.read_bytes() == csv.read_bytes()
    assert saved.read_bytes() == model.read_bytes()


def test_only_predict_knows_the_standard_output(run, csv, model, tmp_path, monkeypatch):
    """No file named - appears."""
    monkeypatch.chdir(tmp_path)
    for arguments in (
        ["fit", csv, "--target", "churned", "--out", "-"],
        ["report", model, "--out", "-"],
        ["export", model, "--onnx", "-"],
    ):
        code, _, error = run(*arguments)
        assert code == 2
        assert "standard output" in error
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_a_pipe_needs_no_force(run, csv, model, tmp_path):
    """As a shell gives for --out >(program)."""
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    assert run("predict", model, csv, "--out", pipe, "--output-format", "csv")[0] == 0
    reader.join(10)
    assert read[0].startswith("prediction\n")
