"""
What do I show to the people who decide?
========================================

One file to send around: the value with its interval, a threshold to move, what
a budget or a floor under the precision would get, and how the classifier was
made. It needs no network, follows the reader's light or dark setting, and can
be used by keyboard.
"""

# sphinx_gallery_thumbnail_path = 'images/report_wide.png'

from pathlib import Path
from tempfile import TemporaryDirectory

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from pseudolinear import MeasureClassifier

# %%
# Tumours, of which the malignant ones are to be found. F2 counts a miss more
# than a false alarm.

data = load_breast_cancer(as_frame=True)
y = data.target_names[data.target]
X_train, X_test, y_train, y_test = train_test_split(
    data.data, y, stratify=y, test_size=0.5, random_state=0
)
clf = MeasureClassifier(
    measure="f2", pos_label="malignant", effort="fast", random_state=0
)
clf.fit(X_train, y_train)

# %%
# The page is about rows that the classifier has not seen. With
# ``importance=True`` it also says which columns the measure depends on.
# Without rows it tells what the held-out rows of the fit have shown.

with TemporaryDirectory() as folder:
    tested = clf.report(
        Path(folder, "report.html"),
        X_test,
        y_test,
        importance=True,
        random_state=0,
    )
    print(f"{tested.name}: {tested.stat().st_size / 1000:.0f} kB")
    fitted = clf.report(
        Path(folder, "fit.html"), title="What the fit has shown"
    )
    print(f"{fitted.name}: {fitted.stat().st_size / 1000:.0f} kB")

# %%
# The numbers behind its first lines, for a terminal:

print(clf.evaluate(X_test, y_test))
