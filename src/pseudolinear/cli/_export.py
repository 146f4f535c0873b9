"""The verb ``export``: a model for other programs."""

from __future__ import annotations

import click

from pseudolinear.cli.shared import Output, Verb, check_output, load_model, model_argument


@click.command("export", cls=Verb, short_help="Write a model as ONNX.")
@model_argument()
@click.option("--onnx", type=click.Path(), required=True, help="The ONNX file to write.")
@click.option("--force", is_flag=True, help="Overwrite the file if it is there already.")
def command(output: Output, *, model: str, onnx: str, force: bool) -> None:
    """Write a model, thresholds included, as an ONNX graph that any runtime can run."""
    from pseudolinear._files import write_atomically

    path = check_output(onnx, force=force, read=[model])
    graph = load_model(model).to_onnx()
    write_atomically(path, graph.SerializeToString())
    inputs = [one.name for one in graph.graph.input]
    size = path.stat().st_size
    data = {"onnx": str(path), "bytes": size, "inputs": inputs}
    output.done(data, f"{path}: {size} bytes, {len(inputs)} input{'s' * (len(inputs) != 1)}")
