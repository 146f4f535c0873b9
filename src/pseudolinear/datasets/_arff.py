"""ARFF, dense and sparse, as far as data of numbers and labels need it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from scipy import sparse

from pseudolinear._validation import check_binary
from pseudolinear.datasets._columns import Labels, as_whole, choose_columns
from pseudolinear.datasets._content import reason, without_compression

QUOTED = r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*\""""
ATTRIBUTE = re.compile(rf"@attribute\s+({QUOTED}|[^\s{{]+)\s*(\{{.*\}}|\w+)", re.IGNORECASE)
# What stands between two commas; the value of a sparse row follows the number of its column.
CELL = re.compile(rf"(?:^|,)\s*((?:\d+\s+)?(?:{QUOTED})|[^,]*)\s*(?=,|$)")
NUMBERS = ("numeric", "real", "integer")


@dataclass(frozen=True)
class Attribute:
    """A column of an ARFF file.

    Parameters
    ----------
    name : str
        Its name.
    values : tuple of str, default=()
        Its values, where it is nominal.
    """

    name: str
    values: tuple[str, ...] = ()
    codes: dict[str, float] = field(init=False)
    is_text: bool = field(init=False)

    def __post_init__(self) -> None:
        try:
            codes, is_text = {value: float(value) for value in self.values}, False
        except ValueError:
            values = self.values
            if sorted(value.lower() for value in values) == ["false", "true"]:
                values = tuple(sorted(values, key=str.lower))
            codes, is_text = {value: float(i) for i, value in enumerate(values)}, True
        object.__setattr__(self, "codes", codes)
        object.__setattr__(self, "is_text", is_text)

    def number(self, cell: str) -> float:
        """Return a value as a number: a nominal text as its code, a missing one as NaN."""
        if cell == "?":
            return np.nan
        return self.codes[cell] if self.values else float(cell)

    def values_of(self, numbers: np.ndarray) -> np.ndarray:
        """Return what stands in the file for numbers of this column."""
        if not self.is_text:
            return as_whole(numbers)
        names = {code: value for value, code in self.codes.items()}
        return np.array([names.get(number) for number in numbers], dtype=object)


def read_arff(content: bytes, path: Path, labels: Labels) -> tuple[Any, np.ndarray]:
    """Return the features and the labels; see :func:`read_rows`."""
    try:
        attributes, table = parse_arff(content.decode("utf-8-sig"))
    except ValueError as error:
        raise ValueError(f"{path} is not a valid ARFF file: {reason(error)}.") from error
    if labels is None:
        labels = xml_labels(without_compression(path))
    features, chosen = choose_columns([attribute.name for attribute in attributes], labels, path)
    for attribute in (attributes[k] for k in features):
        if attribute.is_text and len(attribute.values) > 2:
            raise ValueError(
                f"the feature {attribute.name!r} of {path} has more than two values that are not "
                "numbers; replace it by one column of 0 and 1 per value."
            )
    X, Y = table[:, features], table[:, chosen]
    Y = Y.toarray() if sparse.issparse(Y) else Y
    if np.isnan(Y).any():
        raise ValueError(f"a label of {path} is missing in some row; leave such rows out.")
    if labels is None or isinstance(labels, str):
        return X, as_whole(Y[:, 0])
    return X, check_binary(Y, f"the labels of {path}").astype(np.intp)


def arff_frame(content: bytes) -> Any:
    """Return a data frame; nominal values are strings unless all are numbers."""
    import pandas

    attributes, table = parse_arff(content.decode("utf-8-sig"))
    columns = (table.toarray() if sparse.issparse(table) else table).T
    return pandas.DataFrame(
        {
            attribute.name: attribute.values_of(column)
            for attribute, column in zip(attributes, columns, strict=True)
        }
    )


def parse_arff(text: str) -> tuple[list[Attribute], Any]:
    """Return the columns, and their values as an array, or as CSR where the file is sparse."""
    lines = enumerate((line.strip() for line in text.splitlines()), start=1)
    content = ((i, line) for i, line in lines if line and not line.startswith("%"))
    attributes = list(_header(content))
    data: list[float] = []
    columns: list[int] = []
    ends = [0]
    is_sparse = False
    for i, line in content:
        try:
            row = _row(line, attributes)
        except (ValueError, KeyError, IndexError) as error:
            raise ValueError(f"line {i} does not fit the {len(attributes)} attributes") from error
        is_sparse |= line.startswith("{")
        columns += row.keys()
        data += row.values()
        ends.append(len(data))
    if len(ends) == 1:
        raise ValueError("it has no rows")
    shape = (len(ends) - 1, len(attributes))
    if not is_sparse:
        return attributes, np.reshape(data, shape)
    for attribute in attributes:
        # What a sparse row leaves out is 0, or the first value of a nominal attribute.
        if attribute.values and attribute.codes[attribute.values[0]] != 0:
            raise ValueError(f"the first value of {attribute.name!r} is not 0 in a sparse file")
    table = sparse.csr_matrix((data, columns, ends), shape=shape)
    table.sort_indices()
    table.eliminate_zeros()
    return attributes, table


def xml_labels(path: Path) -> list[str] | None:
    """Return the labels that the XML file beside an ARFF file names; None if there is none."""
    stem = path.stem
    while stem:
        file = path.with_name(f"{stem}.xml")
        if file.is_file():
            try:
                tree = ElementTree.parse(file)
            except ElementTree.ParseError as error:
                raise ValueError(f"{file} is not a valid XML file: {error}.") from error
            labels = (e.get("name") for e in tree.iter() if e.tag.rpartition("}")[2] == "label")
            names = [name for name in labels if name]
            if not names:
                raise ValueError(f'{file} names no label; it needs an element <label name="...">.')
            return names
        stem = stem.rpartition("-")[0]
    return None


def _header(lines: Iterator[tuple[int, str]]) -> Iterator[Attribute]:
    for i, line in lines:
        keyword = line.split(None, 1)[0].lower()
        if keyword == "@data":
            return
        if keyword == "@relation":
            continue
        match = ATTRIBUTE.match(line)
        if not match:
            raise ValueError(f"line {i} is neither an attribute nor @data")
        name, kind = _unquote(match[1]), match[2]
        if kind.startswith("{"):
            yield Attribute(name, tuple(_fields(kind[1:-1])))
        elif kind.lower() in NUMBERS:
            yield Attribute(name)
        else:
            raise ValueError(f"the attribute {name!r} of line {i} is neither number nor nominal")
    raise ValueError("it has no line @data")


def _row(line: str, attributes: list[Attribute]) -> dict[int, float]:
    if not line.startswith("{"):
        cells = zip(attributes, _fields(line), strict=True)
        return {k: attribute.number(cell) for k, (attribute, cell) in enumerate(cells)}
    row: dict[int, float] = {}
    if not line.endswith("}"):
        raise ValueError("the row has no end, or a weight behind it")
    for pair in _fields(line[1:-1]):
        column, value = pair.split(None, 1)
        k = int(column)
        if k < 0 or k in row:
            raise ValueError("columns are numbered from 0, each at most once")
        row[k] = attributes[k].number(_unquote(value))
    return row


def _fields(line: str) -> list[str]:
    if not line.strip():
        return []
    if "'" not in line and '"' not in line:  # nearly always, and six times as fast
        return [cell.strip() for cell in line.split(",")]
    return [_unquote(cell.strip()) for cell in CELL.findall(line)]


def _unquote(text: str) -> str:
    if len(text) > 1 and text[0] in "'\"" and text[-1] == text[0]:
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text
