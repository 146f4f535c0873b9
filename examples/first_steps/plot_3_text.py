"""
Can I give it raw text?
=======================

A column of sentences is text: the learners get its words and pairs of words.
Here the text is short messages, and the question is which of them are spam.
"""

# %%
# The SMS Spam Collection has 5,574 messages. Some were sent several times; one
# of each is kept, so that no message is in training and test at once.

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.model_selection import train_test_split

from pseudolinear import MeasureClassifier
from pseudolinear.inspection import MeasureCurveDisplay

messages = pd.read_csv("../data/smsspam.csv.xz").drop_duplicates("text")
print(messages["target"].value_counts().to_string())
X_train, X_test, y_train, y_test = train_test_split(
    messages[["text"]],
    messages["target"],
    stratify=messages["target"],
    random_state=0,
)

# %%
# ``"linear"`` is logistic regression alone, which is quick and does well on
# text.

clf = MeasureClassifier("linear", measure="f1", random_state=0).fit(
    X_train, y_train
)
print(clf.evaluate(X_test, y_test))

# %%
# Messages that nobody has seen yet:

new = pd.DataFrame(
    {
        "text": [
            "You have won a prize! Call now to claim",
            "Shall we meet for lunch at one?",
        ]
    }
)
spam = clf.predict_proba(new)[:, list(clf.classes_).index("spam")]
print(
    new.assign(decision=clf.predict(new), spam=spam.round(3)).to_string(
        index=False
    )
)

# %%
# What other thresholds would do to precision and recall:

display = MeasureCurveDisplay.from_estimator(clf, X_test, y_test)
display.figure_.suptitle("Spam: precision and recall of every threshold")
plt.show()
