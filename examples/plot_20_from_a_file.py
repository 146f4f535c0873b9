"""
From a file to a deployed model
===============================

What ``examples/shell/raw_table.sh`` does from the shell, in ten lines of Python.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from sklearn.datasets import load_breast_cancer

import pseudolinear
from pseudolinear import MeasureClassifier

frame = load_breast_cancer(as_frame=True).frame  # or pandas.read_csv("your.csv")
train, test = frame[::2], frame[1::2]
X_test, y_test = test.drop(columns="target"), test["target"]

clf = MeasureClassifier(measure="f1", effort="fast", random_state=0)
clf.fit(train.drop(columns="target"), train["target"])
print(clf.summary())
print(clf.evaluate(X_test, y_test))
with TemporaryDirectory() as folder:
    clf.report(Path(folder, "report.html"), X_test, y_test)
    clf.save(Path(folder, "model.plm"))
    print(pseudolinear.load(Path(folder, "model.plm")).predict(X_test)[:5])
