"""The verb ``retarget``: a model for another measure, without training."""

from __future__ import annotations

import click

from pseudolinear.cli.shared import (
    Output,
    Verb,
    check_output,
    describe,
    load_model,
    measure_option,
    model_argument,
    out_option,
)


@click.command("retarget", cls=Verb, short_help="Aim a model at another measure.")
@model_argument()
@measure_option(required=True)
@out_option("The model to write.")
def command(output: Output, *, model: str, measure: str, out: str, force: bool) -> None:
    """Choose the thresholds of a model anew, for another measure; nothing is trained.

    The model must have been fitted with --evidence.
    """
    path = check_output(out, force=force)
    classifier = load_model(model)
    if not hasattr(classifier, "sweep_"):
        raise ValueError(f"{model} was saved without its evidence; fit it again with --evidence.")
    other = classifier.retarget(measure)
    other.save(path, evidence=True)
    if output.as_json or not output.quiet:
        output.result({"model": str(path)} | describe(other), lambda: str(other.summary()))
    output.say(f"\nmodel: {path}")
