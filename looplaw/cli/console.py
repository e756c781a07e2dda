"""The one place that decides exit codes and writes messages: data to stdout, everything else to
stderr."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

import click
from rich.console import Console

from looplaw_common.errors import LooplawError, LooplawWarning

if TYPE_CHECKING:
    from modeling.pmnf.formula import Formula

OK, FINDING, USAGE, UNUSABLE, INTERRUPTED = 0, 1, 2, 3, 130

messages = Console(stderr=True, highlight=False, no_color="NO_COLOR" in os.environ or None)


def say(text: str, style: str | None = None) -> None:
    """One line on stderr; nothing in it is read as markup."""
    messages.print(text, style=style, markup=False, soft_wrap=True)


def note_bare_logarithms(formulas: Iterable[Formula]) -> None:
    """One line where a user's formula has a logarithm without a base; call it once in a command."""
    from modeling.pmnf.formula import BARE_LOG  # numpy behind it takes a tenth of a second

    if any(formula.has_bare_log for formula in formulas):
        say(BARE_LOG)


def width() -> int:
    """Columns of the terminal; 80 where output is piped."""
    return Console().width if sys.stdout.isatty() else 80


def colored() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


@contextmanager
def guarded(debug: bool) -> Iterator[None]:
    """Turn errors into one line and an exit code; --debug shows where they come from."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", LooplawWarning)
            warnings.showwarning = partial(_show_warning, warnings.showwarning)
            yield
    except KeyboardInterrupt:
        say("looplaw: interrupted")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(OK)
    except (LooplawError, OSError) as error:
        if debug:
            raise
        text = (
            f"{error.filename}: {error.strerror}"
            if isinstance(error, OSError) and error.filename
            else str(error)
        )
        say(f"looplaw: {text}")
        if isinstance(error, LooplawError) and sys.stderr.isatty():
            for line in error.detail.splitlines():
                say(f"    {line}")
        sys.exit(error.exit_code if isinstance(error, LooplawError) else USAGE)
    except (click.exceptions.Exit, click.ClickException, click.Abort, SystemExit):
        raise
    except Exception as error:  # a fault of ours: still one line, and how to report it
        if debug:
            raise
        say(
            f"looplaw: internal error: {type(error).__name__}: {error}; please report it with the"
            " output of --debug"
        )
        sys.exit(USAGE)


def _show_warning(
    otherwise: Callable[..., None],
    message: Warning | str,
    category: type[Warning],
    *place: Any,
    **more: Any,
) -> None:
    if issubclass(category, LooplawWarning):
        say(f"looplaw: {message}")
    else:
        otherwise(message, category, *place, **more)


def leave(*, finding: bool = False, unusable: bool = False, interrupted: bool = False) -> NoReturn:
    """End a command with the exit code of its outcome: interrupted by the user, else a finding,
    else data that cannot be used, else success."""
    sys.exit(INTERRUPTED if interrupted else FINDING if finding else UNUSABLE if unusable else OK)
