"""
Several labels
==============

Macro averages give every label its own costs and threshold; micro averages share one level. Each
wins at its own game.
"""

from sklearn.datasets import make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.multioutput import MultiOutputClassifier

from pseudolinear import MeasureClassifier, get_measure

X, Y = make_multilabel_classification(3000, n_features=30, n_classes=8, n_labels=2, random_state=0)
X_train, X_test, Y_train, Y_test = train_test_split(X, Y, random_state=0)

learner = LogisticRegression(max_iter=1000)
fitted = {
    "plain": MultiOutputClassifier(learner).fit(X_train, Y_train),
    "for f1_macro": MeasureClassifier(learner, measure="f1_macro", random_state=0, n_jobs=2),
    "for f1_micro": MeasureClassifier(learner, measure="f1_micro", random_state=0, n_jobs=2),
}
print(f"{'trained':14} {'macro-F1':>9} {'micro-F1':>9}")
for name, clf in fitted.items():
    if name != "plain":
        clf.fit(X_train, Y_train)
    values = [
        get_measure(measure).score(Y_test, clf.predict(X_test))
        for measure in ("f1_macro", "f1_micro")
    ]
    print(f"{name:14} {values[0]:9.3f} {values[1]:9.3f}")

# %%
# Labels can be lists of names as well; predictions then are, too.

tags = [[f"topic {label}" for label in row.nonzero()[0]] for row in Y_train]
by_name = MeasureClassifier("linear", measure="f1_micro", random_state=0).fit(X_train, tags)
print("predicted:", by_name.predict(X_test[:3]))

# %%
# The levels that the labels chose, and the one that they share.

print("levels for macro:", fitted["for f1_macro"].level_.round(2))
print("level for micro: ", round(fitted["for f1_micro"].level_, 2))
