"""Errors that compilers print, as problems at their lines.

clang and flang write `file:line:column: error: text`, and where the file was included from above
it; rustc writes `error[E0425]: text` and the place on a later line behind an arrow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from .notes import Problem

_GNU = re.compile(
    r"(?P<file>[^:\n]+):(?P<line>\d+):(?:(?P<column>\d+):)? (?:fatal )?error: (?P<text>.*)"
)
_INCLUDED = re.compile(r"(?:In file included from|\s+from) (?P<file>[^:\n]+):(?P<line>\d+)")
_RUST = re.compile(r"error(?:\[(?P<code>E\d+)\])?: (?P<text>.*)")
_ARROW = re.compile(r"\s*--> (?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+)")
_MOST = 50
"""Errors shown; what follows so many is mostly their consequence."""
COMPILER = "compile"


def problems_of(said: str, is_this: Callable[[str], bool]) -> tuple[Problem, ...]:
    """The errors in what a compiler wrote to stderr, at lines of one file; errors in a file that it
    includes stand at the line of the #include.

    Args:
        is_this: is a file, as the compiler calls it, the one that problems are shown in?
    """
    found = dict.fromkeys(_found(said.splitlines(), is_this))
    return tuple(found)[:_MOST]


def _found(lines: list[str], is_this: Callable[[str], bool]) -> Iterator[Problem]:
    included = 0
    rust: re.Match[str] | None = None
    for line in lines:
        if match := _INCLUDED.match(line):
            if is_this(match["file"]):
                included = int(match["line"])
        elif match := _GNU.match(line):
            text = match["text"].strip()
            if is_this(match["file"]):
                column = int(match["column"] or 0)
                yield Problem(int(match["line"]), column, "error", COMPILER, text)
            elif included:
                where = f"{match['file']}:{match['line']}"
                yield Problem(included, 0, "error", COMPILER, f"{where}: {text}")
            included = 0
        elif match := _RUST.match(line):
            rust = match
        elif rust is not None and (match := _ARROW.match(line)):
            if is_this(match["file"]):
                code, text = rust["code"], rust["text"]
                yield Problem(
                    int(match["line"]),
                    int(match["column"]),
                    "error",
                    COMPILER,
                    f"{text} ({code})" if code else text,
                )
            rust = None
