"""At most k labels of a shortlist, against the same choice from all labels."""

import numpy as np
import pytest
from scipy import sparse

from pseudolinear import best_labels
from pseudolinear.extreme import best_listed_labels


@pytest.fixture(scope="module")
def probabilities():
    rng = np.random.default_rng(0)
    p = rng.beta(0.3, 2.0, size=(80, 30))
    return np.where(rng.random(p.shape) < 0.3, p, 0.0)


@pytest.mark.parametrize("measure", ["f1_micro", "f1_macro", "f2_macro", "jaccard_micro"])
@pytest.mark.parametrize("k", [1, 3, 10])
def test_as_good_as_the_choice_from_all_labels(probabilities, measure, k):
    """Labels that are not listed have the probability 0, so that none of them is worth a place."""
    everything = best_labels(probabilities, k, measure)
    found = best_listed_labels(sparse.csr_array(probabilities), k, measure).toarray() > 0
    np.testing.assert_array_equal(found, everything.labels)


def test_never_more_than_k_labels_of_a_row(probabilities):
    """Nor one that is not on the list."""
    found = best_listed_labels(sparse.csr_array(probabilities), 2, "f1_macro").toarray()
    assert found.sum(axis=1).max() <= 2
    assert not found[probabilities == 0].any()


def test_scores_are_no_probabilities(probabilities):
    """One sentence."""
    with pytest.raises(ValueError, match="between 0 and 1"):
        best_listed_labels(sparse.csr_array(-probabilities), 2)
