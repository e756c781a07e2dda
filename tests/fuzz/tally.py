"""What a hunt found: figures by family, stretch by stretch, in a file that a later run goes on
with."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from looplaw_common.files import write_whole

KINDS = ("exact", "parametric", "bounded", "unknown", "none", "failure")
EACH = 3  # minimal programs of one sort of mistake
_KEPT_REASONS = 200  # of one stretch


@dataclass
class Tally:
    """What was found; `kinds` and `wrong` by family, `reasons` why counts are not exact."""

    kinds: dict[str, Counter[str]] = field(default_factory=dict)
    wrong: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    programs: Counter[str] = field(default_factory=Counter)
    functions: int = 0
    compared: int = 0
    shown: list[str] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)

    def add(self, family: str, kind: str, reason: str, compared: int) -> None:
        self.kinds.setdefault(family, Counter())[kind] += 1
        self.compared += compared
        if kind != "exact" and reason:
            self.reasons[f"{family}: {_general(reason)}"] += 1

    def is_new(self, family: str, fault: str, most: int) -> bool:
        """Is a mistake of this sort to be made minimal?"""
        self.wrong[family] += 1
        self.faults[f"{family}: {fault}"] += 1
        return self.faults[f"{family}: {fault}"] <= EACH and len(self.shown) < most

    @property
    def loops(self) -> int:
        return sum(c.total() for c in self.kinds.values())

    def document(self) -> dict[str, Any]:
        return {
            "programs": dict(self.programs),
            "functions": self.functions,
            "families": {f: dict(c) for f, c in self.kinds.items()},
            "wrong": dict(self.wrong),
            "faults": dict(self.faults),
            "comparisons": self.compared,
            "reasons": dict(self.reasons.most_common(_KEPT_REASONS)),
            "minimal": self.shown,
        }

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Tally:
        return cls(
            {f: Counter(c) for f, c in document["families"].items()},
            Counter(document["wrong"]),
            Counter(document["reasons"]),
            Counter(document["programs"]),
            document["functions"],
            document["comparisons"],
            list(document["minimal"]),
            Counter(document["faults"]),
        )

    @classmethod
    def sum(cls, some: Iterable[Tally]) -> Tally:
        whole = cls()
        for t in some:
            for family, kinds in t.kinds.items():
                whole.kinds.setdefault(family, Counter()).update(kinds)
            whole.wrong.update(t.wrong)
            whole.reasons.update(t.reasons)
            whole.programs.update(t.programs)
            whole.functions += t.functions
            whole.compared += t.compared
            whole.shown += t.shown
            whole.faults.update(t.faults)
        return whole


def _general(reason: str) -> str:
    return re.sub(r"\S*:\d+:\d+", "...", re.sub(r"\b_?[\w$]*k\d+_\w+", "f", reason))[:110]


@dataclass
class Stretches:
    """The tallies of a hunt, one a stretch of its programs, kept in a file after each."""

    settings: Mapping[str, Any]
    path: Path | None
    done: dict[str, Tally] = field(default_factory=dict)

    @classmethod
    def open(cls, settings: Mapping[str, Any], path: Path | None) -> Stretches:
        """Goes on with what the file holds: stretches without a wrong count are not done again."""
        if path is None or not path.exists():
            return cls(settings, path)
        document = json.loads(path.read_text())
        known = document.get("settings")
        if known != dict(settings):
            sys.exit(
                f"--json {path}: it holds a hunt with other settings, {known}; name a new file"
            )
        found = {k: Tally.read(t) for k, t in document["stretches"].items()}
        return cls(settings, path, {k: t for k, t in found.items() if not t.wrong})

    def add(self, name: str, tally: Tally) -> None:
        self.done[name] = tally
        if self.path is not None:
            document = {
                "format": "looplaw-fuzz/2",
                "settings": dict(self.settings),
                **Tally.sum(self.done.values()).document(),
                "stretches": {k: t.document() for k, t in self.done.items()},
            }
            write_whole(self.path, json.dumps(document, indent=1) + "\n")


def show(tally: Tally, *, reasons: int, seed: int, compilers: Sequence[str]) -> None:
    """The table, the reasons, and the figures in one line."""
    width = max(map(len, (*tally.kinds, "family")), default=6)
    print(f"{'family':{width}s}{'programs':>9s}{'loops':>8s}", end="")
    print("".join(f"{c:>11s}" for c in KINDS) + f"{'% exact':>9s}{'wrong':>7s}")
    whole = Counter[str]()
    for family in [*sorted(tally.kinds), ""]:
        counter = tally.kinds.get(family, whole)
        if family:
            whole.update(counter)
        wrong = tally.wrong[family] if family else tally.wrong.total()
        programs = tally.programs[family] if family else tally.programs.total()
        print(f"{family or 'all':{width}s}{programs:9d}{counter.total():8d}", end="")
        print("".join(f"{counter[c]:11d}" for c in KINDS), end="")
        print(f"{100 * counter['exact'] / max(1, counter.total()):9.1f}{wrong:7d}")
    print("why not exact:")
    for reason, number in tally.reasons.most_common(reasons):
        print(f"{number:7d}  {reason}")
    print(
        f"{tally.programs.total()} programs with {tally.functions} functions of seed {seed},"
        f" analysed from the IR of {' and '.join(compilers)}: {whole.total()} loops,"
        f" {tally.compared} comparisons, {tally.wrong.total()} wrong"
    )
