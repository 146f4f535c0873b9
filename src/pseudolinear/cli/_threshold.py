"""The verb ``threshold``: where to cut scores that any other program made."""

from __future__ import annotations

from typing import Any

import click

from pseudolinear.cli.shared import (
    Output,
    Verb,
    check_column,
    columns_option,
    confidence_option,
    cost_options,
    find_positive,
    format_option,
    headline,
    measure_option,
    name_positive_class,
    open_parts,
    parts_argument,
    read_costs,
    seed_option,
    several_parts,
    streamed_thresholds,
    threshold_table,
    weight_column,
)

OUTCOMES = ("fn", "fp", "tp", "tn")
SHARE = click.FloatRange(0, 1, min_open=True)


@click.command("threshold", cls=Verb, short_help="Find the best threshold of given scores.")
@parts_argument("scores", "SCORES...")
@columns_option(
    "--target", "The true classes; several columns of 0 and 1 for labels.", required=True
)
@columns_option("--score", "The scores, larger for the positive class; as many.", required=True)
@measure_option(multiple=True)
@cost_options()
@click.option(
    "--min-precision", type=SHARE, metavar="SHARE", help="Most recall at this precision or more."
)
@click.option(
    "--min-recall", type=SHARE, metavar="SHARE", help="Most precision at this recall or more."
)
@click.option(
    "--budget",
    type=click.IntRange(1),
    metavar="ROWS",
    help="Most recall with at most so many rows of the file flagged.",
)
@click.option(
    "--prevalence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    help="Share of positives where it will be used.",
)
@click.option("--positive", metavar="CLASS", help="The positive of two classes.")
@click.option("--weight", metavar="COLUMN", help="Weight of each row.")
@click.option(
    "--resamples",
    type=click.IntRange(2),
    metavar="INTEGER",
    default=200,
    show_default=True,
    help="For interval and spread.",
)
@confidence_option("Of interval and spread.")
@seed_option()
@format_option()
def command(
    output: Output,
    *,
    scores: tuple[str, ...],
    file_format: str | None,
    target: tuple[str, ...],
    score: tuple[str, ...],
    positive: str | None,
    weight: str | None,
    prevalence: float | None,
    resamples: int,
    confidence: float,
    seed: int,
    **goals: Any,
) -> None:
    """Find the exact best threshold of scores, how sure it is, and what to expect of it.

    The value and its interval are for other rows: less by an estimate of what choosing gains.
    SCORES are a file; or files, folders of parts and patterns, which are read in batches, in a few
    passes and constant memory, whatever their size. --measure may be given several times.
    """
    from pseudolinear.datasets import read_file
    from pseudolinear.thresholds import resampled_threshold

    if len(target) != len(score) or not target:
        raise click.UsageError("Give as many columns of --score as of --target.")
    resampling: Any = {"n_resamples": resamples, "confidence": confidence, "random_state": seed}
    if several_parts(scores) or len(goals["measure"]) > 1:
        files = open_parts(
            scores, output, target=target, score=score, weight=weight, file_format=file_format
        )
        named = _named_goals(files, goals)
        if len(target) == 1:
            name_positive_class(files, positive, output)
        streamed_thresholds(files, named, prevalence, output, **resampling)
        return
    frame = read_file(scores[0], file_format)
    if not hasattr(frame, "columns"):
        raise click.UsageError("An svmlight file has no columns of scores; give a table.")
    costs = read_costs(goals, list(frame.columns), labels=len(target) > 1)
    name, objective = _objective(len(frame), len(target), goals)
    if costs is not None:
        if objective != "f1":
            raise click.UsageError("Costs are a goal of their own; leave the other one out.")
        name, objective = repr(costs), costs.on(frame)
    Y = _columns(frame, target, "--target")
    Y = _positive_rows(Y, positive, output) if len(target) == 1 else _labels(Y)
    S = _scores(_columns(frame, score, "--score"))
    weights = _weights(Y, weight_column(frame, weight), prevalence)
    if len(target) == 1:
        S = S[:, 0]
    found = resampled_threshold(Y, S, objective, weights, **resampling)
    data = _data(found, name, score, S, confidence, resamples)
    output.result(data, lambda: headline(data), lambda: threshold_table(data))


