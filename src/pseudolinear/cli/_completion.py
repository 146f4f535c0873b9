"""The verb ``completion``: the script that lets a shell complete verbs and options."""

from __future__ import annotations

import click

from pseudolinear.cli.shared import COMPLETION, Output, Verb


@click.command("completion", cls=Verb, short_help="Print the completion script of a shell.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(context: click.Context, output: Output, *, shell: str) -> None:
    """Print the completion script of a shell.

    \b
      bash: eval "$(pseudolinear completion bash)" in ~/.bashrc
      zsh:  eval "$(pseudolinear completion zsh)" in ~/.zshrc
      fish: pseudolinear completion fish > ~/.config/fish/completions/pseudolinear.fish
    """  # noqa: D301
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    assert made is not None
    root = context.find_root()
    script = made(root.command, {}, "pseudolinear", COMPLETION).source()
    output.result({"shell": shell, "script": script}, lambda: script)
