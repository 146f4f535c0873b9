"""Files and folders that Arrow reads, opened by what their names and first lines say."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from pseudolinear._separators import find_separator

FORMATS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".arrow": "ipc",
    ".feather": "ipc",
    ".parquet": "parquet",
    ".pq": "parquet",
}
LONGEST = 1 << 24  # bytes of a line of names
BLOCK = 1 << 24  # bytes of a text file that are read at a time; the first ones tell the types


def open_dataset(source: Any) -> Any:
    """Open what Arrow can read: a data set, a file, a folder or several files."""
    try:
        arrow, datasets = import_module("pyarrow"), import_module("pyarrow.dataset")
        import_module("pandas")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "Files are read by pyarrow and pandas; install pseudolinear[data]."
        ) from error
    if isinstance(source, datasets.Dataset):
        return source
    if isinstance(source, arrow.Table):
        return datasets.dataset(source)
    paths = [str(path) for path in source] if isinstance(source, list | tuple) else str(source)
    first = _first_file(Path(paths if isinstance(paths, str) else paths[0]))
    format = FORMATS.get(first.suffix.lower())
    try:
        return datasets.dataset(
            paths,
            partitioning="hive",
            format=_csv(first) if format == "csv" else format or "parquet",
        )
    except FileNotFoundError as error:
        raise ValueError(
            f"{source} cannot be read: it does not exist; check the name and the folder."
        ) from error
    except (OSError, arrow.lib.ArrowException) as error:
        if format is None and first.suffix:
            raise ValueError(
                f"{source} cannot be read in parts, since {first.name} is no Parquet, Arrow or CSV "
                "file; convert it to one of these."
            ) from error
        reason = str(error).splitlines()[0]
        raise ValueError(f"{source} cannot be read: {reason}") from error


def _first_file(path: Path) -> Path:
    """Return the file, or the first one of a folder that Arrow does not pass over."""
    if not path.is_dir():
        return path
    files = (file for file in sorted(path.rglob("*")) if file.is_file())
    hidden = ("_", ".")
    parts = (
        file
        for file in files
        if not any(part.startswith(hidden) for part in file.relative_to(path).parts)
    )
    return next(parts, path)


def _csv(file: Path) -> Any:
    """Return how Arrow is to read a CSV file: as one that is read at once, gaps among texts too."""
    csv, datasets = import_module("pyarrow.csv"), import_module("pyarrow.dataset")
    separator = "," if file.suffix.lower() == ".csv" else "\t"
    if separator == "," and file.is_file():  # a remote one is left to Arrow
        with file.open("rb") as content:
            separator = find_separator(content.readline(LONGEST).decode("utf-8-sig", "replace"))
    return datasets.CsvFileFormat(
        read_options=csv.ReadOptions(block_size=BLOCK),
        parse_options=csv.ParseOptions(delimiter=separator),
        convert_options=csv.ConvertOptions(strings_can_be_null=True),
    )
