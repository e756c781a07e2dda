"""Wrong command lines in one line that shows a right one."""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Sequence
from typing import Any

import click

from .signals import SignalError, ending_signals

BREAK = "\b\n"


def examples(command: click.Command) -> list[str]:
    """The command lines in a verb's help that show how it is used, without what is said beside
    them."""
    text = (command.help or "").partition(BREAK)[2]
    return [re.split(" {3,}", line.strip())[0] for line in text.splitlines() if line.strip()]


class OneLine(click.Group):
    """A group of verbs whose usage errors are one line each: what is wrong, and what to type."""

    def with_option(self, name: str) -> list[str]:
        """The verbs to name where another one is given this option."""
        return []

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        try:
            with ending_signals():
                found = super().main(
                    args, prog_name or "looplaw", complete_var, standalone_mode=False, **extra
                )
        except (click.ClickException, click.Abort) as error:
            sys.exit(_refused(error))
        except SignalError as error:
            sys.exit(_ended(error))
        sys.exit(found if isinstance(found, int) else 0)


def _refused(error: click.ClickException | click.Abort) -> int:
    """Say what is wrong; the exit code."""
    from looplaw_common.limits import is_memory_limited

    from .console import INTERRUPTED, USAGE, no_memory, say  # `looplaw --help` starts without it

    if isinstance(error, click.Abort):
        # Python takes a module that it gets no memory for to be cut off
        if isinstance(error.__cause__, EOFError) and is_memory_limited():
            return no_memory()
        return INTERRUPTED
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
    else:
        say(_one_line(error))
    return USAGE


def _ended(error: SignalError) -> int:
    """Say which signal ended looplaw; the exit code. The terminal may be gone."""
    from .console import say

    with contextlib.suppress(OSError):
        say(f"looplaw: {error}")
    return error.exit_code


def _one_line(error: click.ClickException) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    where = context.command_path if context is not None else "looplaw"
    text = " ".join(_missing(error).split()).rstrip(".")
    if context is None:
        return f"{where}: {text}"
    shown = examples(context.command) if isinstance(error, click.MissingParameter) else []
    asked = f"looplaw {owners[0]}" if (owners := _owners(error)) else where
    return f"{where}: {text[:1].lower()}{text[1:]}; type {shown[0] if shown else f'{asked} --help'}"


def _owners(error: click.ClickException) -> list[str]:
    """The verbs that have an option which another one was given."""
    if not isinstance(error, click.NoSuchOption) or error.ctx is None:
        return []
    group = error.ctx.find_root().command
    return group.with_option(error.option_name) if isinstance(group, OneLine) else []


def _missing(error: click.ClickException) -> str:
    """Click's message; that on a missing argument names what it is called in the help, and that on
    an option of other verbs names these."""
    if isinstance(error, click.NoSuchOption):
        if owners := _owners(error):
            return f"{error.option_name} is an option of {' and '.join(owners)}"
    if isinstance(error, click.MissingParameter) and isinstance(error.param, click.Argument):
        choice = error.param.type
        name = (error.param.metavar or error.param.name or "").upper().rstrip(".")
        return f"missing {name}" + (
            f" ({', '.join(choice.choices)})" if isinstance(choice, click.Choice) else ""
        )
    return error.format_message()
