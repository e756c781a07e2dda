"""looplaw completion: what a shell needs to complete verbs, options and files."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def completion_command(ctx: click.Context, shell: str) -> None:
    """Print the script that makes SHELL complete looplaw's verbs and options.

    \b
    looplaw completion bash >> ~/.bashrc
    looplaw completion zsh >> ~/.zshrc
    looplaw completion fish > ~/.config/fish/completions/looplaw.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None, "click knows the shells that the argument allows"
    click.echo(kind(ctx.find_root().command, {}, "looplaw", "_LOOPLAW_COMPLETE").source())
