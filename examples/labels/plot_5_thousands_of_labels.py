"""
What if I have thousands of labels?
===================================

Topics of articles, tags of questions, codes of diagnoses: of a thousand labels
most are rare. They are fitted sparse from end to end. A sample of the labels
tries everything; what it shows decides for the others, each of which gets one
setting and a threshold of its own.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy import sparse

from pseudolinear import MeasureClassifier

# %%
# Made-up articles of twenty words. Each has up to three of 1,000 topics, a few
# of them frequent and most of them rare. Every topic has three words of its
# own.

rng = np.random.default_rng(0)
n, n_labels, n_words = 2600, 1000, 3000
frequency = 1.0 / np.arange(4, n_labels + 4)
topics = rng.choice(n_labels, size=(n, 3), p=frequency / frequency.sum())
topics[:2000, 0] = (
    np.arange(2000) % n_labels
)  # so that every topic is there to be learnt
told = np.take_along_axis(topics, rng.integers(3, size=(n, 20)), axis=1)
own = told * 3 + rng.integers(3, size=(n, 20))
words = np.where(
    rng.random((n, 20)) < 0.6, own, rng.integers(n_words, size=(n, 20))
)
row = np.repeat(np.arange(n), 20)
X = sparse.csr_matrix(
    (np.ones(row.size), (row, words.ravel())), shape=(n, n_words)
)
Y = sparse.csr_matrix(
    (np.ones(topics.size), (np.repeat(np.arange(n), 3), topics.ravel())),
    shape=(n, n_labels),
)
Y.data[:] = 1
train, test = slice(0, 2000), slice(2000, n)

# %%
# From 1,000 labels on, a fit takes this way by itself.

clf = MeasureClassifier(
    "linear", measure="f1_macro", max_memory="1GB", random_state=0
)
clf.fit(X[train], Y[train])
print(clf)

# %%
# Predictions are sparse, as the labels came, and made in blocks of rows.

predicted = clf.predict(X[test])
print(repr(predicted))
print("small weights left out:", clf.many_labels_.truncation)
print("macro-F1 on other articles:", round(clf.score(X[test], Y[test]), 3))

# %%
# Another measure needs no other fit: the curves of all labels are kept.

micro = clf.retarget("f1_micro")
print("micro-F1:", round(micro.score(X[test], Y[test]), 3))

# %%
# What a label reaches depends on how often it was seen.

positives = np.asarray(Y[train].sum(axis=0)).ravel()[clf.many_labels_.labels]
figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
axes.scatter(
    positives, clf.many_labels_.values, s=10, alpha=0.6, color="#0072B2"
)
axes.set(
    xscale="log",
    xlabel="articles of the topic",
    ylabel="F1 on held-out articles",
)
figure.suptitle("F1 of 1,000 topics by how often each was seen")
plt.show()
