"""What is written is whole or not there, and takes the place of nothing but a file."""

import os
import stat
import threading

import pytest

from pseudolinear._files import open_atomically, write_atomically


def test_a_broken_write_leaves_the_old_file(tmp_path):
    """Neither a part nor a temporary file is left."""
    path = tmp_path / "model"
    write_atomically(path, "old")
    with pytest.raises(TypeError), open_atomically(path) as file:
        file.writelines([b"new", None])
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["model"]


def test_a_link_stays_a_link(tmp_path):
    """What it points to is what was meant."""
    (tmp_path / "model").write_text("old")
    link = tmp_path / "latest"
    link.symlink_to(tmp_path / "model")
    write_atomically(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "model").read_text() == "new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    """As is a device: a file in the place of /dev/null would break the machine."""
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    write_atomically(pipe, "rows")
    is_pipe = stat.S_ISFIFO(pipe.lstat().st_mode)
    if not is_pipe:
        pytest.fail("a file took the place of the pipe")
    reader.join(10)
    assert read == ["rows"]


def test_a_missing_folder_is_named(tmp_path):
    """Not the file that would have been written beside the place."""
    with pytest.raises(FileNotFoundError, match=r"The folder .*nowhere does not exist"):
        write_atomically(tmp_path / "nowhere" / "model", "new")


def test_permissions_are_those_of_any_new_file(tmp_path):
    """What the user keeps from others stays kept."""
    mask = os.umask(0o027)
    try:
        write_atomically(tmp_path / "model", "new")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "model").stat().st_mode) == 0o640
