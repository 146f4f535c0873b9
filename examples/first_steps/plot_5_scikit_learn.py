"""
Does it work with pipelines, searches and resampling?
=====================================================

:class:`~pseudolinear.MeasureClassifier` is a scikit-learn classifier. It
stands in pipelines and searches, weights and groups are routed to it, and its
coefficients select features. Pipelines that resample can be inside of it.
"""

import matplotlib.pyplot as plt
import numpy as np
import sklearn
from sklearn.datasets import make_classification
from sklearn.feature_selection import RFE
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import GridSearchCV, GroupKFold, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pseudolinear import MeasureClassifier

X, y = make_classification(
    3000,
    12,
    n_informative=4,
    n_redundant=0,
    shuffle=False,
    weights=[0.93],
    random_state=0,
)
X_train, X_test, y_train, y_test = train_test_split(
    X, y, stratify=y, random_state=0
)

# %%
# In a pipeline, in a search
# --------------------------
# Rows have weights and belong to patients, which must not be split. With
# metadata routing, groups are always passed on; for weights, scikit-learn asks
# every part to say so.

patients = np.arange(len(y_train)) // 3
weights = np.random.default_rng(0).uniform(0.5, 2.0, len(y_train))
with sklearn.config_context(enable_metadata_routing=True):
    classifier = MeasureClassifier("linear", cv=GroupKFold(3), random_state=0)
    classifier.set_fit_request(sample_weight=True).set_score_request(
        sample_weight=True
    )
    scaler = StandardScaler().set_fit_request(sample_weight=False)
    search = GridSearchCV(
        make_pipeline(scaler, classifier),
        {"measureclassifier__cost_sensitive": [False, True]},
        cv=GroupKFold(3),
    )
    search.fit(X_train, y_train, sample_weight=weights, groups=patients)
print("best:", search.best_params_, f"F1 {search.score(X_test, y_test):.3f}")

# %%
# Around a pipeline, with and without resampling
# ----------------------------------------------
# A pipeline inside gets its costs. SMOTE, which makes up positive rows, is for
# the same purpose; the two can be combined.

inside = MeasureClassifier(
    make_pipeline(StandardScaler(), LogisticRegression()), random_state=0
)
values = {"plain": LogisticRegression().fit(X_train, y_train), "costs": inside}
try:
    from imblearn.over_sampling import SMOTE
    from imblearn.pipeline import make_pipeline as make_resampling
except ImportError:
    print("imbalanced-learn is not installed, so nothing is resampled")
else:
    resampled = make_resampling(SMOTE(), LogisticRegression())
    values["SMOTE"] = sklearn.clone(resampled).set_params(
        smote__random_state=0
    )
    values["SMOTE, costs"] = MeasureClassifier(resampled, random_state=0)
for name, model in values.items():
    model.fit(X_train, y_train)
    print(f"{name:14}F1 {f1_score(y_test, model.predict(X_test)):.3f}")

# %%
# Coefficients and importances
# ----------------------------
# They are those of the columns that you gave. Only the first four columns
# matter here; a selection from few positives can still miss one of them.

linear = MeasureClassifier("linear", random_state=0).fit(X_train, y_train)
kept = RFE(
    MeasureClassifier("linear", random_state=0), n_features_to_select=4, step=4
)
print("kept columns:", kept.fit(X_train, y_train).get_support(indices=True))
trees = MeasureClassifier("forest", random_state=0).fit(X_train, y_train)

fig, axes = plt.subplots(1, 2, figsize=(9, 3), layout="constrained")
axes[0].bar(range(12), linear.coef_[0], color="#0072B2")
axes[0].set(title="linear", xlabel="column", ylabel="coef_")
axes[1].bar(range(12), trees.feature_importances_, color="#0072B2")
axes[1].set(title="forest", xlabel="column", ylabel="feature_importances_")
fig.suptitle("Coefficients and importances of twelve columns")
plt.show()
