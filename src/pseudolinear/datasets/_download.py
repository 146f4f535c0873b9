"""Downloads that survive bad connections and leave no broken file behind."""

from __future__ import annotations

import hashlib
import os
import sys
from contextlib import suppress
from email.utils import formatdate, parsedate_to_datetime
from http.client import HTTPException
from pathlib import Path
from ssl import SSLError
from time import sleep
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from pseudolinear._progress import Progress
from pseudolinear.datasets._folder import VARIABLE, data_folder
from pseudolinear.datasets._registry import RemoteFile, get_spec

CHUNK = 1 << 16
TROUBLE = (URLError, HTTPException, TimeoutError, ConnectionError, SSLError)
PASSING = (408, 416, 429)  # answers of the kind 4xx after which another attempt may succeed


def download_dataset(
    name: str,
    data_dir: str | os.PathLike[str] | None = None,
    *,
    timeout: float = 30.0,
    attempts: int = 5,
    verbose: bool = True,
) -> Path:
    """Download the files of a data set that are not there yet.

    A broken download goes on where it stopped, in the next attempt or the next call. A file gets
    its name only when it is complete and its SHA-256 checksum is right. For scene, yeast, siam
    and bibtex none is known: the error stream then says so, with the checksum of what came, which
    is also written beside the file (``.sha256``), and the next download into this folder must
    have the same.

    Parameters
    ----------
    name : str
        Name of the data set; see :func:`load_dataset`.
    data_dir : path, default=None
        The folder of the data sets; see :func:`data_folder`.
    timeout : float, default=30.0
        Seconds after which a silent server is given up.
    attempts : int, default=5
        Attempts per file; the waits between them double, from one second.
    verbose : bool, default=True
        Whether to show a progress bar, where the error stream is a terminal.

    Returns
    -------
    Path
        The folder of the data set.

    Examples
    --------
    Files that are there already are not downloaded again, so a second call needs no network:

    >>> import tempfile
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> (folder / "scene").mkdir()
    >>> for name in ("scene_train.bz2", "scene_test.bz2"):
    ...     _ = (folder / "scene" / name).write_bytes(b"")
    >>> download_dataset("scene", folder).name
    'scene'
    """
    if attempts < 1:
        raise ValueError(f"attempts must be at least 1, got {attempts}.")
    folder = data_folder(data_dir) / name
    files = get_spec(name).files
    if not files:
        raise ValueError(
            f"{name} has no public home to download from; put its files train.svm.xz and "
            f"test.svm.xz into {folder}."
        )
    _make_writable(folder)
    for remote in files.values():
        path = folder / remote.name
        if not path.exists():
            _fetch(remote, path, timeout, attempts, verbose)
    return folder


def _make_writable(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        reason = None if os.access(folder, os.W_OK) else "permission denied"
    except OSError as error:
        reason = error.strerror
    if reason:
        raise OSError(
            f"nothing can be written to {folder}: {reason}; choose another folder by data_dir or "
            f"{VARIABLE}."
        )


def _fetch(remote: RemoteFile, path: Path, timeout: float, attempts: int, verbose: bool) -> None:
    part = path.with_name(path.name + ".part")
    reason: object = None
    for attempt in range(attempts):
        if attempt:
            sleep(2.0 ** (attempt - 1))
        try:
            _transfer(remote.url, part, timeout, verbose)
            break
        except HTTPError as error:
            error.close()
            if error.code < 500 and error.code not in PASSING:
                raise OSError(
                    f"{remote.url} cannot be downloaded: the server answers {error.code} "
                    f"{error.reason}."
                ) from error
            if error.code == 416:  # more is at hand than the server has
                part.unlink(missing_ok=True)
            reason = error
        except TROUBLE as error:
            reason = error
    else:
        raise OSError(
            f"{remote.url} could not be downloaded in {attempts} attempts, last because of: "
            f"{reason}; call again to go on where it stopped."
        )
    _verify(remote, part, path.with_name(path.name + ".sha256"))
    os.replace(part, path)


def _transfer(url: str, part: Path, timeout: float, verbose: bool) -> None:
    request = Request(url)
    done = 0
    if part.exists():
        done = part.stat().st_size
        request.add_header("Range", f"bytes={done}-")
        # The part file carries the server's date of the file. A server whose file has another date
        # now, or that knows no ranges, sends everything again: no file is a mix of two.
        request.add_header("If-Range", formatdate(part.stat().st_mtime, usegmt=True))
    with urlopen(request, timeout=timeout) as response:
        if response.status != 206:
            done = 0
        total = None if response.length is None else done + response.length
        shown = verbose and sys.stderr.isatty()
        try:
            with (
                part.open("ab" if done else "wb") as file,
                Progress(part.stem, total, done=done, size=True, shown=shown) as progress,
            ):
                while chunk := response.read1(CHUNK):
                    done += file.write(chunk)
                    progress.update(done)
        finally:
            with suppress(TypeError, ValueError):  # no date, or none that can be read
                date = parsedate_to_datetime(response.headers["Last-Modified"]).timestamp()
                os.utime(part, (date, date))
    size = part.stat().st_size  # too much if another process wrote as well
    if total is not None and size != total:
        raise ConnectionError(f"the connection ended after {size} of {total} bytes")


def _verify(remote: RemoteFile, part: Path, record: Path) -> None:
    size = part.stat().st_size
    with part.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    known, way_out = remote.sha256, "try again later or get the file elsewhere"
    if known is None and record.is_file():
        known, way_out = record.read_text().partition(" ")[0], f"delete {record} to accept it"
    for what, expected, found in (("size", remote.size, size), ("SHA-256", known, digest)):
        if expected not in (None, found):
            part.unlink()
            raise ValueError(
                f"{remote.url} has the {what} {found} in place of {expected}; it was not kept, "
                f"so {way_out}."
            )
    if known is None:
        unfinished = record.with_name(record.name + ".part")
        unfinished.write_text(f"{digest}  {remote.name}\n")  # as sha256sum writes and checks it
        os.replace(unfinished, record)
        print(
            f"{remote.name} could not be verified, as no checksum of it is known; it has {size} "
            f"bytes and the SHA-256 {digest}, kept in {record.name} for the next download.",
            file=sys.stderr,
        )
