"""What OpenCL's hosts hand to the compiler of kernels: the definitions in their texts.

A host writes "-D TILE=16", or prints " -DTILE=%d" with a number that its preprocessor knows. Both
are read from the host's text after its preprocessor; what only a run can tell is left out.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from looplaw_common.commands import answered, as_argument, text_of

from ..clang import find_compiler

_TIMEOUT_S = 120
_LITERAL = r'"(?:[^"\\\n]|\\.)*"'
_TEXTS = re.compile(rf"(?:\bL|\bu8?)?{_LITERAL}(?:\s*{_LITERAL})*")
_DEFINITION = re.compile(r"(?<![\w-])-D\s*(?P<name>\w+)(?:=(?P<value>[^\s\"\\]*))?")
_PRINTED = re.compile(r"%[-+ #0-9.]*(?:hh|h|ll|l|z|j|t)?[diu]")
_CONVERSION = re.compile(r"%(?!%)[-+ #0-9.*]*(?:hh|h|ll|l|z|j|t|L)?[a-zA-Z]")
_NUMBER = re.compile(r"[\s(]*(?:\([\w\s]+\))?\s*(-?\d+)[uUlL]*[\s)]*$")


def options_of_hosts(hosts: Sequence[Path], flags: Sequence[str]) -> tuple[str, ...]:
    """The definitions that hosts hand to the compiler of their kernels, those left out that differ
    from place to place or that the user gives."""
    found: dict[str, set[str | None]] = {}
    for host in hosts:
        raw = host.read_text(encoding="utf-8", errors="replace")
        if "-D" in raw and "cl" in raw:
            for name, value in _definitions(_preprocessed(host, raw, flags)):
                found.setdefault(name, set()).add(value)
    given = {flag[2:].partition("=")[0] for flag in flags if flag.startswith("-D")}
    options = []
    for name, values in found.items():
        if len(values) == 1 and name not in given:
            (value,) = values
            options.append(f"-D{name}" + ("" if value is None else f"={value}"))
    return tuple(options)


def _preprocessed(host: Path, raw: str, flags: Sequence[str]) -> str:
    """A host's text with its macros put in."""
    compiler = find_compiler()
    words = [*compiler.for_source(host), "-E", "-P", "-w", *flags, as_argument(host)]
    try:
        done = answered(words, timeout_s=_TIMEOUT_S)
    except (OSError, subprocess.TimeoutExpired):
        return raw
    return text_of(done.stdout) or raw  # also behind a header that is missing


def _definitions(text: str) -> Iterator[tuple[str, str | None]]:
    """(name, value) of each definition with a value that is known; None: no value."""
    for m in _TEXTS.finditer(text):
        if "-D" not in m[0]:
            continue
        literal = "".join(part[1:-1] for part in re.findall(_LITERAL, m[0]))
        for d in _DEFINITION.finditer(literal):
            value = d["value"]
            if value is None:
                yield d["name"], None
            elif _PRINTED.fullmatch(value):
                at = len(_CONVERSION.findall(literal[: d.start("value")]))
                number = _argument(text, m.end(), at)
                if number is not None:
                    yield d["name"], number
            elif value and "%" not in value:
                yield d["name"], value


def _argument(text: str, start: int, at: int) -> str | None:
    """The number that is handed over behind a text, `at` places further on, where it is one."""
    rest = text[start : start + 2000]
    parts, depth, last = [], 0, None
    for index, sign in enumerate(rest):
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        if depth < 0 or (sign == "," and depth == 0):
            if last is not None:
                parts.append(rest[last:index])
            last = index + 1
        if depth < 0:
            break
    found = _NUMBER.match(parts[at]) if at < len(parts) else None
    return found[1] if found else None
