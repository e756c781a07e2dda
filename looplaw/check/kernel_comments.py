"""Laws of launches that comments state beside kernels: `// looplaw: work <= n*n` above a kernel, or
`// looplaw: grows no faster than n` above one of its loops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from looplaw_common.errors import InputError
from modeling.expectations.expectations import Law

from .comments import owner, read_comments
from .evidence import Subject

KERNEL_SUFFIXES = (".cl", ".cu", ".hip")


def stated_of_kernels(files: Sequence[Path], subjects: Sequence[Subject]) -> tuple[Law, ...]:
    """The laws that comments in files of kernels state.

    Raises:
        InputError: a comment that cannot be read, or is about nothing.
    """
    return tuple(law for file in files for law in _in_file(file, subjects))


def _in_file(file: Path, subjects: Sequence[Subject]) -> Iterator[Law]:
    text = file.read_text(encoding="utf-8", errors="replace")
    functions = dict(_places(file, subjects, "work"))
    loops = dict(_places(file, subjects, "iterations"))
    by_name = [(name, line) for line, name in functions.items()]
    for statement in read_comments(str(file), text):
        if statement.law is None:
            raise InputError(
                f"{statement.at}: relations beside kernels are not checked; write a law (work <="
                " 5*n, grows no faster than n)"
            )
        found = owner(statement, text, by_name, list(loops))
        is_loop = found.kind == "loop"
        name = loops[found.line] if is_loop else found.name
        metric = "iterations" if is_loop and statement.law.metric == "work" else None
        yield replace(statement.law, kernel=name, metric=metric or statement.law.metric)


def _places(file: Path, subjects: Sequence[Subject], metric: str) -> Iterator[tuple[int, str]]:
    """The lines of a file on which kernels or their loops stand, with what these are called."""
    for s in subjects:
        name, _, line = (s.at or "").partition(":")
        if s.metric == metric and line and Path(name).name == file.name:
            yield int(line.split(":")[0]), s.names[0]
