"""Files of other people: refused by one sentence, and nothing that they say is executed."""

import json
import os
import pickle
import zipfile
from functools import partial
from io import BytesIO
from operator import methodcaller
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile

import numpy as np
import pytest
import sklearn
from persistence.cases import fitted
from scipy import sparse
from skops import io

import pseudolinear
from pseudolinear.persistence import TRUSTED


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Return the members of a file that can be loaded."""
    path = tmp_path_factory.mktemp("saved") / "model.plm"
    fitted("linear")[0].save(path)
    with ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture
def write(saved, tmp_path):
    """Return a function that writes a file with some members changed."""

    def writer(compression=ZIP_DEFLATED, **changes):
        path = tmp_path / "model.plm"
        names = {"manifest": "manifest.json", "schema": "schema.json"}
        members = saved | {names.get(name, name): data for name, data in changes.items()}
        with ZipFile(path, "w", compression) as archive:
            for name, data in members.items():
                archive.writestr(name, data)
        return path

    return writer


def refused(path, match, **options):
    """Check that a file is refused by one sentence."""
    with pytest.raises(ValueError, match=match) as caught:
        pseudolinear.load(path, **options)
    message = str(caught.value)
    assert message.startswith(f"{path} cannot be loaded: ")
    assert message.endswith(".")
    assert "\n" not in message


def node(module, name, loader="ObjectNode", **content):
    return {"__module__": module, "__class__": name, "__loader__": loader, **content}


def values(*items):
    """Return the node of a tuple of texts or numbers."""
    ones = [node("builtins", "str", "JsonNode", content=json.dumps(one)) for one in items]
    return node("builtins", "tuple", "TupleNode", content=ones)


def with_attribute(saved, value):
    """Return the schema of a model in which one attribute of the decision is another node."""
    schema = json.loads(saved["schema.json"])
    classifier = schema["content"]["classifier"]
    classifier["content"]["content"]["decision_"]["content"]["content"]["view"] = value
    return json.dumps(schema)


def test_members_as_they_were_are_loaded(write):
    """The helper writes what can be loaded."""
    clf, X = fitted("linear")
    np.testing.assert_array_equal(pseudolinear.load(write()).predict(X), clf.predict(X))


class Attack:
    """What a pickle would execute."""

    def __init__(self, marker):
        self.marker = marker

    def __reduce__(self):
        return os.mkdir, (self.marker,)


def test_pickle_is_refused_unread(tmp_path):
    """It would have made a folder."""
    marker, path = tmp_path / "marker", tmp_path / "model.plm"
    path.write_bytes(pickle.dumps(Attack(str(marker))))
    refused(path, "it is a pickle, which can execute anything")
    assert not marker.exists()


def attacks(marker):
    """List the nodes by which a file could try to have a folder made."""
    function = node("os", "mkdir", "FunctionNode")
    arguments = values(marker)
    empty = node("builtins", "dict", "DictNode", content={}, key_types=node(
        "builtins", "list", "ListNode", content=[]))  # fmt: skip
    return {
        "function": function,
        "constructor": node("os", "mkdir", "ConstructorFromReduceNode", content=arguments),
        "partial": node("functools", "partial", "PartialNode", content={
            "func": function, "args": arguments, "kwds": empty, "namespace": empty}),
        "method": node("pathlib", "PosixPath", "MethodNode", content={
            "func": "mkdir",
            "obj": node("pathlib", "PosixPath", "ConstructorFromReduceNode", content=arguments)}),
        "operator": node("operator", "methodcaller", "OperatorFuncNode", attrs=values("mkdir")),
        "type of keys": node("builtins", "dict", "DictNode", content={marker: values()},
                             key_types=node("builtins", "list", "ListNode", content=[
                                 node("os", "mkdir", "TypeNode")])),
        "list": node("os", "mkdir", "ListNode", content=[values(marker)]),
        "array": node("os", "mkdir", "NdArrayNode", type="json", shape=values(0), content=[]),
        "reduced": node("os", "mkdir", "LossNode", content=empty, __reduce__={"args": arguments}),
        "object": node("subprocess", "Popen", content=empty),
        "factory": node("collections", "defaultdict", "DefaultDictNode", content={
            "main": empty, "default_factory": function}),
        "old protocol": node("os", "mkdir", "FunctionNode", content={
            "module_path": "os", "function": "mkdir"}),
    }  # fmt: skip


@pytest.mark.parametrize("kind", attacks(""))
@pytest.mark.parametrize("nested", [False, True], ids=["alone", "in a trusted type"])
def test_whatever_would_call_is_refused(kind, nested, saved, write, tmp_path):
    """As the whole content, and as an attribute of one of our own types."""
    marker = str(tmp_path / "marker")
    attack = attacks(marker)[kind]
    if nested:
        schema = json.loads(with_attribute(saved, attack))
    else:
        schema = attack | {"protocol": 2, "_skops_version": "0"}
    if kind == "old protocol":
        schema["protocol"] = 0
    refused(write(schema=json.dumps(schema)), "types that are not trusted; if you know")
    assert not os.path.exists(marker)


@pytest.mark.parametrize(
    "kind", ["ConstructorFromReduceNode", "ListNode", "SetNode", "TypeNode", "MethodNode"]
)
@pytest.mark.parametrize("name", ["lightgbm.basic.Booster", TRUSTED[0]])
def test_trusted_types_are_filled_and_never_called(kind, name, saved, write, tmp_path):
    """A booster that is called reads any file; to skops alone its name would be enough."""
    module, _, last = name.rpartition(".")
    attack = node(module, last, kind, content=values(str(tmp_path / "other")))
    refused(write(schema=with_attribute(saved, attack)), f"it would call {name}")


@pytest.mark.parametrize("evil", [partial(os.mkdir, "x"), methodcaller("mkdir"), os.mkdir, Attack])
def test_what_skops_writes_of_functions_is_refused(evil, write):
    """Its own files of partials, operators, functions and types hold them by name."""
    data = io.dumps({"classifier": evil, "shared": []})
    with ZipFile(BytesIO(data)) as archive:
        schema = archive.read("schema.json")
    refused(write(schema=schema), "types that are not trusted")


def test_unknown_types_are_named_and_can_be_trusted(saved, write):
    """By name or as the type itself; then the file must still hold a classifier."""
    other = node("test_hostile_files", "Attack")
    path = write(schema=with_attribute(saved, node("decimal", "Decimal", "TypeNode")))
    refused(path, r"give trusted=\['decimal.Decimal'\]")
    assert pseudolinear.load(path, trusted=["decimal.Decimal"]).decision_.view.__name__ == "Decimal"
    refused(write(schema=with_attribute(saved, other)), r"test_hostile_files.Attack")


def test_file_of_something_else_is_refused(write):
    """A skops file of a trusted type that is no classifier."""
    with ZipFile(BytesIO(io.dumps({"classifier": 1}))) as archive:
        refused(write(schema=archive.read("schema.json")), "holds no classifier")
    with ZipFile(BytesIO(io.dumps([1]))) as archive:
        refused(write(schema=archive.read("schema.json")), "holds no classifier")


@pytest.mark.parametrize("data", [b"", b"no zip at all", b"PK\x03\x04 and nothing more"])
def test_what_is_no_archive_is_refused(data, tmp_path):
    """Empty files, text, and the beginning of an archive."""
    (tmp_path / "model.plm").write_bytes(data)
    refused(tmp_path / "model.plm", "it is no model, or a part of it is missing")


def test_incomplete_file_is_refused(write):
    """Wherever it was cut off."""
    path = write()
    data = path.read_bytes()
    for end in range(1, len(data), len(data) // 40):
        path.write_bytes(data[:end])
        refused(path, "missing or damaged")


def test_damaged_file_is_refused_or_holds_the_same(write):
    """A changed byte is found by the checksum, unless it is one that nobody reads."""
    clf, X = fitted("linear")
    path = write()
    data = bytearray(path.read_bytes())
    for place in range(0, len(data), len(data) // 60):
        changed = data.copy()
        changed[place] ^= 0xFF
        path.write_bytes(changed)
        try:
            found = pseudolinear.load(path)
        except ValueError as error:
            assert "cannot be loaded" in str(error)  # noqa: PT017
        else:
            np.testing.assert_array_equal(found.predict(X), clf.predict(X))


def test_format_of_a_later_version_is_refused(saved, write):
    """With what to do."""
    manifest = json.loads(saved["manifest.json"])
    later = manifest | {"format": manifest["format"] + 1, "versions": {"pseudolinear": "9.9"}}
    refused(write(manifest=json.dumps(later)), "written by pseudolinear 9.9.*install a newer")
    refused(write(manifest="[]"), "states no format")
    refused(write(manifest="{"), "Expecting")


def test_plain_skops_file_is_refused(tmp_path):
    """Without a manifest nobody knows what it is."""
    (tmp_path / "model.plm").write_bytes(io.dumps(fitted("linear")[0].slim()))
    refused(tmp_path / "model.plm", "no model that save has written: it has no manifest.json")


@pytest.mark.parametrize("name", ["../1.npy", "/etc/1.npy", "C:\\1.npy", "a/1.npy", "x.py"])
def test_names_that_no_model_has_are_refused(name, write):
    """Nothing is ever unpacked to the disk, but such a file is no model."""
    refused(write(**{name: b"evil"}), "which is no part of a model")


def test_bombs_are_refused_unpacked(write, monkeypatch):
    """Gigabytes of nothing in a small file, in the archive or in an archive in it."""
    from pseudolinear.persistence import _archive

    monkeypatch.setattr(_archive, "GENEROUS", 10_000_000)
    refused(write(**{"1.npy": bytes(20_000_000)}), "it would unpack to 0.0 GB, far more")
    inner = BytesIO()
    sparse.save_npz(inner, sparse.csr_matrix(np.ones((2000, 2000))))
    assert len(inner.getvalue()) < 200_000
    refused(write(**{"1.npy": inner.getvalue()}), "far more than a model of its size holds")
    refused(write(ZIP_BZIP2), "packed in a way that save never uses")


def test_array_that_claims_to_be_huge_is_refused(saved, write):
    """Its header says a petabyte."""
    header = BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "<f8", "fortran_order": False, "shape": (1 << 47,)}
    )
    name = next(name for name in saved if name.endswith(".npy"))
    refused(write(**{name: header.getvalue()}), "cannot be loaded")


def test_pickled_array_is_refused(saved, write, tmp_path):
    """Arrays of objects would be unpickled."""
    marker, file = tmp_path / "marker", BytesIO()
    np.save(file, np.array([Attack(str(marker))], dtype=object), allow_pickle=True)
    arrays = {name: file.getvalue() for name in saved if name.endswith(".npy")}
    refused(write(**arrays), "allow_pickle=False")
    assert not marker.exists()


def test_endless_nesting_is_refused(write):
    """Deeper than Python goes."""
    schema = '{"a":' * 100_000 + "1" + "}" * 100_000
    refused(write(schema=schema), "cannot be loaded: .*recursion")


def test_file_of_another_scikit_learn_loads_with_one_warning(saved, write):
    """Not with one for every estimator inside."""
    manifest = json.loads(saved["manifest.json"])
    manifest["versions"]["scikit-learn"] = "1.6.0"
    schema = saved["schema.json"].replace(
        json.dumps(json.dumps(sklearn.__version__)).encode(), b'"\\"1.6.0\\""'
    )
    assert schema != saved["schema.json"]
    path = write(manifest=json.dumps(manifest), schema=schema)
    with pytest.warns(UserWarning, match=r"saved with scikit-learn 1.6.0 and is loaded") as caught:
        pseudolinear.load(path)
    assert len(caught) == 1


def test_zip_of_zipfile_never_gives_more_than_it_declares(tmp_path):
    """What the limit of sizes rests on."""
    path = tmp_path / "lie.zip"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("1.npy", bytes(1_000_000))
    data = path.read_bytes().replace((1_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    path.write_bytes(data)
    with ZipFile(path) as archive, pytest.raises(zipfile.BadZipFile, match="CRC"):
        archive.read("1.npy")
