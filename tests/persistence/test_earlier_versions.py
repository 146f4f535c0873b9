"""Models that earlier versions have saved; models/make.py wrote them."""

import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pseudolinear

MODELS = Path(__file__).parent / "models"
FILES = sorted(MODELS.glob("*/*.plm"))
NEEDED = {"blend": "lightgbm", "boosting": "lightgbm", "table": "skrub"}  # by what was saved
DIGITS = 1e-9  # compiled code of other versions may round otherwise


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_model_of_an_earlier_version_predicts_what_it_did(path):
    """Its rows are kept beside it, with the predictions of the version that wrote it."""
    pytest.importorskip(NEEDED.get(path.stem, "sklearn"))
    wanted = json.loads((path.parent / "expected.json").read_text())[path.stem]
    rows = wanted["rows"]
    X = pd.DataFrame(rows) if isinstance(rows, dict) else np.array(rows)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".* was saved with scikit-learn")
        clf = pseudolinear.load(path)
    assert np.asarray(clf.predict(X), object).tolist() == wanted["predictions"]
    np.testing.assert_allclose(clf.decision_function(X), wanted["scores"], DIGITS, DIGITS)


def test_there_are_models_of_earlier_versions():
    """A folder that was moved would make the test above pass unseen."""
    assert len(FILES) >= 9
