"""Pieces of a fit in a folder: whole or not there, never executed, never mixed."""

import errno
import linecache
import os
import pickle
import sys
import time
from types import ModuleType

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.linear_model import LogisticRegression

from pseudolinear.learners import EstimatorLearner, LabelProblem, LinearLearner
from pseudolinear.sweep import Checkpoint, _checkpoint
from pseudolinear.sweep._packing import pack_models, unpack_models
from pseudolinear.sweep._piece_keys import PieceKeys, digest, problem_keys

KEY = "0123456789" * 4


@pytest.fixture
def kept(tmp_path):
    found = Checkpoint.open(tmp_path / "kept")
    found.save(KEY, {"numbers": np.arange(1000)})
    return found


def numbers(checkpoint, key=KEY):
    return checkpoint.load(key, lambda arrays: arrays["numbers"])


def test_a_folder_says_what_it_is_and_can_be_opened_again(kept):
    """Its pieces are there for the next fit."""
    assert "delete this folder" in (kept.folder / "README.md").read_text()
    assert_array_equal(numbers(Checkpoint.open(kept.folder)), np.arange(1000))


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_piece_is_not_there(kept, share):
    """As after a crash of the machine; it is written again."""
    path = kept.folder / f"{KEY}.npz"
    data = path.read_bytes()
    path.write_bytes(data[: int(share * len(data))])
    assert numbers(kept) is None
    kept.save(KEY, {"numbers": np.arange(5)})
    assert_array_equal(numbers(kept), np.arange(5))


def test_a_changed_byte_is_noticed(kept):
    """By the checksum of the archive."""
    path = kept.folder / f"{KEY}.npz"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))
    assert numbers(kept) is None


def test_a_renamed_piece_is_not_taken(kept):
    """It says itself what it is for."""
    other = KEY[::-1]
    (kept.folder / f"{KEY}.npz").rename(kept.folder / f"{other}.npz")
    assert numbers(kept, other) is None


class Bomb:
    """Executes something when it is unpickled."""

    def __reduce__(self):
        return os.mkdir, (os.environ["BOMB"],)


@pytest.mark.parametrize("form", ["pickle", "objects"])
def test_nothing_is_executed(kept, tmp_path, monkeypatch, form):
    """Neither a pickle nor an array of objects in the place of a piece."""
    monkeypatch.setenv("BOMB", str(tmp_path / "exploded"))
    path = kept.folder / f"{KEY}.npz"
    if form == "pickle":
        path.write_bytes(pickle.dumps(Bomb()))
    else:
        name = np.frombuffer(KEY.encode(), dtype=np.uint8)
        np.savez(path, key=name, numbers=np.array([Bomb()], dtype=object))
    assert numbers(kept) is None
    assert not (tmp_path / "exploded").exists()


def test_a_packed_piece_is_not_taken(kept):
    """So that none grows beyond its size in memory."""
    name = np.frombuffer(KEY.encode(), dtype=np.uint8)
    np.savez_compressed(kept.folder / f"{KEY}.npz", key=name, numbers=np.zeros(1 << 20))
    assert numbers(kept) is None


def test_a_folder_of_something_else_is_refused(tmp_path):
    """A piece of ours or a half-written one is no reason, even where the README is missing."""
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(ValueError, match=r"is no checkpoint, as it holds 'thesis\.tex'"):
        Checkpoint.open(tmp_path)
    (tmp_path / "thesis.tex").rename(tmp_path / f"{KEY}.npz")
    (tmp_path / "tmp123.md").touch()
    Checkpoint.open(tmp_path)


def test_a_folder_that_cannot_be_written_is_refused(tmp_path):
    """Before anything is trained."""
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=r"cannot be written \(Not a directory\)"):
        Checkpoint.open(tmp_path / "file" / "kept")


