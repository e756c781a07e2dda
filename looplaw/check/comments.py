"""What users state in comments: `// looplaw: n <= 1e6`, `// looplaw: grows no faster than n`.

A comment stands above a function or in it, and is about that function; directly above a loop or on
its line, a law is about the iterations of that loop. At the top of a file, or between functions, a
relation is about all functions of the file. Comments of C, C++ and Rust begin with // or /*, those
of Fortran with an exclamation mark. What begins with `looplaw:` and cannot be read is an error:
what a user believes to be checked must be checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from looplaw_common.errors import InputError
from looplaw_common.formula.formula import FormulaError
from modeling.expectations.expectations import Law, parse_law

from .relations import Relation, parse_relations

FORTRAN = (".f", ".f90", ".f95", ".f03", ".f08", ".for")
"""Ends of the names of Fortran files, in lower case."""
METRICS = (
    *("work", "iterations", "flops", "loads", "stores", "bytes", "calls", "library_steps"),
    *("depth", "warps"),
)
"""What a law in a comment may bound."""
_STARTS = re.compile(r"\W*looplaw\s*:(.*)", re.IGNORECASE | re.DOTALL)
_NEARLY = re.compile(r"\W*looplaw\b[^:]*?(<=|>=|==|\bgrows\b)", re.IGNORECASE)
_GROWS = re.compile(r"(?:(\w+)\s+)?grows\s+no\s+faster\s+than\s+(\S.*)", re.DOTALL)
_BOUND = re.compile(rf"({'|'.join(METRICS)})\s*((?:<=|>=|==)\s*\S.*)", re.DOTALL)
_HELP = "write a relation (n <= 1e6, m <= n) or a law (grows no faster than n*log2(n), work <= 5*n)"
_C = re.compile(
    r"""(?P<comment>//(?:[^\n\\]|\\.|\\\n)*|/\*.*?(?:\*/|\Z))
    |(?P<raw>\bR"(?P<end>[^(\s]*)\(.*?\)(?P=end)"|\br(?P<hash>\#*)".*?"(?P=hash))
    |(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)')
    |(?P<brace>[{}])""",
    re.DOTALL | re.VERBOSE,
)
_NO_HEAD = re.compile(r"[;{}]|^\s*(?:end|contains|use|implicit)\b|^\s*#(?!\[)", re.MULTILINE | re.I)
"""What is not in the head of a function."""
_BEGIN = re.compile(r"\s*(?:[\w()=*]+\s+)*(?:subroutine|function|program)\s+\w", re.IGNORECASE)
_END = re.compile(r"\s*end\s*(?:$|!|(?:subroutine|function|program)\b)", re.IGNORECASE)
_F = re.compile(r"""(?P<comment>![^\n]*)|(?P<string>"[^"\n]*"|'[^'\n]*')""")


@dataclass(frozen=True)
class Statement:
    """What one comment states. line: where the comment begins; until: where it ends; law: of the
    function or loop there, whose kernel is not known yet."""

    file: str
    line: int
    until: int
    text: str
    relations: tuple[Relation, ...] = ()
    law: Law | None = None

    @property
    def at(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Owner:
    """What a comment is about. kind: "file" is all functions of the file."""

    kind: Literal["function", "loop", "file"]
    name: str = ""
    line: int = 0


def read_comments(file: str, text: str) -> tuple[Statement, ...]:
    """The statements in a source file.

    Raises:
        InputError: a comment that begins with looplaw and cannot be read; names file and line, and
            says what to write.
    """
    return tuple(_statement(file, line, until, body) for line, until, body in _comments(file, text))


def _comments(file: str, text: str) -> Iterator[tuple[int, int, str]]:
    """(first line, last line, text) of the comments that speak to looplaw."""
    is_fortran = _is_fortran(file)
    if is_fortran and file.lower().endswith((".f", ".for")):
        text = re.sub(r"(?m)^[cC*](?=\W*looplaw\b)", "!", text)
    for match in (_F if is_fortran else _C).finditer(text):
        body = match["comment"]
        if body is None or "looplaw" not in body.lower():
            continue
        first = text.count("\n", 0, match.start()) + 1
        plain = body.removesuffix("*/") if body.startswith("/*") else body
        lines = plain.split("\n") if body.startswith("/*") else [plain]
        for k, line in enumerate(lines):
            if _STARTS.match(line) or _NEARLY.match(line):
                yield first + k, first + body.count("\n"), line


def _statement(file: str, line: int, until: int, comment: str) -> Statement:
    where = f"{file}:{line}"
    match = _STARTS.match(comment)
    if match is None:
        raise InputError(f'{where}: "{_short(comment)}": write a colon, as in // looplaw: n <= 1e6')
    text = match[1].replace("\\\n", " ").strip()
    try:
        law = _law(text)
        if law is not None:
            return Statement(file, line, until, text, law=law)
        return Statement(file, line, until, text, relations=parse_relations(text, where))
    except FormulaError as error:
        raise error.within(where) from None
    except InputError as error:
        said = str(error)
        raise InputError(
            f"{where}: {said if _HELP in said else f'{_short(text)}: {_HELP}'}"
        ) from None


def _law(text: str) -> Law | None:
    """The law that a text states; None where it states none."""
    if grows := _GROWS.fullmatch(text):
        metric = grows[1] or "work"
        if metric not in METRICS:
            raise InputError(f"{metric} grows: write {', '.join(METRICS)}; {_HELP}")
        return parse_law("", metric, f"O({grows[2].strip()})")
    if bound := _BOUND.fullmatch(text):
        return parse_law("", bound[1], bound[2])
    return None


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= 60 else plain[:57] + "..."


def owner(
    statement: Statement, text: str, functions: Sequence[tuple[str, int]], loops: Sequence[int]
) -> Owner:
    """What a statement is about.

    Args:
        text: the source file.
        functions: name and line of each function of the file.
        loops: the lines of its loops.

    Raises:
        InputError: a law that is about nothing.
    """
    lines = text.splitlines()
    line, follows = statement.line, _next_code(statement, lines)
    law = statement.law
    if law is not None and (here := next((n for n in (line, follows) if n in loops), None)):
        return Owner("loop", line=here)
    if law is not None and law.metric == "iterations":
        raise InputError(f"{statement.at}: iterations: write it above a loop or on its line")
    around = [
        (first, name)
        for name, first in functions
        if first <= line <= _end(first, lines, statement.file)
    ]
    if around:
        return Owner("function", max(around)[1], max(around)[0])
    below = min(((first, name) for name, first in functions if first >= follows), default=None)
    if below is not None and not _NO_HEAD.search("\n".join(lines[follows - 1 : below[0] - 1])):
        return Owner("function", below[1], below[0])
    if law is not None:
        raise InputError(f"{statement.at}: no function follows; write the law above a function")
    return Owner("file")


def _next_code(statement: Statement, lines: Sequence[str]) -> int:
    """The next line that is neither empty nor a comment."""
    mark = "!" if _is_fortran(statement.file) else ("//", "/*", "*")
    for k in range(statement.until, len(lines)):
        if (plain := lines[k].strip()) and not plain.startswith(mark):
            return k + 1
    return len(lines) + 1


def _end(first: int, lines: Sequence[str], file: str) -> int:
    """The last line of the function that begins at a line."""
    if _is_fortran(file):
        depth = 0
        for k in range(first - 1, len(lines)):
            if _END.match(lines[k]):
                depth -= 1
            elif _BEGIN.match(lines[k]):
                depth += 1
            if depth == 0:
                return k + 1
        return len(lines)
    text, depth = "\n".join(lines[first - 1 :]), 0
    for m in _C.finditer(text):
        if m["brace"]:
            depth += 1 if m["brace"] == "{" else -1
            if depth == 0:
                return first + text.count("\n", 0, m.start())
    return len(lines)


def _is_fortran(file: str) -> bool:
    return file.lower().endswith(FORTRAN)
