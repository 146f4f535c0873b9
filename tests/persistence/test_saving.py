"""What is in a saved model, and how it gets there."""

import inspect
import json
from importlib import import_module
from zipfile import ZipFile

import numpy as np
import pandas as pd
import pytest
from persistence.cases import binary, fitted
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import pseudolinear
from pseudolinear import KernelLearner, MeasureClassifier
from pseudolinear.persistence import TRUSTED


class OwnClassifier(LogisticRegression):
    """An estimator that no list can know."""


def parts_of(thing, seen=None):
    """Yield everything that an object is made of."""
    seen = {} if seen is None else seen
    if id(thing) in seen or isinstance(thing, type) or inspect.isroutine(thing):
        return
    seen[id(thing)] = thing
    yield thing
    if isinstance(thing, dict):
        inner = [*thing, *thing.values()]
    elif isinstance(thing, list | tuple | set | frozenset):
        inner = thing
    elif isinstance(thing, np.ndarray) and thing.dtype == object:
        inner = thing.ravel().tolist()
    else:
        inner = getattr(thing, "__dict__", {}).values()
    for one in inner:
        yield from parts_of(one, seen)


def lengths(thing):
    """Return every size that anything in an object has."""
    for one in parts_of(thing):
        if isinstance(one, np.ndarray) or sparse.issparse(one):
            yield from one.shape
        elif isinstance(one, list | tuple | dict | set):
            yield len(one)


@pytest.mark.parametrize("params", [{}, {"effort": "best"}], ids=["default", "best"])
def test_no_training_rows_are_kept(params):
    """Nothing in a slim model is as long as the training set: neither rows nor scores."""
    rng = np.random.default_rng(0)
    n = 311
    frame = pd.DataFrame({
        "number": rng.normal(size=n), "kind": rng.choice(["a", "b"], n),
        "note": [" ".join(rng.choice(["good", "bad", "old"], 4)) for _ in range(n)],
    })  # fmt: skip
    y = frame.number + 2 * (frame.kind == "a") + 0.3 * rng.normal(size=n) > 1.0
    clf = MeasureClassifier(random_state=0, **params).fit(frame, y).slim()
    assert n not in set(lengths(clf))


def test_kernels_keep_support_vectors_only():
    """Rows beyond the margin are not in the model."""
    X, y = binary()
    clf = MeasureClassifier(KernelLearner(gamma=0.1), random_state=0).fit(X, y).slim()
    assert len(X) not in set(lengths(clf))
    rows = clf.models_[0].rows
    assert len(rows) == np.count_nonzero(clf.models_[0].dual_coef) < len(X)


def test_words_that_occur_once_are_not_kept(tmp_path):
    """A name that a single text has is not in the file, the words of the vocabulary are."""
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(["good", "bad", "old", "new"], 6)) for _ in range(120)]
    texts[7] += " Rumpelstilzchen"
    clf = MeasureClassifier(random_state=0).fit(texts, ["good good" in text for text in texts])
    clf.save(tmp_path / "model.plm")
    with ZipFile(tmp_path / "model.plm") as archive:
        content = b"".join(map(archive.read, archive.namelist())).lower()
    assert b"rumpelstilzchen" not in content
    assert b"good" in content


def test_manifest_says_what_the_file_holds(tmp_path):
    """For people, and for other programs."""
    clf, _ = fitted("lists")
    clf.save(tmp_path / "model.plm", evidence=True)
    with ZipFile(tmp_path / "model.plm") as archive:
        manifest = json.loads(archive.read("manifest.json"))
    assert {"python", "scikit-learn", "numpy"} <= manifest.pop("versions").keys()
    assert manifest == {
        "format": 1, "what": "pseudolinear._classifier.MeasureClassifier", "kind": "multilabel",
        "measure": "f1_macro", "n_classes": 3, "evidence": True,
    }  # fmt: skip


