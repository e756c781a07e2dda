"""Loops and programs of the table: what all builds and runs of a program say of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from .analysing import FORMULA

# From weak to strong. A parametric count is "data" when a mean or a fraction stands in it, which
# only a run can tell, else "value": then every symbol is a value of the program.
KINDS = ("unknown", "bounded", "data", "value", "exact")


@dataclass
class LoopRow:
    """One source loop of a program over all builds and runs."""

    kind: str = "exact"
    runs: int = 0
    executes: bool = False
    equal: bool = True  # the exact formula had a value, and it was the counted one, in every run
    one_count: bool = True  # at most one named count in each product
    per_entry: bool = True
    peer: dict[str, bool] = field(default_factory=dict)
    formula: str | None = None
    reason: str | None = None
    opaque: list[list[str]] = field(default_factory=list)
    causes: list[str] = field(default_factory=list)
    law: str | None = None  # its kind, where a study was made: exact, bound or counted
    law_formula: str | None = None
    law_is_swept: bool = False  # no named count remains in it

    @property
    def is_named(self) -> bool:
        """Is its total exact, or a formula over named values, perhaps bound by observation?"""
        return self.kind in ("exact", "value") or self.law in ("exact", "bound")

    @property
    def is_counted(self) -> bool:
        """The same, or a formula with a named count?"""
        return self.is_named or self.one_count

    @property
    def is_swept(self) -> bool:
        """Is its total known in the parameters that a user varies?"""
        bound = self.law in ("exact", "bound") and self.law_is_swept
        return bound or (self.kind == "exact" and self.equal)


@dataclass
class Row:
    """One program."""

    loops: dict[str, LoopRow] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    failed: list[str] = field(
        default_factory=list
    )  # the analysis ends with an exception or too late
    unusable: list[str] = field(default_factory=list)  # cannot be built or run
    modelled: set[str] = field(default_factory=set)  # loops of the library behind models
    missed: set[str] = field(default_factory=set)  # loops of the library that nothing stands for
    unlike: list[str] = field(default_factory=list)  # parametric counts that contradict each other
    builds: int = 0
    cpu_s: float = 0.0
    slowest_s: float = 0.0
    instructions: int = 0
    memory_mb: float = 0.0
    peer: bool = False
    asked: set[str] = field(default_factory=set)  # units of which the peer has seen a build


def restored(found: Mapping[str, Any]) -> Row:
    """A program's row from the document that --json writes."""
    row = Row()
    for field_ in fields(Row):
        value = found[field_.name]
        is_set = isinstance(getattr(row, field_.name), set)
        setattr(row, field_.name, set(value) if is_set else value)
    row.loops = {at: LoopRow(**loop) for at, loop in found["loops"].items()}
    return row


def held(
    loop: Mapping[str, Any], entry: LoopRow, number: int, run: Mapping[str, Any]
) -> str | None:
    """Hold the count of a loop in one run against its formula; what is wrong, or None. A run that
    breaks what the count assumes, a relation of parameters or that no error ends the program, says
    nothing about it."""
    n = run["counts"].get(loop["at"], 0)
    entry.runs += 1
    entry.executes |= n > 0
    if not loop["holds"][number] or (run["failed"] and loop["no_error"]):
        return None
    value, lower, upper = loop["values"][number]
    entry.equal &= loop["kind"] == "exact" and value == n
    if loop["kind"] == "exact" and value is not None and value != n:
        return f"{loop['formula'][:200]} = {value}, counted {n}"
    if (lower is not None and n < lower) or (upper is not None and n > upper):
        return f"{loop['kind']}, bounds [{lower}, {upper}], counted {n}"
    return None


def weaken(
    loop: Mapping[str, Any],
    entry: LoopRow,
    peers: Mapping[str, Mapping[str, bool]],
    short: Callable[[str], str],
) -> None:
    """Add one build's result of a loop to its row, which keeps the weakest of all builds."""
    if KINDS.index(loop["kind"]) < KINDS.index(entry.kind) or entry.formula is None:
        entry.formula = loop["formula"]
        entry.reason = loop["reason"] and short(loop["reason"])
        entry.opaque = [[short(m), short(at)] for m, at in loop["opaque"]]
        entry.causes = loop["causes"]
    entry.kind = min(entry.kind, loop["kind"], key=KINDS.index)
    entry.per_entry &= loop["per_entry"]
    entry.one_count &= loop["one_count"]
    for form, places in peers.items():
        # A loop that LLVM unrolled, deleted or turned into a call counts as one it can count.
        entry.peer[form] = places.get(loop["at"], form == "O1")
        entry.peer["gone"] = loop["at"] not in places


def unlike(loops: Sequence[dict[str, Any]], run: Mapping[str, Any]) -> list[str]:
    """Loops with the same parametric formula and different counts: a symbol had several values, or
    a formula is wrong."""
    if not run["good"]:
        return []
    groups: dict[str, dict[str, int]] = {}
    for loop in loops:
        if loop["kind"] in ("value", "data") and len(loop["formula"]) < FORMULA:
            groups.setdefault(loop["formula"], {})[loop["at"]] = run["counts"].get(loop["at"], 0)
    return [
        (f"{formula[:80]} is " + ", ".join(f"{n} at {at}" for at, n in counts.items()))[:400]
        for formula, counts in groups.items()
        if len(set(counts.values())) > 1
    ]
