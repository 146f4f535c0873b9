"""
How much recall can I get at a precision of 99 %?
=================================================

A spam filter must hardly ever lose a real message: of what it stops, 99 in 100
messages shall be spam. Among all classifiers and thresholds with that
precision, you want the one that stops the most spam. Users of scikit-learn ask
for such constraints (`#20266
<https://github.com/scikit-learn/scikit-learn/issues/20266>`__, `#29617
<https://github.com/scikit-learn/scikit-learn/pull/29617>`__); here a
constraint is a measure like any other.
"""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.metrics import precision_score, recall_score
from sklearn.model_selection import train_test_split

from pseudolinear import MeasureClassifier, RecallAtPrecision
from pseudolinear.inspection import ThresholdDisplay

messages = pd.read_csv("../data/smsspam.csv.xz").drop_duplicates("text")
X_train, X_test, y_train, y_test = train_test_split(
    messages[["text"]],
    messages["target"],
    stratify=messages["target"],
    random_state=0,
)

# %%
# One fit for the constraint. For F1, nothing is trained again: ``retarget``
# chooses anew from what the fit has seen.

careful = MeasureClassifier(
    "linear", measure=RecallAtPrecision(0.99), random_state=0
)
careful.fit(X_train, y_train)
for name, clf in {
    "precision >= 0.99": careful,
    "F1": careful.retarget("f1"),
}.items():
    predicted = clf.predict(X_test)
    precision = precision_score(y_test, predicted, pos_label="spam")
    recall = recall_score(y_test, predicted, pos_label="spam")
    print(f"{name:18} precision {precision:.3f}, recall {recall:.3f}")

# %%
# The constraint holds on the rows of the fit. On other rows the precision can
# be a little above or below, as these rows show. Where it must not be below,
# see :ref:`sphx_glr_gallery_trust_plot_3_promise.py`.

display = ThresholdDisplay.from_estimator(careful, X_test, y_test, "f1")
display.ax_.axhline(0.99, color="k", linestyle=":", linewidth=1)
display.ax_.set(ylim=(0.8, 1.005))
display.figure_.suptitle(
    "Spam: the most recall at a precision of 99 % (dotted)"
)
plt.show()
