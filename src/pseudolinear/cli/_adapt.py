"""The verb ``adapt``: a model for the population of unlabelled rows, without training."""

from __future__ import annotations

import click

from pseudolinear.cli.shared import (
    Output,
    Verb,
    check_output,
    confidence_option,
    features_of,
    file_argument,
    format_option,
    load_evidence,
    model_argument,
    out_option,
    save_retargeted,
    string_columns,
)


@click.command("adapt", cls=Verb, short_help="Move a model to where positives are rarer or not.")
@model_argument()
@file_argument()
@out_option("The model to write.")
@click.option("--text", metavar="COLUMN", help="The column of texts, if the model does not know.")
@confidence_option("Of the intervals of the prevalence.")
@format_option()
def command(
    output: Output,
    *,
    model: str,
    file: str,
    out: str,
    force: bool,
    text: str | None,
    confidence: float,
    file_format: str | None,
) -> None:
    """Estimate how many rows of a file are positive, and choose the thresholds for that.

    The rows need no labels, and nothing is trained. The model must have been fitted with
    --evidence. Rows of a class must look as they did in training; a warning says so if they do not.
    """
    from pseudolinear.datasets import read_parts

    path = check_output(out, force=force, read=[model, file])
    classifier = load_evidence(model)
    (rows,) = read_parts(
        file,
        file_format,
        n_rows=None,
        strings=string_columns(classifier),
        n_features=getattr(classifier, "n_features_in_", None),
    )
    adapted = classifier.adapt(features_of(classifier, rows, text), confidence=confidence)
    save_retargeted(output, adapted, path, adapted.adaptation_)
