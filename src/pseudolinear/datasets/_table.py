"""CSV and Parquet files."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from pseudolinear._validation import check_binary
from pseudolinear.datasets._columns import Labels, choose_columns
from pseudolinear.datasets._content import reason, without_compression


def read_table(content: bytes, path: Path, labels: Labels) -> tuple[Any, np.ndarray]:
    """Return the features and the labels; see :func:`read_rows`."""
    kind = without_compression(path).suffix.lower()
    try:
        frame = _frame(BytesIO(content), kind)
    except ImportError as error:
        raise ImportError(
            f"{path} needs pandas, and pyarrow if it is Parquet; install them by "
            "'pip install pandas pyarrow'."
        ) from error
    except (ValueError, OSError) as error:
        raise ValueError(f"{path} is not a valid {kind[1:]} file: {reason(error)}.") from error
    if not len(frame):
        raise ValueError(f"{path} has no rows; give a file with at least one.")
    columns, chosen = choose_columns([str(name) for name in frame.columns], labels, path)
    if kind == ".csv" and any(str(name).startswith("Unnamed: ") for name in frame.columns):
        raise ValueError(  # mostly the numbers of the rows, which would be a feature
            f"{path} has a column without a name; leave it out (pandas: index=False) or name it."
        )
    features, Y = frame.iloc[:, columns], frame.iloc[:, chosen]
    text = features.select_dtypes(exclude=["number", "bool"]).columns
    if len(text):
        raise ValueError(
            f"the feature {text[0]!r} of {path} is not a number; replace it by numbers first."
        )
    if Y.isna().any(axis=None):
        raise ValueError(f"a label of {path} is missing in some row; leave such rows out.")
    X = features.to_numpy(dtype=np.float64, na_value=np.nan)
    if labels is None or isinstance(labels, str):
        return X, Y.iloc[:, 0].to_numpy()
    return X, check_binary(Y.to_numpy(), f"the labels of {path}").astype(np.intp)


def _frame(file: BytesIO, kind: str) -> Any:
    import pandas

    return pandas.read_csv(file) if kind == ".csv" else pandas.read_parquet(file, engine="pyarrow")