def test_file_that_exists_is_kept_where_asked_to(tmp_path):
    """And replaced otherwise."""
    clf, _ = fitted("linear")
    path = tmp_path / "model.plm"
    path.write_text("mine")
    with pytest.raises(FileExistsError, match=r"model.plm exists already; choose another name"):
        clf.save(path, overwrite=False)
    assert path.read_text() == "mine"
    clf.save(path)
    pseudolinear.load(path)


def test_failed_save_leaves_the_old_file(tmp_path):
    """And nothing beside it."""
    X, y = binary()
    path = tmp_path / "model.plm"
    fitted("linear")[0].save(path)
    before = path.read_bytes()
    steps = make_pipeline(FunctionTransformer(lambda X: X), LogisticRegression())
    clf = MeasureClassifier(steps, random_state=0).fit(X, y)
    with pytest.raises(TypeError, match=r"holds .*<lambda>, which no other process can find"):
        clf.save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_is_refused(tmp_path):
    """Splits that are made once only are no part of a model."""
    X, y = binary()
    half = np.arange(100), np.arange(100, 200)
    clf = MeasureClassifier("linear", cv=(half for _ in range(1)), random_state=0).fit(X, y)
    with pytest.raises(TypeError, match=r"cannot be saved without executing code.*use joblib"):
        clf.save(tmp_path / "model.plm")


def test_classifier_that_is_not_fitted_cannot_be_saved(tmp_path):
    """There is nothing to save."""
    with pytest.raises(NotFittedError):
        MeasureClassifier().save(tmp_path / "model.plm")


def test_estimator_of_ones_own_is_loaded_where_it_is_trusted(tmp_path):
    """The error names it; as a type or by name it may then be made."""
    X, y = binary()
    clf = MeasureClassifier(OwnClassifier(), random_state=0).fit(X, y)
    clf.save(tmp_path / "model.plm")
    name = f"{OwnClassifier.__module__}.OwnClassifier"
    with pytest.raises(ValueError, match=rf"give trusted=\['{name}'\]"):
        pseudolinear.load(tmp_path / "model.plm")
    for trusted in (name, OwnClassifier):
        found = pseudolinear.load(tmp_path / "model.plm", trusted=[trusted])
        np.testing.assert_array_equal(found.predict(X), clf.predict(X))


def test_every_type_on_the_list_is_there():
    """Of this package; those of others may not be installed, or have moved."""
    for name in TRUSTED:
        module, _, last = name.rpartition(".")
        if module.startswith("pseudolinear"):
            assert inspect.isclass(getattr(import_module(module), last))


ROOMS = [[name] for name in (
    "_group_thresholds", "_label_budget", "_problem", "_row_budget", "features", "kinds", "labels",
    "learners", "measures", "portfolio", "search", "selection", "thresholds",
)]  # fmt: skip
FAMILIES = {
    "features._columns": "Column", "features._schema": "Schema", "features._view": "View",
    "kinds": "Kind", "labels": "LabelForm", "labels._holders": "Holder", "learners": "Learner",
    "measures": "Measure Objective", "_problem": "Problem", "search": "LevelSearch",
    "selection": "Rule", "thresholds": "Objective", "_budgeted": "Policy",
}  # fmt: skip


@pytest.mark.parametrize("module", FAMILIES)
def test_every_member_of_a_family_is_on_the_list(module):
    """A new measure, view, rule or learner that is not would be saved and never loaded."""
    bases = [getattr(import_module(f"pseudolinear.{module}"), n) for n in FAMILIES[module].split()]
    for base in bases:
        for one in descendants(base):
            room = one.__module__.removeprefix("pseudolinear").split(".")[1:2]
            # Examples in docstrings define classes too, which no module has.
            real = getattr(import_module(one.__module__), one.__name__, None) is one
            if real and not inspect.isabstract(one) and room in ROOMS:
                assert f"{one.__module__}.{one.__name__}" in TRUSTED


def descendants(base):
    for child in base.__subclasses__():
        yield child
        yield from descendants(child)
