"""Tables of numbers: their columns as features and labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from pseudolinear._validation import check_binary
from pseudolinear.datasets._columns import Labels, choose_columns
from pseudolinear.datasets._reading import read_file


def read_table(path: Path, labels: Labels) -> tuple[Any, np.ndarray]:
    """Return the features and the labels; see :func:`read_rows`."""
    frame = read_file(path)
    columns, chosen = choose_columns([str(name) for name in frame.columns], labels, path)
    if any(str(name).startswith("Unnamed: ") for name in frame.columns):
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
