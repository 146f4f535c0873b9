"""Random problems whose classifiers are all known: the cuts of a score."""

import numpy as np

from pseudolinear import CohenKappa, ErrorProfile, FBeta, Jaccard

MEASURES = [FBeta(), FBeta(0.5), FBeta(2.0), Jaccard(), CohenKappa()]


def random_curve(seed):
    """Return the error profiles of a random ROC-type problem, with its prevalence."""
    rng = np.random.RandomState(seed)
    prevalence = rng.uniform(0.02, 0.6)
    size = rng.randint(3, 60)
    fn = prevalence * np.sort(np.append(rng.beta(1, 2, size), [0.0, 1.0]))[::-1]
    fp = (1 - prevalence) * np.sort(np.append(rng.beta(1, 4, size), [0.0, 1.0]))
    return ErrorProfile(fn[:, None], fp[:, None], prevalence), prevalence
