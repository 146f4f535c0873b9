"""The file of a model: a zip that holds what belongs there, of a size that one can expect."""

from __future__ import annotations

import json
import re
import zlib
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

MANIFEST, SCHEMA = "manifest.json", "schema.json"
PARTS = re.compile(r"[0-9]+\.np[yz]|[0-9a-f-]{36}\.bin")  # arrays and bytes, as skops names them
GENEROUS = 1 << 30  # bytes that any file may unpack to
RATIO = 100  # times its own size that a larger one may: models are mostly numbers


def add_manifest(data: bytes, manifest: dict[str, Any]) -> bytes:
    """Return the archive of skops with a manifest in it."""
    file = BytesIO(data)
    with ZipFile(file, "a", ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, json.dumps(manifest, indent=2))
    return file.getvalue()


def read_archive(data: bytes) -> tuple[Any, Any]:
    """Check an archive before anything in it is used; return its manifest and its schema.

    Parameters
    ----------
    data : bytes
        The file.

    Returns
    -------
    manifest, schema : object
        The JSON of both.
    """
    if data.startswith(b"\x80"):
        raise ValueError(
            "it is a pickle, which can execute anything when it is loaded; use joblib or pickle "
            "if you trust it"
        )
    try:
        with ZipFile(BytesIO(data)) as archive:
            _check_members(archive)
            _check_size(archive, max(GENEROUS, RATIO * len(data)))
            return json.loads(archive.read(MANIFEST)), json.loads(archive.read(SCHEMA))
    except (BadZipFile, zlib.error) as error:
        raise ValueError("it is no model, or a part of it is missing or damaged") from error


def _check_members(archive: ZipFile) -> None:
    """Refuse names that no model has, and ways of packing that we do not use."""
    names = archive.namelist()
    for name in (MANIFEST, SCHEMA):
        if names.count(name) != 1:
            raise ValueError(f"it is no model that save has written: it has no {name}")
    for member in archive.infolist():
        if member.filename not in (MANIFEST, SCHEMA) and not PARTS.fullmatch(member.filename):
            raise ValueError(f"it holds {member.filename!r}, which is no part of a model")
        if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED) or member.flag_bits & 1:
            raise ValueError(f"{member.filename!r} in it is packed in a way that save never uses")


def _check_size(archive: ZipFile, limit: int) -> None:
    """Refuse what would fill the memory; zipfile never unpacks more than a member declares."""
    total = sum(member.file_size for member in archive.infolist())
    if total <= limit:
        for member in archive.infolist():
            with archive.open(member) as part:
                packed = part.read(2) == b"PK"  # a sparse matrix is an archive in the archive
            if packed:
                with ZipFile(BytesIO(archive.read(member))) as inner:
                    total += sum(one.file_size for one in inner.infolist())
    if total > limit:
        raise ValueError(
            f"it would unpack to {total / 1e9:,.1f} GB, far more than a model of its size holds"
        )
