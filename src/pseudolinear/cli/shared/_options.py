"""Options and arguments that several verbs have."""

from __future__ import annotations

import csv
from collections.abc import Callable
from typing import Any

import click

FORMATS = ("csv", "tsv", "jsonl", "parquet", "arrow", "svmlight", "arff")
MEASURES = (  # what completion offers; any name of get_measure will do
    *("f1", "f1_macro", "f1_micro", "f2", "f0.5", "jaccard", "jaccard_macro", "jaccard_micro"),
    *("balanced_accuracy", "cohen_kappa", "accuracy", "mcc", "g_mean"),
)
ESTIMATORS = (
    *("auto", "linear", "boosting", "lifted", "forest", "svm", "softmax", "splines", "steps"),
    *("slow_boosting", "kernel", "tree"),
)
Decorator = Callable[[Any], Any]


class Measures(click.ParamType):
    """The name of a measure."""

    name = "measure"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Refuse unknown names with the known ones that are near."""
        from pseudolinear.measures import get_measure

        try:
            get_measure(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return value

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[Any]:
        """Offer the usual names."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in MEASURES if name.startswith(incomplete)]


class Columns(click.ParamType):
    """Names of columns, separated by commas."""

    name = "columns"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Split at commas; a name that holds one is put in quotes, as in a CSV file."""
        if not isinstance(value, str):
            return value
        parts = next(csv.reader([value], skipinitialspace=True), [])
        return tuple(name for name in (part.strip() for part in parts) if name)


class Numbers(click.ParamType):
    """Numbers, separated by commas."""

    name = "numbers"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Split at commas."""
        if not isinstance(value, str):
            return value
        try:
            return tuple(float(part) for part in value.split(","))
        except ValueError:
            self.fail(f"{value!r} is no number, nor several with commas.", param, ctx)


def numbers_option(name: str, help: str) -> Decorator:
    """Take numbers."""
    return click.option(name, type=Numbers(), default=(), help=help, metavar="NUMBER")


def file_argument(name: str = "file") -> Decorator:
    """Take a file of rows."""
    return click.argument(name, type=click.Path(allow_dash=True))


def model_argument() -> Decorator:
    """Take a saved model."""
    return click.argument("model", type=click.Path())


def format_option() -> Decorator:
    """Say what the file is."""
    return click.option(
        "--format",
        "file_format",
        type=click.Choice(FORMATS),
        metavar="FORMAT",
        help=f"What the file is: {', '.join(FORMATS)}.  [default: its name says so; csv for -]",
    )


def columns_option(name: str, help: str, **options: Any) -> Decorator:
    """Take names of columns."""
    return click.option(name, type=Columns(), default=(), help=help, metavar="A,B", **options)


def measure_option(help: str = "What to maximise", **options: Any) -> Decorator:
    """Take a measure by its name."""
    return click.option(
        "--measure",
        type=Measures(),
        metavar="NAME",
        help=f"{help}, such as f1, f2, f1_macro, jaccard, mcc.",
        **options,
    )


def estimator_option() -> Decorator:
    """Take a learner by its name."""
    return click.option(
        "--estimator",
        type=click.Choice(ESTIMATORS),
        metavar="NAME",
        default="auto",
        show_default=True,
        help=f"A learner by its name: {', '.join(ESTIMATORS)}.",
    )


def out_option(help: str) -> Decorator:
    """Say what is written, and whether it may take the place of a file."""

    def decorate(function: Any) -> Any:
        function = click.option(
            "--force", is_flag=True, help="Overwrite the file if it is there already."
        )(function)
        return click.option("--out", type=click.Path(allow_dash=True), required=True, help=help)(
            function
        )

    return decorate


def jobs_option() -> Decorator:
    """Say how many processes work."""
    return click.option(
        "--jobs",
        type=int,
        callback=_refuse_zero,
        default=1,
        show_default=True,
        help="Parallel jobs; -1 for all cores.",
    )


def _refuse_zero(ctx: Any, param: Any, value: int) -> int:
    if value == 0:
        raise click.BadParameter("0 jobs do nothing; give 1 or more, or -1 for all cores.")
    return value


def seed_option() -> Decorator:
    """Say where random draws start."""
    return click.option(
        "--seed",
        type=click.IntRange(0, 2**32 - 1),
        metavar="INTEGER",
        default=0,
        show_default=True,
        help="Random seed.",
    )


def confidence_option(of: str) -> Decorator:
    """Say how sure intervals are."""
    return click.option(
        "--confidence",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        metavar="SHARE",
        default=0.95,
        show_default=True,
        help=of,
    )
