"""What goes between the server and its worker, as JSON: a job, and the notes beside the source.

Lines count from 1, columns too, in bytes of UTF-8, as compilers write them.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Severity = Literal["error", "warning", "information", "hint"]


class Options(msgspec.Struct, frozen=True, rename="camel"):
    """What a client may set (`initializationOptions`, or the section `looplaw` of its settings).

    compile_errors: report errors of the compiler. code_lens: show the work of functions above
    them. budget: seconds of CPU time that the count of one loop may take. debounce: seconds without
    a key stroke before a changed text is analysed. limit: seconds that an analysis may take.
    """

    compile_errors: bool = True
    code_lens: bool = True
    budget: float = 0.5
    debounce: float = 0.3
    limit: float = 60.0


class Job(msgspec.Struct, frozen=True):
    """A file to analyse.

    text: what the editor holds, where it is not what is saved. top: the folder of the workspace;
    studies, laws.toml and compile_commands.json are looked for up to it.
    """

    path: str
    text: str | None = None
    top: str | None = None
    options: Options = Options()


class Hint(msgspec.Struct, frozen=True):
    """A few words behind a line with a loop. more: what is shown when the pointer rests on them."""

    line: int
    text: str
    more: str = ""


class Hover(msgspec.Struct, frozen=True):
    """The details of what begins on a line, in Markdown."""

    line: int
    text: str


class Problem(msgspec.Struct, frozen=True):
    """A finding at a place. column 0: the whole line."""

    line: int
    column: int
    severity: Severity
    code: str
    message: str


class LoopSymbol(msgspec.Struct, frozen=True):
    """A loop in the outline of a file."""

    line: int
    text: str
    nesting: int


class FunctionSymbol(msgspec.Struct, frozen=True):
    """A function in the outline of a file; lens: its work, shown above it."""

    line: int
    name: str
    text: str
    lens: str
    loops: tuple[LoopSymbol, ...] = ()


class Notes(msgspec.Struct, frozen=True):
    """All that is shown in one file, and the text that it belongs to (None: what is on disk)."""

    hints: tuple[Hint, ...] = ()
    hovers: tuple[Hover, ...] = ()
    problems: tuple[Problem, ...] = ()
    functions: tuple[FunctionSymbol, ...] = ()


class Answer(msgspec.Struct, frozen=True):
    """The notes of a job: file -> notes, of the file itself and of headers with loops.

    compiled: False where the notes are errors of the compiler only, and what was known before stays
    true of the lines that did not change. seconds: CPU time. messages: lines for the log.
    """

    files: dict[str, Notes]
    compiled: bool = True
    seconds: float = 0.0
    messages: tuple[str, ...] = ()


class Failed(msgspec.Struct, frozen=True):
    """Why there is no answer."""

    reason: str
