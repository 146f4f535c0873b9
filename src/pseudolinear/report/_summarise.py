"""What a summary says, gathered from a fitted classifier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pseudolinear._digits import in_percent
from pseudolinear._group_thresholds import GroupThresholds
from pseudolinear._label_budget import LabelBudget
from pseudolinear._policy import Policy
from pseudolinear._row_budget import RowBudget
from pseudolinear.measures import ExpectedCost, WeightedAccuracy, has_row_costs, short_name
from pseudolinear.report._sparkline import sparkline
from pseudolinear.report._summary import Summary
from pseudolinear.report._words import member_words
from pseudolinear.sweep import SweepResult

HELD_OUT = "on held-out rows"
SAME_ROWS = "on the rows of this fit"
INSTEAD = (GroupThresholds, LabelBudget, RowBudget)  # what decides in place of a threshold


def summarise(clf: Any, sweep: SweepResult | None) -> Summary:
    """Gather what there is to say of a fitted classifier.

    Parameters
    ----------
    clf : MeasureClassifier
        Fitted.
    sweep : SweepResult or None
        Its evidence; None where it was slimmed.

    Returns
    -------
    Summary
        To be printed.
    """
    labels, label_value = ((), "") if sweep is None else _labels(sweep)
    if (many := getattr(clf, "many_labels_", None)) is not None:
        pairs = zip(clf.classes_[many.labels].tolist(), many.values.tolist(), strict=True)
        labels = tuple(sorted(pairs, key=lambda one: -one[1]))
        label_value = short_name(many.measure)
    policy = clf.decision_.policy
    return Summary(
        measure=short_name(clf._objective, len(clf.decision_.kind.label_names)),
        problem=_problem(clf),
        chosen=_chosen(clf),
        threshold="" if isinstance(policy, INSTEAD) else _threshold(clf, sweep),
        value=clf.best_score_,
        value_of=_value_of(clf, sweep),
        honest_value=getattr(clf, "honest_score_", None),
        honest_interval=getattr(clf, "honest_interval_", None),
        population=population_of(clf),
        labels=labels,
        label_value=label_value,
        certificate=clf.certificate_.sentence,
        tried=_tried(clf, sweep),
        timings=tuple(getattr(clf, "timings_", ())),
        picture="" if sweep is None else _picture(sweep, labels, label_value),
        promise=_promise(clf),
        policy=str(policy) if isinstance(policy, INSTEAD) else "",
    )


def _problem(clf: Any) -> str:
    kind = clf.decision_.kind
    what = {
        "binary": f"positive class {kind.positive_label}" if kind.name == "binary" else "",
        "multilabel": _count(len(clf.classes_), "label"),
        "multiclass": f"{len(clf.classes_)} classes",
    }[kind.name]
    features = getattr(clf, "n_features_in_", None)
    counted = [] if features is None else [_count(features, "feature")]
    return ", ".join([kind.name, what, *counted])


def _chosen(clf: Any) -> str:
    if hasattr(clf, "portfolio_"):
        return _blend(clf)
    params = clf.best_params_ if isinstance(clf.best_params_, list) else [clf.best_params_]
    learner = clf.learner_.name
    if _is_prefit(clf):
        return f"{learner}; only thresholds were chosen"
    parts = [f"{learner}{_settings([one for one in params if one])}"]
    if np.ndim(clf.level_) == 0 and _depends_on_level(clf._objective):
        beyond = " (above any value)" if clf.level_ > clf.certificate_.perfect else ""
        parts.append(f"level {clf.level_:.3g}{beyond}")
    if np.shape(clf.costs_) == (2,):
        cost_fn, cost_fp = clf.costs_
        parts.append(f"costs {cost_fn:.3g} to {cost_fp:.3g}")
    return ", ".join(parts)


def _depends_on_level(objective: Any) -> bool:
    """Tell whether levels have costs of their own: not those of a mean cost or of accuracy."""
    return not isinstance(objective, ExpectedCost | WeightedAccuracy)


def _settings(params: Sequence[Mapping[str, Any]]) -> str:
    """Write hyper-parameters, or how many there are where labels have their own."""
    written = sorted({", ".join(f"{k}={_short(v)}" for k, v in one.items()) for one in params})
    if not written:
        return ""
    return f" with {written[0]}" if len(written) == 1 else f" in {len(written)} settings"


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _blend(clf: Any) -> str:
    """Write the mean weight of every member over the labels, the largest first."""
    blends = [model for model in clf.models_ if model is not None]
    weights: dict[str, float] = {}
    names = member_words([row["learner"] for row in clf.portfolio_])
    for share in (share for blend in blends for share in blend.shares):
        name = names[share.member]
        weights[name] = weights.get(name, 0.0) + share.weight / len(blends)
    ordered = sorted(weights.items(), key=lambda one: -one[1])
    if len(ordered) == 1:
        return ordered[0][0]
    return "blend of " + ", ".join(f"{name} {in_percent(weight, 0)}" for name, weight in ordered)


def _threshold(clf: Any, sweep: SweepResult | None) -> str:
    thresholds = np.atleast_1d(clf.threshold_)
    if len(thresholds) > 1:
        each = "class" if clf.decision_.kind.name == "multiclass" else "label"
        return f"one per {each}, {thresholds.min():.4g} to {thresholds.max():.4g}"
    text = f"{thresholds[0]:.4g} of the score"
    if has_row_costs(clf._objective):
        text += " and what is at stake in a row"
    elif hasattr(clf, "predict_proba") and clf.decision_.kind.name == "binary":
        text += f", a probability of {clf.probability_threshold_:.2g}"
    if sweep is None or len(sweep.chosen) != 1 or sweep.promised:
        return text
    cuts = [cut for cut, _ in sweep.fold_cuts(sweep.goals[0], sweep.choices[0].candidates[0])]
    if len(cuts) < 2:
        return text
    return f"{text}; the folds alone would choose {min(cuts):.4g} to {max(cuts):.4g}"


def population_of(clf: Any) -> str:
    """Say which population the thresholds are for, if not that of the training rows."""
    if clf.prevalence_ is None:
        return ""
    rates = np.atleast_1d(clf.prevalence_)
    low, high = np.nanmin(rates), np.nanmax(rates)
    told = (
        f"a prevalence of {low:.4g}" if low == high else f"prevalences of {low:.4g} to {high:.4g}"
    )
    estimated = getattr(clf, "adaptation_", None)
    if estimated is None:
        return f"{told}, not that of the training rows"
    return f"{told}, estimated from {estimated.n_rows} rows; not that of the training rows"


def set_aside(policy: Policy | None) -> str:
    """Say what of a decision the values of the validation rows do not count, if anything."""
    if isinstance(policy, LabelBudget):
        return "without the budget"
    return "with the threshold of the fit" if isinstance(policy, GroupThresholds) else ""


def _value_of(clf: Any, sweep: SweepResult | None) -> str:
    where = SAME_ROWS if _is_prefit(clf) else HELD_OUT
    if clf.prevalence_ is not None:
        where += ", weighted to this population"
    if aside := set_aside(clf.decision_.policy):
        return f"{where} {aside}"
    if sweep is None or len(sweep.choices) > 1 or has_row_costs(clf._objective):
        return where
    profile = sweep.choices[0].profile
    if not sweep.kind.separable:
        return f"{where}, accuracy {1 - profile.fn.sum():.3f}"
    found = (profile.prevalence - profile.fn).sum()
    flagged, positive = found + profile.fp.sum(), profile.prevalence.sum()
    if not flagged or not positive:
        return where
    return f"{where}, precision {found / flagged:.3f}, recall {found / positive:.3f}"


def _labels(sweep: SweepResult) -> tuple[tuple[tuple[Any, float], ...], str]:
    """Return labels or classes with their value, the best first, and what the value is."""
    if not sweep.kind.separable:
        recalls = np.nan_to_num(sweep.choices[0].profile.recall).tolist()
        pairs = list(zip(sweep.kind.code_classes.tolist(), recalls, strict=True))
        what = "recall"
    elif len(sweep.chosen) == 1:
        return (), ""
    else:
        pairs = [
            (sweep.kind.label_name(c.label), sweep.rule.label_value(goal, c, cut))
            for goal, choice in zip(sweep.goals, sweep.choices, strict=True)
            for c, cut in zip(choice.candidates, choice.cuts, strict=True)
        ]
        objective = getattr(sweep.rule, "objective", sweep.goals[0].label_measure)
        what = short_name(objective)
    return tuple(sorted(pairs, key=lambda one: -one[1])), what


def _promise(clf: Any) -> str:
    promise = getattr(clf, "promise_", None)
    return "" if promise is None else f"{promise.brief}, by {promise.n_rows} other rows"


def _tried(clf: Any, sweep: SweepResult | None) -> str:
    if (many := getattr(clf, "many_labels_", None)) is not None:
        return str(many.tried)
    if sweep is None:
        return "not kept with the model; save it with its evidence to keep it"
    if _is_prefit(clf):
        return ""
    if sweep.models_kept:
        return "other thresholds alone; the models are those of the fit"
    candidates, levels = _count(len(sweep), "candidate"), _count(sweep.n_levels, "level")
    n_folds = len(sweep.shares)
    return f"{candidates} at {levels} on {_count(n_folds, 'fold') if n_folds > 1 else 'one part'}"


def _is_prefit(clf: Any) -> bool:
    abilities = getattr(clf.learner_, "abilities", None)
    return abilities is not None and abilities.prefit


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _picture(sweep: SweepResult, labels: Sequence[tuple[Any, float]], label_value: str) -> str:
    """Draw the value along the threshold, or that of every label or class."""
    if labels:
        values = [value for _, value in labels]
        each = "label" if sweep.kind.separable else "class"
        places = list(range(1, len(values) + 1))
        return sparkline(places, values, f"{label_value} of each {each}", "from best to worst")
    (choice,), (goal,) = sweep.choices, sweep.goals
    (candidate,), (cut,) = choice.candidates, choice.cuts
    curve = candidate.curve
    thresholds, values = curve.thresholds.tolist(), goal.label_measure.value(curve).tolist()
    mark = thresholds[cut], values[cut]
    return sparkline(
        thresholds, values,
        f"{short_name(goal.label_measure)} {HELD_OUT}", "threshold of the score", mark,
    )  # fmt: skip
