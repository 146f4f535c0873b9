"""Topics of documents, where they are in a file of their own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import chain
from pathlib import Path

from pseudolinear.datasets._content import reason
from pseudolinear.datasets._svmlight import Rows


def parse_topics(content: bytes, path: Path) -> dict[float, tuple[float, ...]]:
    """Return the topics of documents, numbered in the order of their codes.

    A line is the code of a topic, the number of a document and a 1, as in ``C15 2286 1``.
    """
    codes: dict[float, list[str]] = defaultdict(list)
    try:
        for code, document, _ in map(str.split, content.decode().splitlines()):
            codes[float(document)].append(code)
    except ValueError as error:
        raise ValueError(f"{path} is not a valid list of topics: {reason(error)}.") from error
    number = {code: k for k, code in enumerate(sorted(set(chain.from_iterable(codes.values()))))}
    return {
        document: tuple(float(number[code]) for code in some) for document, some in codes.items()
    }


def with_topics(rows: Rows, topics: Mapping[float, tuple[float, ...]], path: Path) -> Rows:
    """Return rows that start with the number of a document with its topics in place of it."""
    X, documents = rows
    try:
        return X, [topics[document] for (document,) in documents]
    except KeyError as error:
        raise ValueError(
            f"{path} has no topic of document {error.args[0]:g}; get the files again."
        ) from error
