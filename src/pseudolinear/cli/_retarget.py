"""The verb ``retarget``: a model for another measure or population, without training."""

from __future__ import annotations

import click

from pseudolinear.cli.shared import (
    Output,
    Verb,
    aim_of,
    budget_options,
    check_output,
    load_evidence,
    measure_option,
    model_argument,
    out_option,
    save_retargeted,
)


@click.command("retarget", cls=Verb, short_help="Aim a model at another measure or population.")
@model_argument()
@measure_option()
@budget_options()
@click.option(
    "--prevalence",
    multiple=True,
    metavar="[LABEL=]NUMBER",
    help="Proportion of positives where the model will be used, or of a label; may be repeated.",
)
@out_option("The model to write.")
def command(
    output: Output,
    *,
    model: str,
    measure: str | None,
    budget: int | None,
    budget_share: float | None,
    budget_by: str | None,
    prevalence: tuple[str, ...],
    out: str,
    force: bool,
) -> None:
    """Choose the thresholds of a model anew, for another measure, a budget or a population.

    Nothing is trained. The model must have been fitted with --evidence.
    """
    aim = aim_of(measure, budget, budget_share, budget_by)
    if aim is None and not prevalence:
        raise click.UsageError(
            "Say what to aim at: --measure, --budget, --budget-share or --prevalence."
        )
    path = check_output(out, force=force)
    classifier = load_evidence(model)
    population = _population(prevalence, classifier.classes_.tolist()) if prevalence else None
    save_retargeted(output, classifier.retarget(aim, prevalence=population), path)


def _population(given: tuple[str, ...], classes: list[object]) -> object:
    """Return a number for all labels, or numbers by label."""
    if len(given) == 1 and "=" not in given[0]:
        return _number(given[0])
    names = {str(name): name for name in classes}
    found = {}
    for one in given:
        name, separator, number = one.rpartition("=")
        if not separator:
            raise click.UsageError(
                f"--prevalence {one}: of several labels, give each as LABEL={one}."
            )
        found[names.get(name, name)] = _number(number)
    return found


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise click.UsageError(f"--prevalence: {text!r} is no number.") from None
