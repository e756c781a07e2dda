"""The one place that decides exit codes and writes: data and text to stdout, messages to stderr.

Text is for people and for the logs of build servers. What names and messages of others hold, a
terminal or a build server would obey, is escaped here, whatever wrote the text. Data (JSON, CSV) go
out as they are: they have their own escapes.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, cast

import click
from rich.console import Console
from rich.file_proxy import FileProxy

from looplaw_common.errors import LooplawError, LooplawWarning
from looplaw_common.limits import is_memory_limited, lift_limits
from looplaw_common.steps import bounded_steps
from looplaw_common.text import MOST_QUOTED, as_line, for_people, in_one_line, shortened

if TYPE_CHECKING:
    from looplaw_common.formula.formula import Formula

OK, FINDING, USAGE, UNUSABLE, INTERRUPTED = 0, 1, 2, 3, 130

_MOST_SAID = 1000
"""Characters of an error; what stands between its beginning and its end is left out."""
_LONG = re.compile(rf"\S{{{MOST_QUOTED + 1},}}")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")


class _Messages(io.TextIOBase):
    """The stderr of the moment. What cannot be said, as its terminal is gone or the disk of its
    file is full, is no reason to end the work."""

    def write(self, text: str) -> int:
        with contextlib.suppress(OSError, ValueError, AttributeError):
            return _stderr().write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError, ValueError, AttributeError):
            _stderr().flush()

    def close(self) -> None:
        """Nothing: the stream of the moment is not ours to close, and the interpreter calls this
        when it ends and our names are gone."""

    def isatty(self) -> bool:
        with contextlib.suppress(OSError, ValueError, AttributeError):
            return _stderr().isatty()
        return False

    def fileno(self) -> int:
        return _stderr().fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return getattr(_stderr(), "encoding", None) or "utf-8"


def _stderr() -> TextIO:
    """The stream behind what a live display of rich puts in place of stderr: that prints to our
    console, which would write to it again, without an end."""
    stream = sys.stderr
    while isinstance(stream, FileProxy):
        stream = cast(TextIO, stream.rich_proxied_file)
    return stream


messages = Console(
    file=cast(TextIO, _Messages()), highlight=False, no_color="NO_COLOR" in os.environ or None
)


def say(text: str, style: str | None = None) -> None:
    """One line on stderr; nothing in it is read as markup, moves the cursor or is a command."""
    messages.print(as_line(text), style=style, markup=False, emoji=False, soft_wrap=True)


def tell(text: str = "") -> None:
    """One line on stdout."""
    click.echo(as_line(text))


def tell_lines(text: str, *, nl: bool = True) -> None:
    """A text of several lines on stdout; what writes it has put names in one line."""
    click.echo(for_people(text, styled=colored()), nl=nl)


def put(data: str | bytes, *, nl: bool = True, err: bool = False) -> None:
    """Data in a format that has its own escapes on stdout, or on stderr."""
    click.echo(data, nl=nl, err=err)


def brief(message: str) -> str:
    """An error in one line of bearable length, whatever it quotes."""
    text = _QUOTED.sub(lambda m: m[0][0] + shortened(m[0][1:-1]) + m[0][0], in_one_line(message))
    text = _LONG.sub(lambda m: f"{m[0][:120]}...{m[0][-77:]}", text)
    half = _MOST_SAID // 2
    return text if len(text) <= _MOST_SAID else f"{text[:half]} ... {text[-half:]}"


def note_bare_logarithms(formulas: Iterable[Formula]) -> None:
    """One line where a user's formula has a logarithm without a base; call it once in a command."""
    from looplaw_common.formula.formula import BARE_LOG  # numpy behind it takes a tenth of a second

    if any(formula.has_bare_log for formula in formulas):
        say(BARE_LOG)


def width() -> int:
    """Columns of the terminal; 80 where output is piped, for sentences and pictures."""
    return Console().width if sys.stdout.isatty() else 80


_UNCUT = 1 << 16


def table_width() -> int:
    """Columns of the terminal; where output is piped, so many that nothing of a table is cut."""
    return Console().width if sys.stdout.isatty() else _UNCUT


def is_terminal() -> bool:
    """Does text go to a terminal, and not into a pipe or file?"""
    return sys.stdout.isatty()


def colored() -> bool:
    return is_terminal() and "NO_COLOR" not in os.environ


@contextmanager
def guarded(debug: bool) -> Iterator[None]:
    """Turn errors into one line and an exit code; --debug shows where they come from."""
    _open_streams()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", LooplawWarning)
            warnings.showwarning = partial(_show_warning, warnings.showwarning, debug)
            with bounded_steps():
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
            else (isinstance(error, OSError) and error.strerror) or str(error)
        )
        say(f"looplaw: {brief(text)}")
        if isinstance(error, LooplawError) and messages.is_terminal:
            for line in error.detail.splitlines():
                say(f"    {line}")
        sys.exit(error.exit_code if isinstance(error, LooplawError) else USAGE)
    except (click.exceptions.Exit, click.ClickException, click.Abort, SystemExit):
        raise
    except (MemoryError, SystemError, EOFError) as error:
        # extension modules that get no memory may fail without saying why
        if debug or not (isinstance(error, MemoryError) or is_memory_limited()):
            _fault(error, debug)
        sys.exit(no_memory())
    except ValueError as error:
        if debug or "set_int_max_str_digits" not in str(error):
            _fault(error, debug)
        say(f"looplaw: a number of more than {sys.get_int_max_str_digits()} digits came up")
        sys.exit(UNUSABLE)
    except Exception as error:
        _fault(error, debug)


def no_memory() -> int:
    """Say that there is not enough memory; the exit code."""
    lift_limits()  # so that it can be said
    say("looplaw: not enough memory; use a larger machine, a larger --max-memory or less data")
    return UNUSABLE


def _fault(error: Exception, debug: bool) -> NoReturn:
    """A fault of ours: still one line, and how to report it."""
    if debug:
        raise error
    say(
        f"looplaw: internal error: {type(error).__name__}: {brief(str(error))}; please report it"
        " with the output of --debug"
    )
    sys.exit(USAGE)


class _Closed(io.TextIOBase):
    """The stdout of a caller that closed it."""

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, "its output is closed")


def _open_streams() -> None:
    """A stdin that a caller closed is empty, a stdout is an error once it is used; text that stdout
    cannot encode is escaped."""
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    if sys.stdout is None:
        sys.stdout = cast(TextIO, _Closed())
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _show_warning(
    otherwise: Callable[..., None],
    debug: bool,
    message: Warning | str,
    category: type[Warning],
    *place: Any,
    **more: Any,
) -> None:
    if issubclass(category, LooplawWarning):
        say(f"looplaw: {brief(str(message))}")
    elif debug:  # of numpy and others: what is wrong for users is said by us
        otherwise(message, category, *place, **more)


def leave(*, finding: bool = False, unusable: bool = False, interrupted: bool = False) -> NoReturn:
    """End a command with the exit code of its outcome: interrupted by the user, else a finding,
    else data that cannot be used, else success."""
    sys.exit(INTERRUPTED if interrupted else FINDING if finding else UNUSABLE if unusable else OK)
