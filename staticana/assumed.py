"""What kind of thing a count rests on, where, and the formula that a run checks.

The analysis notes its assumptions in words; here each is told apart by these words, so that readers
and tools need not.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

AssumptionKind = Literal[
    "arguments",
    "values",
    "no overflow",
    "aliasing",
    "allocation succeeds",
    "no throw",
    "no error exit",
    "inside objects",
    "way taken",
    "external function",
    "order of data",
    "threads",
    "other",
]
_WORDS: tuple[tuple[AssumptionKind, re.Pattern[str]], ...] = (
    (
        "arguments",
        re.compile(
            r"the program is called with \d+ arguments|argv\[\d+\] is a (?:decimal )?number"
            r"|argv\[\d+\] lies between |all processes have one command line"
        ),
    ),
    ("no overflow", re.compile(r"no (?:wrap-around|overflow)")),
    ("allocation succeeds", re.compile(r"allocations? succeeds?")),
    ("no throw", re.compile(r"no exception")),
    ("no error exit", re.compile(r"no error exit")),
    ("inside objects", re.compile(r"accesses .* stay inside their objects")),
    ("way taken", re.compile(r"the run (?:passes|does not end)")),
    (
        "external function",
        re.compile(
            r".* writes only what its arguments point to|\S+ does not write |\S+ returns$"
            r"|\d+ functions outside the program |code outside the program "
            r"|\S+ is exact where its result is whole"
        ),
    ),
    ("aliasing", re.compile(r".* has one value wherever it is used|.*\balias|.*\boverlap")),
    ("order of data", re.compile(r"offsets read .* do not decrease|the parts for which ")),
    (
        "threads",
        re.compile(
            r"every thread is|every team has|nested parallel regions|the program is serial"
            r"|the parallel regions|counts are"
        ),
    ),
)
MOST_OUTSIDE = 12
"""Functions outside the program that one count names for the same reason; more are a number, and
the notes of the analysis name them: those of a library's counts are the same, time and again."""
_OF_OUTSIDE = (
    ("return", re.compile(r"(?P<name>.+) returns")),
    (
        "write only what their arguments point to",
        re.compile(r"(?P<name>.+) writes only what its arguments point to"),
    ),
)
"""What functions outside the program are taken to do, and the words that say it of one."""
_FORMULA = re.compile(r".+ [<>]= [^<>=]+$")
_PLACE = re.compile(r"(?:at|in) (\S+:\d+:\d+)")


@dataclass(frozen=True)
class Assumption:
    """One assumption. at: file:line:column, formula: a relation that a run checks; None where there
    is none."""

    kind: AssumptionKind
    text: str
    at: str | None = None
    formula: str | None = None

    @property
    def is_ordinary(self) -> bool:
        """Is it no more than that main is called with its arguments?"""
        return self.kind == "arguments"

    def to_json(self) -> dict[str, str | None]:
        return {"kind": self.kind, "text": self.text, "at": self.at, "formula": self.formula}


@lru_cache(maxsize=1 << 14)
def assumption(text: str) -> Assumption:
    """The assumption that these words state."""
    place = _PLACE.search(text)
    at = None if place is None else place[1]
    for kind, words in _WORDS:
        if words.match(text):
            return Assumption(kind, text, at)
    if _FORMULA.match(text):
        return Assumption("values", text, at, text)
    return Assumption("other", text, at)


def beyond_arguments(texts: Iterable[str]) -> tuple[Assumption, ...]:
    """Those that are more than that main is called with its arguments."""
    return tuple(a for a in map(assumption, texts) if not a.is_ordinary)


def gathered(texts: Iterable[str]) -> tuple[tuple[str, ...], dict[str, frozenset[str]]]:
    """The texts with one line for many functions outside the program of which the same is said;
    and these functions, by what is said."""
    left = set(texts)
    among: dict[str, frozenset[str]] = {}
    for said, words in _OF_OUTSIDE:
        found = {text: m["name"] for text in left if (m := words.fullmatch(text)) is not None}
        if len(found) > MOST_OUTSIDE:
            among[said] = frozenset(found.values())
            left -= found.keys()
            left.add(f"{len(found)} functions outside the program {said}")
    return tuple(sorted(left)), among


def notes_of(among: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """The notes of an analysis that name the functions which `gathered` only numbers."""
    return tuple(
        f"functions outside the program that are taken to {said}: {', '.join(sorted(names))}"
        for said, names in sorted(among.items())
    )
