"""Downloads, against a server on this machine that misbehaves on demand."""

import hashlib
import lzma
import threading
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ssl import SSLError
from time import monotonic
from urllib import request

import pytest
from data import DATA

from pseudolinear.datasets import _download, download_dataset, load_dataset
from pseudolinear.datasets._registry import REGISTRY, DatasetSpec, RemoteFile

CONTENT = b"".join(b"%d 1:%d 2:0.5\n" % (i % 2, i + 1) for i in range(20_000))
SHA256 = hashlib.sha256(CONTENT).hexdigest()


class Server(ThreadingHTTPServer):
    """Serves CONTENT; one entry of `faults` spoils one request."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.content, self.date = CONTENT, "Mon, 05 Feb 2024 10:00:00 GMT"
        self.has_ranges = True
        self.faults = deque()
        self.ranges = []  # what was asked for
        self.over = threading.Event()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/rows.svm"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        server, wanted = self.server, self.headers["Range"]
        server.ranges.append(wanted)
        fault = server.faults.popleft() if server.faults else None
        if isinstance(fault, int):
            self.send_error(fault)
            return
        start = 0
        if wanted and server.has_ranges and self.headers["If-Range"] == server.date:
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            if start >= len(server.content):
                self.send_error(416)
                return
        body = server.content[start:]
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(body)))
        if server.date:
            self.send_header("Last-Modified", server.date)
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if fault else body)
        self.wfile.flush()
        if fault == "stall":
            server.over.wait(20)

    def log_message(self, *args):
        pass


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr(_download, "sleep", lambda seconds: None)
    server = Server()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.over.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def register(server, monkeypatch):
    def register(**known):
        files = {"all": RemoteFile(server.url, **known)}
        spec = DatasetSpec(15_000, 5_000, 2, 2, binary=True, files=files)
        monkeypatch.setitem(REGISTRY, "tiny", spec)

    register(size=len(CONTENT), sha256=SHA256)
    return register


def names(folder):
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


@pytest.mark.usefixtures("register")
def test_a_file_is_fetched_once(server, tmp_path, capsys):
    """It has the bytes of the server; a second call asks for nothing."""
    for _ in range(2):
        folder = download_dataset("tiny", tmp_path)
        assert folder == tmp_path / "tiny"
        assert (folder / "rows.svm").read_bytes() == CONTENT
    assert server.ranges == [None]
    assert capsys.readouterr() == ("", "")


@pytest.mark.usefixtures("register")
def test_a_cut_connection_is_resumed(server, tmp_path):
    """Only what is missing is asked for again."""
    server.faults += ["cut", "cut"]
    folder = download_dataset("tiny", tmp_path)
    assert (folder / "rows.svm").read_bytes() == CONTENT
    half = len(CONTENT) // 2
    assert server.ranges == [None, f"bytes={half}-", f"bytes={half + (len(CONTENT) - half) // 2}-"]
    assert names(tmp_path) == ["rows.svm"]


@pytest.mark.usefixtures("register")
def test_a_later_call_goes_on(server, tmp_path):
    """The part of a failed call is kept, under another name, and used by the next."""
    server.faults += ["cut"]
    with pytest.raises(OSError, match=r"in 1 attempts.*ended after \d+ of \d+ bytes; call again"):
        download_dataset("tiny", tmp_path, attempts=1)
    assert names(tmp_path) == ["rows.svm.part"]
    folder = download_dataset("tiny", tmp_path)
    assert (folder / "rows.svm").read_bytes() == CONTENT
    assert server.ranges[1] == f"bytes={len(CONTENT) // 2}-"


def test_two_versions_are_never_mixed(server, register, tmp_path):
    """A file that changed in between is fetched from its start, even without a checksum."""
    register()
    server.faults += ["cut"]
    with pytest.raises(OSError, match="call again"):
        download_dataset("tiny", tmp_path, attempts=1)
    server.content, server.date = CONTENT[::-1], "Tue, 06 Feb 2024 10:00:00 GMT"
    folder = download_dataset("tiny", tmp_path)
    assert (folder / "rows.svm").read_bytes() == CONTENT[::-1]


@pytest.mark.parametrize("date", [None, "once upon a time"])
@pytest.mark.usefixtures("register")
def test_a_server_without_ranges(server, tmp_path, date):
    """Everything is fetched again."""
    server.has_ranges, server.date = False, date
    server.faults += ["cut"]
    folder = download_dataset("tiny", tmp_path)
    assert (folder / "rows.svm").read_bytes() == CONTENT
    assert len(server.ranges) == 2


@pytest.mark.usefixtures("register")
def test_a_part_that_is_complete(server, tmp_path):
    """What was stopped after the last byte is fetched again, not refused for ever."""
    part = tmp_path / "tiny" / "rows.svm.part"
    part.parent.mkdir()
    part.write_bytes(CONTENT)
    server.faults += [416]
    assert (download_dataset("tiny", tmp_path) / "rows.svm").read_bytes() == CONTENT
    assert server.ranges == [f"bytes={len(CONTENT)}-", None]


@pytest.mark.parametrize("known", [{"sha256": "0" * 64}, {"size": len(CONTENT) + 1}])
def test_a_wrong_file_is_not_kept(server, register, tmp_path, known):
    """Neither under its name nor as a part."""
    register(**known)
    with pytest.raises(ValueError, match=r"has the (SHA-256|size) \w+ in place of .* not kept"):
        download_dataset("tiny", tmp_path)
    assert names(tmp_path) == []


@pytest.mark.usefixtures("register")
def test_a_truncated_file_is_not_kept(server, tmp_path):
    """A server that has only half of the file and says so is found out by the size."""
    server.content = CONTENT[: len(CONTENT) // 2]
    with pytest.raises(ValueError, match=f"has the size {len(CONTENT) // 2} in place of"):
        download_dataset("tiny", tmp_path)
    assert names(tmp_path) == []


@pytest.mark.usefixtures("register")
def test_a_silent_server_is_given_up(server, tmp_path):
    """After the timeout, once per attempt."""
    server.faults += ["stall", "stall"]
    start = monotonic()
    with pytest.raises(OSError, match=r"could not be downloaded in 2 attempts.*timed out"):
        download_dataset("tiny", tmp_path, timeout=0.2, attempts=2)
    assert monotonic() - start < 5
    assert len(server.ranges) == 2
    assert names(tmp_path) == ["rows.svm.part"]


@pytest.mark.usefixtures("register")
def test_passing_and_final_answers(server, tmp_path):
    """An overloaded server is asked again; a missing file is not."""
    server.faults += [503, 429]
    download_dataset("tiny", tmp_path / "a")
    assert len(server.ranges) == 3
    server.faults += [404]
    with pytest.raises(OSError, match="the server answers 404 Not Found"):
        download_dataset("tiny", tmp_path / "b")
    assert len(server.ranges) == 4


def test_no_server_at_all(server, register, tmp_path, monkeypatch):
    """One sentence after all attempts."""
    files = {"all": RemoteFile("http://127.0.0.1:1/rows.svm")}
    monkeypatch.setitem(REGISTRY, "tiny", DatasetSpec(1, 1, 1, 2, files=files))
    with pytest.raises(OSError, match="could not be downloaded in 3 attempts") as error:
        download_dataset("tiny", tmp_path, attempts=3)
    assert "\n" not in str(error.value)


def test_an_unknown_checksum_is_said_and_kept(server, register, tmp_path, capsys):
    """The next download must have the same, until the user accepts another."""
    register()
    file = download_dataset("tiny", tmp_path) / "rows.svm"
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "rows.svm could not be verified" in error
    assert SHA256 in error
    record = file.with_name("rows.svm.sha256")
    assert record.read_text() == f"{SHA256}  rows.svm\n"
    file.unlink()
    download_dataset("tiny", tmp_path)
    assert capsys.readouterr().err == ""
    file.unlink()
    server.content = CONTENT[::-1]
    with pytest.raises(ValueError, match=rf"in place of {SHA256}; .*delete .*{record.name} to"):
        download_dataset("tiny", tmp_path)
    assert names(tmp_path) == [record.name]
    record.unlink()
    assert (download_dataset("tiny", tmp_path) / "rows.svm").read_bytes() == CONTENT[::-1]


@pytest.mark.usefixtures("register")
def test_a_broken_encryption_is_resumed(tmp_path, monkeypatch):
    """An error of the encrypted connection passes like any other of the connection."""
    answers = iter([SSLError("bad record"), None])

    def urlopen(*args, **kwargs):
        if error := next(answers):
            raise error
        return request.urlopen(*args, **kwargs)

    monkeypatch.setattr(_download, "urlopen", urlopen)
    assert (download_dataset("tiny", tmp_path) / "rows.svm").read_bytes() == CONTENT


def test_a_part_that_others_write_to(server, register, tmp_path, monkeypatch):
    """Two processes that resume the same file spoil it, which is seen without a checksum."""
    register()
    part = tmp_path / "tiny" / "rows.svm.part"

    class Bar(_download.Progress):
        def update(self, done):
            if len(server.ranges) == 2:
                with part.open("ab") as file:
                    file.write(b"x")
            super().update(done)

    monkeypatch.setattr(_download, "Progress", Bar)
    server.faults += ["cut"]
    assert (download_dataset("tiny", tmp_path) / "rows.svm").read_bytes() == CONTENT


@pytest.mark.usefixtures("register")
def test_a_folder_that_cannot_be_written_to(server, tmp_path, monkeypatch):
    """It is said before anything is asked for, with the way out."""
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match=r"written to .*file.tiny: .*; choose another folder"):
        download_dataset("tiny", tmp_path / "file")
    monkeypatch.setattr(_download.os, "access", lambda path, mode: False)
    with pytest.raises(OSError, match="permission denied; choose another folder by data_dir"):
        download_dataset("tiny", tmp_path)
    assert server.ranges == []


@pytest.mark.usefixtures("register")
def test_loading_downloads_on_request_only(server, tmp_path):
    """Nothing is asked for before; a quarter of the rows is set aside, always the same."""
    with pytest.raises(FileNotFoundError, match=r"load_dataset\('tiny', download=True\)"):
        load_dataset("tiny", tmp_path)
    assert server.ranges == []
    first, second = (load_dataset("tiny", tmp_path, download=True) for _ in range(2))
    assert server.ranges == [None]
    assert "quarter" in first.split
    assert len(first.Y_test) == 5_000
    assert (first.X_test == second.X_test).all()
    drawn = set(first.X_test[:, 0]) | set(first.X_train[:, 0])
    assert len(drawn) == 20_000  # the first feature numbers the rows


def test_what_cannot_be_downloaded(tmp_path):
    """Names without a public home, unknown names, no attempts."""
    with pytest.raises(ValueError, match="enron has no public home"):
        download_dataset("enron", tmp_path)
    with pytest.raises(ValueError, match="'iris' is no known data set; use one of"):
        download_dataset("iris", tmp_path)
    with pytest.raises(ValueError, match="attempts must be at least 1"):
        download_dataset("adult", tmp_path, attempts=0)
    assert names(tmp_path) == []


def test_registry_has_public_homes():
    """Each published set has a training and a test file; a checksum has 64 digits or is unknown."""
    for spec in REGISTRY.values():
        assert spec.files.keys() >= {"train", "test"} or not spec.published
        for file in spec.files.values():
            assert file.url.startswith("https://")
            assert "/" not in file.name
            assert file.sha256 is None or len(bytes.fromhex(file.sha256)) == 32


def test_data_sets_without_checksums_are_those_of_the_documentation():
    """The docstring names them, and no other."""
    unknown = [
        name
        for name, spec in REGISTRY.items()
        if any(file.sha256 is None for file in spec.files.values())
    ]
    assert sorted(unknown) == ["bibtex", "scene", "siam", "yeast"]
    assert "For scene, yeast, siam\n    and bibtex none is known" in download_dataset.__doc__


@pytest.mark.parametrize("part", ["train", "test"])
def test_checksums_of_adult_are_those_of_the_data(part):
    """Its public files are the rows at hand with a blank behind each."""
    path = DATA / "adult" / f"{part}.svm.xz"
    if not path.is_file():
        pytest.skip(f"{path} is missing; set PSEUDOLINEAR_DATA to the folder of data sets")
    content = lzma.decompress(path.read_bytes()).replace(b"\n", b" \n")
    file = REGISTRY["adult"].files[part]
    assert (file.size, file.sha256) == (len(content), hashlib.sha256(content).hexdigest())