def test_a_disk_without_space_is_refused_at_the_start(tmp_path, monkeypatch):
    """A probe finds out."""

    def full(**options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(_checkpoint, "TemporaryFile", full)
    with pytest.raises(OSError, match=r"cannot be written \(No space left on device\)"):
        Checkpoint.open(tmp_path)


def test_a_disk_that_fills_up_is_said_once(kept, monkeypatch):
    """And leaves no half of a file."""

    def full(file, **arrays):
        file.write(b"half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(_checkpoint.np, "savez", full)
    before = sorted(kept.folder.iterdir())
    with pytest.warns(UserWarning, match=r"can no longer be written \(No space left"):
        kept.save(KEY[::-1], {"numbers": np.arange(3)})
    kept.save(KEY[::-1], {"numbers": np.arange(3)})  # a second warning would be an error here
    assert sorted(kept.folder.iterdir()) == before
    assert_array_equal(numbers(kept), np.arange(1000))


def test_what_a_killed_fit_was_writing_goes_after_a_while(kept):
    """What another fit is writing stays."""
    old, new = kept.folder / "tmpold.npz", kept.folder / "tmpnew.npz"
    old.touch()
    new.touch()
    os.utime(old, (0, time.time() - 2 * _checkpoint.STALE))
    Checkpoint.open(kept.folder)
    assert not old.exists()
    assert new.exists()


def test_keys_tell_everything_apart():
    """Values, their types and orders, problems and parameters."""
    keys = PieceKeys()
    base = LogisticRegression()
    one = LabelProblem(0, (1.5, 0.5), {"C": 1.0})
    others = [
        LabelProblem(1, (1.5, 0.5), {"C": 1.0}),
        LabelProblem(0, (1.5, np.nextafter(0.5, 1.0).item()), {"C": 1.0}),
        LabelProblem(0, (1.5, 0.5), {"C": 2.0}),
        LabelProblem(0, (1.5, 0.5), {"penalty": 1.0}),
    ]
    found = {keys([], problem_keys([p])) for p in [one, *others]}
    found.add(keys([], problem_keys([one, one])))
    assert len(found) == 6
    values = [
        np.arange(3), np.arange(3.0), np.arange(3)[::-1], np.arange(3)[:, None], [0, 1, 2],
        EstimatorLearner(base), EstimatorLearner(LogisticRegression(C=2.0)), LinearLearner(),
    ]  # fmt: skip
    assert len({keys([value]) for value in values}) == len(values)
    assert digest(EstimatorLearner(base)) == digest(EstimatorLearner(LogisticRegression()))


def test_keys_change_with_versions(monkeypatch):
    """Of this package, and of those that compute."""
    before = PieceKeys()([])
    for name in ("pseudolinear", "numpy", "scikit-learn"):
        with monkeypatch.context() as patch:
            patch.setattr(
                "pseudolinear.sweep._piece_keys.version",
                lambda one, name=name: "99" if one == name else "1",
            )
            assert PieceKeys()([]) != before
            before = PieceKeys()([])


def test_frames_of_equal_columns_have_one_key():
    """Whatever they were cut from."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1.0, None], "b": ["x", "y"]})
    longer = pandas.DataFrame({"a": [1.0, None, 2.0], "b": ["x", "y", "z"]})
    assert digest(frame) == digest(longer.iloc[:2].copy())
    assert digest(frame) != digest(frame.rename(columns={"a": "c"}))
    assert digest(frame) != digest(frame.assign(b=["x", "z"]))


def test_what_cannot_be_compared_is_refused():
    """A function without a name says nothing of what it does."""
    with pytest.raises(TypeError, match="cannot tell whether EstimatorLearner is the same"):
        digest(EstimatorLearner(LogisticRegression(C=lambda: 1.0)))


def test_the_code_of_own_classes_counts(tmp_path, monkeypatch):
    """An estimator of the user's that was changed is another one."""
    path = tmp_path / "own_estimators.py"
    found = []
    for text in ("first", "second"):
        path.write_text(f"class Own:\n    {text!r}\n")
        module = ModuleType("own_estimators")
        module.__file__ = str(path)
        exec(compile(path.read_text(), str(path), "exec"), module.__dict__)
        monkeypatch.setitem(sys.modules, "own_estimators", module)
        linecache.clearcache()
        found.append(digest(module.Own()))
    assert found[0] != found[1]


def test_models_come_back_bit_for_bit():
    """Linear models of labels and of classes."""
    X = np.random.RandomState(0).randn(60, 3)
    codes = (X[:, :1] > 0).astype(np.int8)
    learner = LinearLearner()
    models = learner.fit_batch(X, codes, [LabelProblem(0, (1.0, c)) for c in (0.5, 2.0)])
    for old, new in zip(models, unpack_models(pack_models(models)), strict=True):
        assert new.coef.tobytes() == old.coef.tobytes()
        assert vars(new).keys() == vars(old).keys()
        assert [vars(new)[k] for k in vars(new) if k != "coef"] == [
            vars(old)[k] for k in vars(old) if k != "coef"
        ]


def test_models_of_other_learners_are_trained_again():
    """An estimator of any kind is no array."""
    X = np.random.RandomState(0).randn(60, 3)
    codes = (X[:, :1] > 0).astype(np.int8)
    learner = EstimatorLearner(LogisticRegression())
    assert pack_models(learner.fit_batch(X, codes, [LabelProblem(0, (1.0, 1.0))])) is None
