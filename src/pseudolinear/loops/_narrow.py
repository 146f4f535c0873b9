"""A compiled loop of exact Newton steps on few features: what a look at the rows says of lanes."""

import numpy as np

from pseudolinear.loops._constants import TINY
from pseudolinear.loops._smooth import compiled

Array = np.ndarray
DESCENT = 1e-4  # least descent of a step, in units of what its slope at the start promises
ROUNDING = 1e-14  # share of an objective that is no ascent
STAYS, MOVES, TOO_FAR = 0, 1, 2  # what becomes of a lane
# ``min`` and ``max`` would be compiled for themselves first, which conditions need not be.


@compiled
def judge(
    losses: Array,
    Q: Array,
    W: Array,
    state: Array,
    places: Array,
    scales: Array,
    problems: Array,
    penalty: Array,
    radius: float,
    enough: float,
    most: int,
    sound: float,
    systems: Array,
    G: Array,
    fate: Array,
    solved: Array,
) -> int:
    """Judge every lane by what a look has shown, and return how many are not idle.

    A problem whose gap is small enough, or that has had ``most`` iterations, is written down, and
    the next of its chain takes its place, whose gap the same look shows. Lanes that are neither
    idle nor went too far are about to move: theirs are the systems of Newton's steps, whereas those
    of others are solved by zeros.

    Parameters
    ----------
    losses, Q : ndarray of shape (lanes,) and (d + 1, lanes)
        Sums of the losses of scale 1 and their gradients, the intercept last.
    W : ndarray of shape (d + 1, lanes)
        Weights.
    state : ndarray of shape (4, lanes)
        Scales of the problems, 0 of an idle lane; the objectives and their slopes before the last
        steps, and what share of these was taken.
    places : ndarray of shape (3, lanes)
        Numbers of the chains, of the problems in these, and of their iterations.
    scales, problems : ndarray of shape (n_chains, longest)
        Scales and numbers of the problems of a chain; it ends with a scale of 0.
    penalty : ndarray of shape (d + 1,)
        Of the squares of the weights.
    radius, enough, most : number
        Largest norm of a row, the gap at which problems end, and their iterations at the most.
    sound : float
        What diagonals are multiplied by, so that rounding leaves pivots positive.
    systems : ndarray of shape (n_products + d + 1, lanes)
        Hessians of the losses of scale 1 as `solve_packed` takes them, which become the systems.
    G, fate : ndarray of shape (d + 1, lanes) and (lanes,)
        Receive the gradients of the objectives and what is to become of the lanes.
    solved : ndarray of shape (n_problems, d + 3)
        Receives weights, intercept, relative gap and iterations of solved problems.
    """
    d, busy, right = len(W) - 1, 0, len(systems) - len(W)
    for p in range(len(losses)):
        chain, position, iterations = places[0, p], places[1, p], places[2, p]
        scale, before, slope, length = state[0, p], state[1, p], state[2, p], state[3, p]
        fate[p], fresh = STAYS, False
        while scale > 0.0:
            square, steepness, g = 0.0, 0.0, 0.0
            for j in range(d + 1):
                steepness += g * g
                penalised = penalty[j] * W[j, p]
                square += W[j, p] * penalised
                g = penalised + scale * Q[j, p]
                G[j, p] = g
            value = 0.5 * square + scale * losses[p]
            well = value <= before + DESCENT * length * slope
            if not (fresh or well or value <= (1.0 - ROUNDING) * before or iterations >= most):
                fate[p] = TOO_FAR
                break
            # see ``duality_gap``
            gap = 0.5 * (np.sqrt(steepness) + radius * abs(g)) ** 2
            bend = scale * systems[right - 1, p] + penalty[d]
            gap += g * g / (bend if bend > TINY else TINY)
            gap /= value if value > TINY else TINY
            if not (gap <= enough or iterations >= most):
                fate[p], before, slope, length = MOVES, value, 0.0, 1.0
                iterations += 1
                break
            problem = problems[chain, position]
            for j in range(d + 1):
                solved[problem, j] = W[j, p]
            solved[problem, d + 1], solved[problem, d + 2] = gap, iterations
            position += 1
            iterations, fresh = 0, True
            scale = scales[chain, position]
        places[1, p], places[2, p] = position, iterations
        state[0, p], state[1, p], state[2, p], state[3, p] = scale, before, slope, length
        busy += scale > 0.0
        diagonal, moves = 0, fate[p] == MOVES
        for j in range(d + 1):  # infinite diagonals make steps of zero
            curved = systems[diagonal, p] + penalty[j] / scale if moves else np.inf
            systems[diagonal, p] = sound * curved + TINY
            systems[right + j, p] = G[j, p] / scale if moves else 0.0
            diagonal += j + 2
    return busy
