"""The claims of the literature, checked one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pseudolinear.experiments._choice import MICRO, LevelCurve, least_costs, prevalence_of
from pseudolinear.experiments._curves import Curves
from pseudolinear.experiments._results import CELL, Results, Row, published_cells
from pseudolinear.search import Bracket, Reached

EQUAL = 0.05  # points: published values have one digit
DIP = 1.0  # points of F1 on a few hundred validation rows are noise
LOSS = 0.1  # points: one step of the last published digit
EXACT = 1e-9  # points: below this is rounding
SEARCH = Bracket(n_rounds=3, n_final=2)  # down to about the distance of the published levels


@dataclass(frozen=True)
class Claim:
    """A claim with what speaks for or against it.

    Attributes
    ----------
    statement : str
        The claim.
    rule : str
        When it counts as true.
    holds : bool or None
        Whether it is true on these data; None where nothing can be said.
    ours : str
        Our figures.
    published : str
        The figures of the published tables, or nothing.
    cases : list of dict
        Every single case behind our figures.

    Examples
    --------
    >>> from pseudolinear.experiments import QUICK, Results, Store, check_claims
    >>> with Store(":memory:") as store:
    ...     claim = check_claims(Results(QUICK, store), [])[0]
    >>> print(claim.holds)  # there are no results yet
    None
    """

    statement: str
    rule: str
    holds: bool | None
    ours: str
    published: str
    cases: list[Row]


def check_claims(results: Results, rows: Sequence[Row]) -> list[Claim]:
    """Check all claims.

    Parameters
    ----------
    results : Results
        The stored pieces.
    rows : list of dict
        Their tables, from :func:`tables`.

    Returns
    -------
    list of Claim
        One per claim.

    Examples
    --------
    >>> from pseudolinear.experiments import QUICK, Results, Store, check_claims
    >>> with Store(":memory:") as store:
    ...     claims = check_claims(Results(QUICK, store), [])
    >>> len(claims)
    7
    """
    curves = list(_level_curves(results))
    return [
        _compare(rows, "Thresholding helps", "option", "T", "none"),
        _compare(rows, "Thresholding helps after training with costs", "option", "CS&T", "CS"),
        _compare(rows, "Training with costs beats training without", "option", "CS", "none"),
        _compare(rows, "Costs also help when both are thresholded", "option", "CS&T", "T"),
        _compare(rows, "C_min beats F_max for micro F1", "selection", "C_min", "F_max"),
        _unimodal(curves),
        _bracket(curves),
    ]


def largest_dip(values: NDArray[np.float64]) -> float:
    """Return how far values fall before they rise again: 0 for a unimodal sequence.

    Examples
    --------
    >>> largest_dip(np.array([1.0, 3.0, 2.0, 2.5, 1.0]))
    0.5
    """
    left = np.maximum.accumulate(values)
    right = np.maximum.accumulate(values[::-1])[::-1]
    return float((np.minimum(left, right) - values).max())


def tried_levels(labels: Sequence[Curves], curve: LevelCurve) -> list[int]:
    """Search the levels by bracketing, with the stored values in place of training.

    Parameters
    ----------
    labels : sequence of Curves
        The labels.
    curve : LevelCurve
        What each level reaches.

    Returns
    -------
    list of int
        Positions of the tried levels, in the order of the search. Proposed levels are moved to
        the nearest stored one.
    """
    pairs = curve.errors.sum(axis=1)
    search = SEARCH.search(MICRO, prevalence_of(labels))
    tried: dict[int, None] = {}
    proposed = next(search)
    while True:
        near = np.abs(proposed[:, None] - curve.levels).argmin(axis=1)
        tried |= dict.fromkeys(near.tolist())
        try:
            proposed = search.send(Reached(curve.values[near], pairs[near]))
        except StopIteration:
            return list(tried)


def _compare(rows: Sequence[Row], statement: str, by: str, better: str, worse: str) -> Claim:
    ours = {tuple(row[name] for name in CELL): row["ours"] for row in rows}
    theirs = published_cells()
    cases, own = _pairs(ours, by, better, worse)
    compared = any(row["published"] is not None for row in rows)
    return Claim(
        statement,
        f"{better} is better than {worse} in more than half of the cells, and on average",
        bool((own > EQUAL).mean() > 0.5 and own.mean() > 0) if own.size else None,
        _counts(own),
        _counts(_pairs(theirs, by, better, worse)[1]) if compared else "",
        cases,
    )


def _pairs(
    cells: dict[tuple[str, ...], float], by: str, better: str, worse: str
) -> tuple[list[Row], NDArray[np.float64]]:
    place = CELL.index(by)
    cases = []
    for cell, value in cells.items():
        other = (*cell[:place], worse, *cell[place + 1 :])
        if cell[place] == better and other in cells:
            case: Row = {name: part for name, part in zip(CELL, cell, strict=True) if name != by}
            case |= {better: value, worse: cells[other], "difference": value - cells[other]}
            cases.append(case)
    return cases, np.array([case["difference"] for case in cases])


def _counts(differences: NDArray[np.float64]) -> str:
    if not differences.size:
        return "no cells"
    up, down = (differences > EQUAL).sum(), (differences < -EQUAL).sum()
    return (
        f"better in {up}, equal in {differences.size - up - down}, worse in {down} of "
        f"{differences.size} cells; {differences.mean():+.1f} points on average"
    )


def _level_curves(results: Results) -> Iterator[tuple[Row, list[Curves], LevelCurve]]:
    """Yield what each level reaches, for all that is trained with costs and C_min."""
    protocol = results.protocol
    pairs = dict.fromkeys((d, n) for t in protocol.tables for d in t.datasets for n in t.learners)
    for dataset, learner in pairs:
        options = [o for o in protocol.learner(learner).options if o.startswith("CS")]
        found = results.finished(dataset, learner) if options else None
        if found is None:
            continue
        for option in options:
            for split, labels in enumerate(found.splits):
                case = {"dataset": dataset, "learner": learner, "option": option, "split": split}
                yield case, labels, least_costs(labels, found.levels, option, protocol.levels)


def _unimodal(curves: Sequence[tuple[Row, list[Curves], LevelCurve]]) -> Claim:
    cases = [case | {"dip": 100 * largest_dip(curve.values)} for case, _, curve in curves]
    dips = np.array([case["dip"] for case in cases])
    ours = "no curves"
    if cases:
        names = np.array([case["dataset"] for case in cases])
        parts = [
            f"{name} {(dips[names == name] <= DIP).sum()} of {(names == name).sum()}"
            for name in dict.fromkeys(names.tolist())
        ]
        ours = (
            f"{(dips < EXACT).sum()} of {dips.size} curves are unimodal, {(dips <= DIP).sum()} "
            f"within {DIP:g} point ({', '.join(parts)}); the deepest dip is {dips.max():.1f} points"
        )
    return Claim(
        "Validation F1 against the cost has one peak",
        f"at least nine curves in ten have no dip of more than {DIP:g} point",
        bool((dips <= DIP).mean() >= 0.9) if cases else None,
        ours,
        "",
        cases,
    )


def _bracket(curves: Sequence[tuple[Row, list[Curves], LevelCurve]]) -> Claim:
    cases: list[Row] = []
    for case, labels, curve in curves:
        tried = tried_levels(labels, curve)
        loss = 100 * float(curve.values.max() - curve.values[tried].max())
        cases.append(case | {"levels": len(curve.levels), "tried": len(tried), "loss": loss})
    ours, holds = "no curves", None
    if cases:
        share = np.mean([case["tried"] / case["levels"] for case in cases])
        losses = np.array([case["loss"] for case in cases])
        holds = bool(share <= 0.5 and losses.mean() <= LOSS)
        ours = (
            f"{100 * share:.0f} % of the levels are tried; the loss is {losses.mean():.2f} points "
            f"on average, at most {losses.max():.2f}, and none in {(losses < EXACT).sum()} of "
            f"{losses.size} searches"
        )
    return Claim(
        "Bracketing halves the work",
        f"half of the levels suffice, at a mean loss of at most {LOSS:g} points of validation F1",
        holds,
        ours,
        "",
        cases,
    )
