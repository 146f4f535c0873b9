"""MLflow's default way of keeping models."""

import os
import warnings

import numpy as np
import pytest
from persistence.cases import fitted

from pseudolinear.persistence import TRUSTED

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ["table, best effort", "labels"])
def test_model_is_logged_and_loaded(name, tmp_path, monkeypatch):
    """In a store of files, which needs no server; the list of types is the one line it takes."""
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    clf, X = fitted(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of mlflow's own dependencies
        mlflow = pytest.importorskip("mlflow", reason="needs mlflow-skinny")
        mlflow.set_tracking_uri(f"file:{tmp_path}/runs")
        with mlflow.start_run():
            info = mlflow.sklearn.log_model(
                clf.slim(), name="model", skops_trusted_types=TRUSTED, pip_requirements=[]
            )
        found = mlflow.sklearn.load_model(info.model_uri)
    np.testing.assert_array_equal(found.decision_function(X), clf.decision_function(X))
    assert os.listdir(tmp_path / "runs")
