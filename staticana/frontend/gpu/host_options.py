"""What OpenCL's hosts hand to the compiler of kernels: the definitions in their texts.

A host writes "-D TILE=16", or prints " -DTILE=%d" with a number that its preprocessor knows. Both
are read from the host's text after its preprocessor. A number that only a run can tell is taken to
be ASSUMED, so that there are laws at all; who asks for them says so.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from looplaw_common.commands import answered, as_argument, text_of

from ..clang import find_compiler

_TIMEOUT_S = 120
"""Time that a compiler may take to put in the macros of a host."""
_LITERAL = r'"(?:[^"\\\n]|\\.)*"'
_TEXTS = re.compile(rf"(?:\bL|\bu8?)?{_LITERAL}(?:\s*{_LITERAL})*")
_DEFINITION = re.compile(r"(?<![\w-])-D\s*(?P<name>\w+)(?:=(?P<value>[^\s\"\\]*))?")
_PRINTED = re.compile(r"%[-+ #0-9.]*(?:hh|h|ll|l|z|j|t)?[diu]")
_CONVERSION = re.compile(r"%(?!%)[-+ #0-9.*]*(?:hh|h|ll|l|z|j|t|L)?[a-zA-Z]")
_COMPUTED = "?"
_GOES_ON = re.compile(r"\s*(?:<<|\+)")
"""Behind a text to which the host adds a value."""
_NUMBER = re.compile(r"[\s(]*(?:\([\w\s]+\))?\s*(-?\d+)[uUlL]*[\s)]*$")


ASSUMED = 16
"""The value of a definition that a host computes."""


@dataclass(frozen=True)
class HostOptions:
    """The definitions that hosts hand to the compiler of their kernels; assumed: those whose values
    a run of the host decides."""

    known: tuple[str, ...]
    assumed: tuple[str, ...]

    @property
    def every(self) -> tuple[str, ...]:
        """All of them, as flags."""
        return *self.known, *self.assumed


def options_of_hosts(hosts: Sequence[Path], flags: Sequence[str]) -> HostOptions:
    """The definitions of hosts, those left out that differ from place to place or that the user
    gives."""
    found: dict[str, set[str | None]] = {}
    for host in hosts:
        raw = host.read_text(encoding="utf-8", errors="replace")
        if "-D" in raw and "cl" in raw:
            for name, value in _definitions(_preprocessed(host, raw, flags)):
                found.setdefault(name, set()).add(value)
    given = {flag[2:].partition("=")[0] for flag in flags if flag.startswith("-D")}
    known, assumed = list[str](), list[str]()
    for name, values in found.items():
        values = values - {_COMPUTED} or {_COMPUTED}
        if len(values) != 1 or name in given:
            continue
        (value,) = values
        if value == _COMPUTED:
            assumed.append(f"-D{name}={ASSUMED}")
        else:
            known.append(f"-D{name}" + ("" if value is None else f"={value}"))
    return HostOptions(tuple(known), tuple(assumed))


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
    """(name, value) of each definition; None: no value; _COMPUTED: a number that is not known."""
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
                yield d["name"], _argument(text, m.end(), at) or _COMPUTED
            elif "%" not in value:
                is_open = not value and d.end() == len(literal) and _GOES_ON.match(text, m.end())
                if value or is_open:
                    yield d["name"], value or _COMPUTED


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
