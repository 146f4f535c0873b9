"""Report: every number that a page about a classifier shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pseudolinear._digits import in_digits, in_percent
from pseudolinear.errors import ErrorCurve, ErrorProfile
from pseudolinear.evaluation import GroupEvaluations
from pseudolinear.kinds import Kind
from pseudolinear.measures import has_row_costs, short_name
from pseudolinear.report._calibration import reliability
from pseudolinear.report._cuts import Cuts, cost_values, cuts_per_label, label_curves
from pseudolinear.report._features import Features, known_features, permuted_features
from pseudolinear.report._label import Interval, LabelPart, measure_of_label
from pseudolinear.report._making import learner_rows, making
from pseudolinear.report._others import (
    OtherMeasure,
    average_of,
    other_class_measures,
    other_label_measures,
)
from pseudolinear.report._rows import LabelRows
from pseudolinear.report._summarise import population_of, set_aside
from pseudolinear.report._words import class_words, error_words


@dataclass(frozen=True, eq=False)
class Headline:
    """The first thing to know.

    Attributes
    ----------
    value : float
        Of the measure.
    interval : (float, float) or None
        Where it would be on other rows.
    source : str
        Which rows it is of.
    words : str
        What is right and what is missed; empty where no rows are known.
    note : str
        How the interval was found and what it assumes.
    """

    value: float
    interval: Interval | None
    source: str
    words: str = ""
    note: str = ""


@dataclass(frozen=True, eq=False)
class Report:
    """Every number that a page about a classifier shows.

    Attributes
    ----------
    measure : str
        What is maximised.
    kind : Kind
        The kind of problem.
    headline : Headline
        Value, interval, words.
    labels : list of LabelPart
        Labels, or classes, with what their thresholds do; empty without rows and evidence.
    confusion : ndarray or None
        Of classes: lines are true, columns predicted.
    others : list of OtherMeasure
        What other measures would get.
    learners : list of dict
        The members of a portfolio.
    features : Features
        Which features mattered.
    certificate : list of str
        What could be reached at best.
    making : list of (str, str)
        How the classifier was made.
    groups : GroupEvaluations or None
        The same for groups of rows, if that was asked for.
    """

    measure: str
    kind: Kind
    headline: Headline
    labels: Sequence[LabelPart]
    confusion: NDArray[np.float64] | None
    others: Sequence[OtherMeasure]
    learners: Sequence[dict[str, Any]]
    features: Features
    certificate: Sequence[str]
    making: Sequence[tuple[str, str]]
    groups: GroupEvaluations | None = None


def report_on_rows(
    clf: Any,
    X: Any,
    y: Any,
    sample_weight: Any,
    by: Any = None,
    *,
    importance: bool,
    random_state: Any,
) -> Report:
    """Gather what a fitted classifier does on rows.

    Parameters
    ----------
    clf : MeasureClassifier
        Fitted.
    X, y, sample_weight
        As for :meth:`MeasureClassifier.score`.
    by : str, int or array-like of shape (n_samples,), default=None
        What rows are compared by.
    importance : bool
        Whether to shuffle one feature after the other.
    random_state : int, RandomState instance or None
        Seed of the shuffles.

    Returns
    -------
    Report
        Everything on these rows; the certificate is of the fit.
    """
    kind = clf.decision_.kind
    rows = LabelRows.of(clf.decision_, clf._rows(X), y, sample_weight, X)
    evaluation = clf.evaluate(X, y, sample_weight=sample_weight, by=by)
    curves = label_curves(rows)
    total = float(rows.weights.sum())
    most, weighted = cuts_per_label(len(curves)), rows.weight is not None
    cuts = [Cuts.of_curve(c, i, total, most, weighted=weighted) for c, i in curves]
    profile = _joined([one.profile for one in cuts])
    n_rows = len(rows.true)
    headline = Headline(
        float(evaluation.value),
        _interval(evaluation.interval),
        f"On {n_rows:,} rows that were given to this report",
        _words(kind, cuts, rows.confusion),
        f"{evaluation.note} {in_percent(evaluation.confidence)} interval: {evaluation.method}. It "
        f"assumes: {evaluation.assumption}".strip(),
    )
    costs = [cost_values(clf._objective_on(X), rows, i, own) for i, own in enumerate(cuts)]
    features = (
        permuted_features(clf, X, y, sample_weight, random_state)
        if importance
        else known_features(clf)
    )
    return Report(
        str(evaluation.measure),
        kind,
        headline,
        _label_parts(clf, cuts, evaluation.labels, _bins(clf, X, rows), costs),
        None if kind.separable else rows.confusion,
        _others(clf, profile, [curve for curve, _ in curves]),
        learner_rows(clf),
        features,
        clf.certificate_.sentences,
        making(clf, n_rows),
        evaluation.by,
    )


def report_on_evidence(clf: Any) -> Report:
    """Gather what the validation rows of the fit have shown.

    Parameters
    ----------
    clf : MeasureClassifier
        Fitted; without its evidence there are no curves.

    Returns
    -------
    Report
        Optimistic but for the headline, which is corrected where that is possible.
    """
    sweep, kind = clf._sweep, clf.decision_.kind
    unknown = sweep is None or not kind.separable or has_row_costs(clf._objective)
    curves = [] if unknown else _chosen_curves(sweep)
    cuts = [
        Cuts.of_curve(c, i, sweep.goals[0].n_samples, cuts_per_label(len(curves)))
        for c, i in curves
    ]
    profile = _joined([one.profile for one in cuts]) if cuts else None
    return Report(
        short_name(clf.measure, len(kind.label_names)),
        kind,
        _evidence_headline(clf, cuts),
        _label_parts(clf, cuts, (), [], []),
        None,
        [] if profile is None else _others(clf, profile, [curve for curve, _ in curves]),
        learner_rows(clf),
        known_features(clf),
        clf.certificate_.sentences,
        making(clf, None),
    )


def _evidence_headline(clf: Any, cuts: Sequence[Cuts]) -> Headline:
    value, interval, note = float(clf.best_score_), None, ""
    population, aside = population_of(clf), set_aside(clf.decision_.policy)
    rows = "the validation rows of the fit"
    rows += f", weighted to {population}" if population else ""
    source = f"On {rows}{aside and ', '}{aside}, which also chose: optimistic"
    if hasattr(clf, "honest_score_"):
        value = float(clf.honest_score_)
        interval = _interval(getattr(clf, "honest_interval_", None))
        source = f"To be expected on other rows, from {rows}"
        seen = in_digits(clf.best_score_, 3)
        note = f"The validation rows show {seen}; what choosing gained is taken off."
    if clf._sweep is None:
        note += (
            " This classifier was slimmed, so nothing is left of the rows that it was fitted on: "
            "for curves, a threshold to move and a table of labels, make the page with labelled "
            "rows that it has not seen."
        )
    elif has_row_costs(clf._objective):
        note += " A page made with labelled rows shows what they cost along the threshold."
    elif not cuts:
        note += " A page made with labelled rows shows the classes."
    words = _words(clf.decision_.kind, cuts, None) if cuts else ""
    return Headline(value, interval, source, words, note.strip())


def _label_parts(
    clf: Any,
    cuts: Sequence[Cuts],
    evaluated: Sequence[Any],
    bins: Sequence[Any],
    costs: Sequence[tuple[float, ...]],
) -> list[LabelPart]:
    """Put together what is known of each label."""
    if not cuts:
        return []
    measure = measure_of_label(clf.decision_.kind.objective(clf._objective))
    intervals = {str(one.label): _interval(one.interval) for one in evaluated}
    sweep, kind = clf._sweep, clf.decision_.kind
    names = kind.label_names.tolist()
    swept = [] if sweep is None or not kind.separable else [names[label] for label in sweep.chosen]
    if len(cuts) < len(names):  # the sweep leaves labels of one value out
        names = swept
    known = sweep.labels() if swept and measure is not None else []
    spreads = {
        str(name): _number(row["threshold_spread"]) for name, row in zip(swept, known, strict=False)
    }
    return [
        LabelPart(
            name,
            own,
            measure,
            intervals.get(str(name)),
            spreads.get(str(name)),
            tuple(bins[i]) if len(bins) else (),
            costs[i] if costs else (),
        )
        for i, (name, own) in enumerate(zip(names, cuts, strict=True))
    ]


def _chosen_curves(sweep: Any) -> list[tuple[ErrorCurve, int]]:
    """Return the curve and the cut of each label, in the order of `SweepResult.labels`."""
    return [
        (candidate.curve, cut)
        for choice in sweep.choices
        for candidate, cut in zip(choice.candidates, choice.cuts, strict=True)
    ]


def _bins(clf: Any, X: Any, rows: LabelRows) -> list[Any]:
    """Compare the probabilities of every label with what is true."""
    if not hasattr(clf, "predict_proba"):
        return []
    probabilities = clf.decision_.kind.label_probabilities(clf.predict_proba(X))
    pairs = zip(rows.true.T, probabilities.T, strict=True)
    return [reliability(true, p, rows.weights) for true, p in pairs]


def _others(clf: Any, profile: ErrorProfile, curves: Sequence[ErrorCurve]) -> list[OtherMeasure]:
    if not clf.decision_.kind.separable:
        return other_class_measures(profile)
    frontier = None if clf._sweep is None else getattr(clf, "frontier_", None)
    return other_label_measures(
        profile,
        curves,
        average_of(clf.decision_.kind.objective(clf._objective), profile.n_labels),
        frontier,
    )


def _words(kind: Kind, cuts: Sequence[Cuts], confusion: NDArray[np.float64] | None) -> str:
    counted = all(own.counted for own in cuts)
    if not kind.separable and confusion is not None:
        return class_words(confusion, [str(name) for name in kind.label_names], counted=counted)
    profile = _joined([own.profile for own in cuts])
    return error_words(profile, labels=len(cuts) > 1, total=cuts[0].total if counted else None)


def _joined(profiles: Sequence[ErrorProfile]) -> ErrorProfile:
    """Put the profiles of single labels side by side."""
    parts = ([getattr(p, name)[0] for p in profiles] for name in ("fn", "fp", "prevalence"))
    return ErrorProfile(*(np.array(part) for part in parts))


def _interval(pair: Any) -> Interval | None:
    """Return an interval of numbers, or nothing if there is none."""
    if pair is None or not np.isfinite(pair).all():
        return None
    return float(pair[0]), float(pair[1])


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
