"""Files that were made to fill memory or time: one sentence, before they do."""

import bz2
import gzip
import lzma
import zipfile

import pytest

from pseudolinear.datasets import _content, read_file, read_rows


def _pack_zip(path, content):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("rows", content)


def _packer(module):
    def pack(path, content):
        with module.open(path, "wb") as file:
            file.write(content)

    return pack


PACKERS = {".gz": _packer(gzip), ".xz": _packer(lzma), ".bz2": _packer(bz2), ".zip": _pack_zip}


@pytest.mark.parametrize("suffix", sorted(PACKERS))
@pytest.mark.parametrize("name", ["rows.svm", "rows.csv", "rows.arff"])
def test_a_few_bytes_may_not_unpack_to_all_memory(name, suffix, tmp_path, monkeypatch):
    monkeypatch.setattr(_content, "GENEROUS", 1 << 16)
    path = tmp_path / (name + suffix)
    PACKERS[suffix](path, b"0" * (4 << 20))
    with pytest.raises(ValueError, match="unpacks to more than"):
        read_rows(path)


@pytest.mark.parametrize("suffix", sorted(PACKERS))
def test_what_is_packed_well_is_read(suffix, tmp_path):
    path = tmp_path / ("rows.csv" + suffix)
    PACKERS[suffix](path, b"a,b\n" + b"1,0\n" * 100_000)
    assert read_rows(path)[0].shape == (100_000, 1)


@pytest.mark.parametrize("read", [read_rows, read_file])
def test_a_table_has_a_number_of_columns_that_can_be_read(read, tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text(
        "\n".join([",".join(f"c{i}" for i in range(200_000)), ",".join(["1"] * 200_000)])
    )
    with pytest.raises(ValueError, match="200,000 columns"):
        read(path)


@pytest.mark.parametrize("row", ["1 1:1 1000000000000000:1", "1 99999999999999999999:1"])
def test_a_feature_number_beyond_integers_is_refused(row, tmp_path):
    path = tmp_path / "rows.svm"
    path.write_text(f"{row}\n0 2:1\n")
    with pytest.raises(ValueError, match="not a valid svmlight file"):
        read_rows(path)


def test_an_attribute_that_is_not_declared_is_refused(tmp_path):
    path = tmp_path / "rows.arff"
    path.write_text(
        "@relation x\n@attribute a numeric\n@attribute b {0,1}\n@data\n{1000000000 1}\n"
    )
    with pytest.raises(ValueError, match="not a valid ARFF file"):
        read_rows(path, labels=1)
