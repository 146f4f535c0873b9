"""Loops over the cuts of many labels: a line of the score that gives log-odds, for each."""

import numpy as np

from pseudolinear.loops._compile import called_by_loops, compiled


@called_by_loops
def fit_line(scores, ones, zeros):  # pragma: no cover - compiled
    """Fit a logistic curve to weighted scores by Newton's method with halved steps.

    Parameters
    ----------
    scores : ndarray
        Of a scale near 1.
    ones, zeros : ndarray
        Weight of the positive and of the negative rows at each score.

    Returns
    -------
    slope, intercept : float
        Of the log-odds.
    """
    of_one = of_zero = 0.0
    for k in range(scores.size):
        of_one += ones[k]
        of_zero += zeros[k]
    slope, intercept = 0.0, np.log(of_one / of_zero)
    best = np.inf
    step_s = step_i = 0.0
    for _ in range(100):
        for _ in range(60):
            loss = g_s = g_i = h_ss = h_si = h_ii = 0.0
            for k in range(scores.size):
                x, one = scores[k], ones[k]
                z, weight = slope * x + intercept, one + zeros[k]
                e = np.exp(-abs(z))
                p = 1.0 / (1.0 + e) if z >= 0.0 else e / (1.0 + e)
                loss += weight * (np.log1p(e) + (z if z > 0.0 else 0.0)) - one * z
                fall = weight * p
                r, h = fall - one, fall * (1.0 - p)
                g_s += r * x
                g_i += r
                h_ss += h * (x * x)
                h_si += h * x
                h_ii += h
            if loss <= best + 1e-15:
                break
            step_s, step_i = step_s / 2, step_i / 2
            slope, intercept = slope + step_s, intercept + step_i
        gain = best - loss
        best = loss if loss < best else best
        det = h_ss * h_ii - h_si * h_si
        if gain <= 1e-12 or det <= 1e-300:
            break
        step_s, step_i = (h_ii * g_s - h_si * g_i) / det, (h_ss * g_i - h_si * g_s) / det
        slope, intercept = slope - step_s, intercept - step_i
    return slope, intercept


@compiled
def fit_lines(starts, thresholds, fn, fp, prevalence, limit, doubt, least, lines):
    """Fit log-odds to the rows between the cuts of every label, as `platt` does for one.

    Parameters
    ----------
    starts, thresholds, fn, fp, prevalence : ndarray
        Of :class:`LabelCurves`.
    limit, doubt, least : float
        Where scores saturate, the share of the positive rows that is doubted, and the least slope.
    lines : ndarray of shape (n_labels, 2)
        Written: slope and intercept.
    """
    for label in range(prevalence.size):
        first, end, share = starts[label], starts[label + 1], prevalence[label]
        m = end - first
        lines[label, 0], lines[label, 1] = least, np.log(share / (1.0 - share))
        if m < 2:
            continue
        scores, positive, negative = np.empty(m + 1), np.empty(m + 1), np.empty(m + 1)
        for k in range(m + 1):
            i, j = first + k - 1, first + k
            found, wrong = (share - fn[i], fp[i]) if k > 0 else (0.0, 0.0)
            found_next, wrong_next = (share - fn[j], fp[j]) if k < m else (share, 1.0 - share)
            positive[k] = max(found_next - found, 0.0)
            negative[k] = max(wrong_next - wrong, 0.0)
            if k == 0:
                scores[k] = thresholds[j] - (thresholds[j + 1] - thresholds[j]) / 2
            elif k == m:
                scores[k] = thresholds[i] + (thresholds[i] - thresholds[i - 1]) / 2
            else:
                scores[k] = (thresholds[i] + thresholds[j]) / 2
            scores[k] = min(max(scores[k], -limit), limit)
        centre = scores.mean()
        spread = scores.std()
        if spread == 0.0:
            continue
        ones = (1.0 - doubt) * positive + doubt * share * negative
        slope, intercept = fit_line((scores - centre) / spread, ones, positive + negative - ones)
        if slope / spread > least:
            lines[label, 0] = slope / spread
            lines[label, 1] = intercept - slope / spread * centre
