"""
A page for the people who decide
================================

One file to send around: the value with its interval, a threshold to move, what a budget or a floor
under precision would get, and how the classifier was made.
"""

from pathlib import Path
from tempfile import mkdtemp

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from pseudolinear import MeasureClassifier

data = load_breast_cancer(as_frame=True)
y = data.target_names[data.target]
X_train, X_test, y_train, y_test = train_test_split(
    data.data, y, stratify=y, test_size=0.5, random_state=0
)

# %%
# The page is about rows that the classifier has not seen. With `importance=True` it also says which
# columns the measure depends on.

clf = MeasureClassifier(measure="f2", pos_label="malignant", effort="fast", random_state=0)
clf.fit(X_train, y_train)
folder = Path(mkdtemp())
page = clf.report(folder / "report.html", X_test, y_test, importance=True, random_state=0)
print(f"{page}: {page.stat().st_size / 1000:.0f} kB")

# %%
# Without rows it tells what the validation rows of the fit have shown.

print(clf.report(folder / "fit.html", title="What the fit has shown"))
