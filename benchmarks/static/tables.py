"""The table of all programs, and why loops have no exact count."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from .rows import KINDS, Row

_PLACE = re.compile(r"[^\s(]*?:\d+:\d+|[^\s(]+:%[^\s)]+")


def shares(rows: Sequence[Row]) -> dict[str, Any]:
    """One line of the table."""
    loops = [entry for row in rows for entry in row.loops.values()]
    run = [entry for entry in loops if entry.executes]
    kinds = Counter(entry.kind for entry in run)

    def share(n: int) -> float | None:
        return n / len(run) if run else None

    peer = all(row.peer for row in rows if row.builds)
    return {
        "loops": len(loops),
        "executing": len(run),
        **{k: share(kinds[k]) for k in reversed(KINDS)},
        "named": share(sum(e.is_named for e in run)),
        "with_counts": share(sum(e.is_counted for e in run)),
        "swept": share(sum(e.is_swept for e in run)),
        "counted": share(sum(e.law == "counted" and not e.is_named for e in run)),
        "modelled": sum(len(r.modelled) for r in rows),
        "missed": sum(len(r.missed) for r in rows),
        "equal": share(sum(e.kind == "exact" and e.equal for e in run)),
        "per_entry": share(sum(e.per_entry for e in run)),
        "llvm": share(sum(e.peer.get("canonical", False) for e in run)) if peer else None,
        "llvm_O1": share(sum(e.peer.get("O1", False) for e in run)) if peer else None,
        "gone_at_O1": share(sum(e.peer.get("gone", False) for e in run)) if peer else None,
        "wrong": sum(len(r.wrong) for r in rows),
        "builds": sum(r.builds for r in rows),
        "instructions": sum(r.instructions for r in rows),
        "cpu_s": sum(r.cpu_s for r in rows),
        "slowest_s": max((r.slowest_s for r in rows), default=0.0),
        "memory_mb": max((r.memory_mb for r in rows), default=0.0),
    }


_COLUMNS = (
    ("exact", "exact", 6),
    ("equal", "equal", 6),
    ("value", "value", 6),
    ("data", "data", 5),
    ("bounded", "bound.", 7),
    ("unknown", "unkn.", 6),
)
_LAWS = (
    ("named", "named", 6),
    ("with_counts", "+one", 5),
    ("swept", "swept", 6),
    ("counted", "count.", 7),
)
_PEER = (("per_entry", "entry", 6), ("llvm", "llvm", 6), ("llvm_O1", "-O1", 5))


def head() -> str:
    def titles(columns: Sequence[tuple[str, str, int]]) -> str:
        return "".join(f"{title:>{width}}" for _, title, width in columns)

    return (
        f"{'program':<10}{'loops':>6}{'run':>5} |{titles(_COLUMNS)}{'wrong':>6} |"
        f"{titles(_LAWS)} |{'lib.':>5}{'miss':>5} |{titles(_PEER)} |"
        f"{'instr.':>8}{'CPU s':>7}{'MB':>5}"
    )


def line_of(name: str, s: Mapping[str, Any]) -> str:
    def percents(columns: Sequence[tuple[str, str, int]]) -> str:
        return "".join(
            f"{'-' if s[key] is None else f'{100 * s[key]:.0f}%':>{width}}"
            for key, _, width in columns
        )

    return (
        f"{name:<10}{s['loops']:>6}{s['executing']:>5} |{percents(_COLUMNS)}{s['wrong']:>6}"
        f" |{percents(_LAWS)} |{s['modelled']:>5}{s['missed']:>5}"
        f" |{percents(_PEER)} |{s['instructions']:>8}{s['cpu_s']:>7.1f}{s['memory_mb']:>5.0f}"
    )


def reasons(rows: Mapping[str, Row]) -> str:
    """Why executing loops have no exact count, most frequent first: by reason, by opaque symbol, by
    the loop to blame."""
    titles = (
        "kind value or data: reason",
        "kind value or data: meaning of the opaque symbols",
        "unknown or bounded: reason",
        "loops that others wait for (with themselves), and what their exits rest on",
        "what the exits of loops without a count of their own rest on",
    )
    tables: dict[str, dict[str, list[str]]] = {title: {} for title in titles}
    causes = {
        f"{name}:{at.partition(':')[2]}": entry.causes
        for name, row in rows.items()
        for at, entry in row.loops.items()
    }
    for name, row in rows.items():
        for at, entry in row.loops.items():
            if not entry.executes or entry.kind == "exact":
                continue
            place, reason = f"{name}:{at.partition(':')[2]}", entry.reason or "no reason is given"
            table = tables[titles[0] if entry.kind in ("value", "data") else titles[2]]
            table.setdefault(
                "it contains ..." if reason.startswith("it contains ") else _shape(reason), []
            ).append(place)
            for meaning in sorted({_shape(m) for m, _ in entry.opaque}):
                tables[titles[1]].setdefault(meaning, []).append(place)
            named = {
                p
                for text in (reason, *(meaning for meaning, _ in entry.opaque))
                for p in _PLACE.findall(text)
            }
            for blamed in sorted(f"{name}:{p}" for p in named):
                why = "; ".join(causes.get(blamed, ()))
                tables[titles[3]].setdefault(f"{blamed} [{why}]", []).append(place)
            if place.partition(":")[2] in reason:  # the loop itself is the cause
                for cause in entry.causes:
                    tables[titles[4]].setdefault(cause, []).append(place)
    text = []
    contradictions = [text for row in rows.values() for text in row.unlike]
    if contradictions:
        text += [
            (
                "\nsame parametric formula, different counts (a symbol with several values, or a"
                " wrong formula)"
            ),
            *(f"        {line}" for line in contradictions),
        ]
    for title, table in tables.items():
        if not table:
            continue
        text.append(f"\n{title}")
        text += [
            f"{len(places):>6}  {reason[:400]}  e.g. {', '.join(_spread(places))}"
            for reason, places in sorted(table.items(), key=lambda item: (-len(item[1]), item[0]))
        ]
    return "\n".join(text)


def _shape(reason: str) -> str:
    """The reason without its source location."""
    return _PLACE.sub("PLACE", reason)


def _spread(places: Sequence[str]) -> list[str]:
    return [places[k] for k in sorted({0, len(places) // 2, len(places) - 1})]


def print_row(name: str, row: Row) -> None:
    """A program's line, and below it what is wrong."""
    print(line_of(name, shares([row])), flush=True)
    for text in row.wrong:
        print(f"  WRONG COUNT {text}", flush=True)
    for text in row.failed:
        print(f"  ANALYSIS FAILED {text}", flush=True)
    if row.unlike:
        print(
            f"  {len(row.unlike)} parametric formulas stand at loops with different counts; see"
            " --reasons"
        )
    for text in row.unusable:
        print(f"  not checked: {text}", flush=True)


LEGEND = """\
Shares of the loops that run. equal: exact and as counted in every run (else a parameter has no
known value); value: a formula in named values of the program; data: one with means or fractions,
which only a run can tell. named: exact, value, or a law of a short study that runs bound to its
parameters; +one: also formulas with one count in a product that a run tells and that has a name
(iterations_45); swept: named without a count that is left; count.: the others with a formula found
in their counts alone. lib.: loops of the C++ library that run behind models of its
containers; miss: those that nothing stands for. entry: the iterations per entry are exact or of
kind value; compare with llvm: ScalarEvolution has a backedge-taken count, on the same IR and after
-O1 (counting the loops that vanish there). CPU s: parsing and analysis of all builds; MB: the
largest."""