def _named_goals(files: Any, goals: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return what is asked for of parts, each with a name."""
    if any(isinstance(goals[f"cost_{cell}"], str) for cell in OUTCOMES):
        raise click.UsageError(
            "Costs by row are for one file, which is read at once; give numbers for several."
        )
    costs = read_costs(goals, [], labels=files.labels)
    if costs is not None:
        return [(repr(costs), costs)]
    n_rows = 0
    if goals["budget"] is not None:
        n_rows = sum(len(frame) for _, frame in files.frames(files.target))
    measures = goals["measure"] or (None,)
    each = ({**goals, "measure": (one,) if one else ()} for one in measures)
    return [_objective(n_rows, len(files.target), own) for own in each]


def _objective(n_rows: int, n_targets: int, goals: dict[str, Any]) -> tuple[str, Any]:
    """Return what is asked for, with a name."""
    from pseudolinear.thresholds import Budget, PrecisionAtRecall, RecallAtPrecision

    given = [option for option, value in goals.items() if value not in (None, ())]
    if len(given) > 1:
        options = " and ".join("--" + option.replace("_", "-") for option in given)
        raise click.UsageError(f"{options} exclude each other; give one.")
    if goals["min_precision"] is not None:
        share = goals["min_precision"]
        return f"recall at a precision of {share:g}", RecallAtPrecision(share)
    if goals["min_recall"] is not None:
        share = goals["min_recall"]
        return f"precision at a recall of {share:g}", PrecisionAtRecall(share)
    if goals["budget"] is not None:
        budget = goals["budget"]
        return f"recall of {budget} rows in {n_rows}", Budget(budget).resolve(n_rows, 1)
    measure = goals["measure"][0] if goals["measure"] else "f1"
    if n_targets == 1 and measure.endswith(("_macro", "_micro", "_weighted")):
        raise click.UsageError(f"{measure} is an average over several targets; here is one.")
    return measure, measure


def _columns(frame: Any, names: tuple[str, ...], option: str) -> Any:
    for name in names:
        check_column(name, list(frame.columns), option)
        if n_missing := int(frame[name].isna().sum()):
            raise ValueError(f"The column {name!r} is missing in {n_missing} of {len(frame)} rows.")
    return frame[list(names)]


def _positive_rows(frame: Any, positive: str | None, output: Output) -> Any:
    """Return which rows are positive."""
    y = frame.iloc[:, 0]
    if (n_classes := y.nunique()) != 2:
        raise ValueError(f"The target {y.name!r} has {n_classes} classes; thresholds need two.")
    meant = find_positive(y, positive, None, output)
    return (y == (y.max() if meant is None else meant)).to_numpy()


def _labels(frame: Any) -> Any:
    for name in frame.columns:
        if not frame[name].isin([0, 1]).all():
            raise ValueError(f"The target {name!r} holds other values than 0 and 1.")
    return frame.to_numpy(dtype=int)


def _scores(frame: Any) -> Any:
    for name, dtype in frame.dtypes.items():
        if dtype.kind not in "iufb":
            raise ValueError(f"The scores in {name!r} are not all numbers.")
    return frame.to_numpy(dtype=float)


def _weights(Y: Any, weight: Any, prevalence: float | None) -> Any:
    """Weigh rows so that the share of positives is that of where the threshold will be used."""
    import numpy as np

    if prevalence is None:
        return weight
    if Y.ndim != 1:
        raise click.UsageError("--prevalence is for a single target.")
    here = np.average(Y, weights=weight)
    shift = np.where(Y, prevalence / here, (1 - prevalence) / (1 - here))
    return shift if weight is None else shift * weight


def _data(
    found: Any, name: str, score: tuple[str, ...], S: Any, confidence: float, resamples: int
) -> dict[str, Any]:
    import numpy as np

    thresholds = np.atleast_1d(found.cut.threshold)
    spread = np.asarray(found.spread).reshape(2, -1)
    profile, flagged = found.cut.profile, (found.cut.threshold <= S).reshape(len(S), -1).sum(axis=0)
    return {
        "objective": name,
        "value_here": found.cut.value,
        "value": found.expected,
        "interval": found.interval,
        "confidence": confidence,
        "resamples": resamples,
        "failed_resamples": found.n_failed,
        "thresholds": [
            {
                "score": score[k],
                "threshold": thresholds[k],
                "spread": spread[:, k],
                "flagged_rows": flagged[k],
                "precision": profile.precision[k],
                "recall": profile.recall[k],
            }
            for k in range(len(score))
        ],
    }
