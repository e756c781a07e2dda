"""`make fuzz`: random functions and random whole programs, analysed from the IR of each compiler
and held against counts of our own. Prints for each family how many loops have an exact total, how
many are refused and how many are wrong, and why; every wrong count as a minimal program (with
--keep, as a test in a folder). Exit code 1 if there is one."""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from looplaw_common.errors import LooplawError
from staticana import Compiler
from staticana.frontend.clang import usable_compilers

from . import hunt, shrink
from .deceive import Judged, batches, judge
from .deceive import draw as draw_programs
from .families import FAMILIES, Program

_KINDS = ("exact", "parametric", "bounded", "unknown", "none", "failure")
_EACH = 3  # minimal programs of one sort of mistake
_OF_LOOPS = 4  # functions of loops that are drawn for each program of the families


@dataclass
class Tally:
    """What was found; `kinds` and `wrong` by family, `reasons` why counts are not exact."""

    kinds: dict[str, Counter[str]] = field(default_factory=dict)
    wrong: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    programs: Counter[str] = field(default_factory=Counter)
    compared: int = 0
    shown: list[str] = field(default_factory=list)
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, family: str, kind: str, reason: str, compared: int) -> None:
        self.kinds.setdefault(family, Counter())[kind] += 1
        self.compared += compared
        if kind != "exact" and reason:
            self.reasons[f"{family}: {_general(reason)}"] += 1

    def is_new(self, family: str, fault: str, most: int) -> bool:
        """Is a mistake of this sort to be made minimal?"""
        self.wrong[family] += 1
        self.faults[family, fault] += 1
        return self.faults[family, fault] <= _EACH and len(self.shown) < most


def _general(reason: str) -> str:
    return re.sub(r"\S*:\d+:\d+", "...", re.sub(r"\b_?[\w$]*k\d+_\w+", "f", reason))[:110]


def main(arguments: Sequence[str] | None = None) -> int:
    given = _options().parse_args(arguments)
    compilers = _compilers(given.compilers)
    families = [f for f in given.families.split(",") if f] if given.families else list(FAMILIES)
    loops = "loops" in families or not given.families
    families = [f for f in families if f != "loops"]
    tally = Tally()
    number = given.number
    of_loops = number * _OF_LOOPS // (_OF_LOOPS + 1) if loops and families else number * loops
    if families:
        _programs(draw_programs(number - of_loops, given.seed, families), compilers, given, tally)
    _functions(of_loops, compilers, given, tally)
    _print(tally, given, compilers)
    return 1 if tally.wrong else 0


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make fuzz ARGS=...", description=__doc__)
    parser.add_argument("--number", type=int, default=2000, help="functions and programs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--families", default="", help=f"loops, {', '.join(FAMILIES)}")
    parser.add_argument("--compilers", default="", help="as LOOPLAW_CC; all usable by default")
    parser.add_argument("--strict", action="store_true", help="as looplaw analyze --strict")
    parser.add_argument("--shrink", type=int, default=12, help="wrong programs to make minimal")
    parser.add_argument("--keep", type=Path, help="folder for minimal programs")
    parser.add_argument("--json", type=Path, help="file for the figures")
    parser.add_argument("--reasons", type=int, default=40, help="reasons to print")
    return parser


def _compilers(names: str) -> list[Compiler]:
    """The compilers asked for, else the oldest and the newest of this machine."""
    usable = usable_compilers()
    if not names:
        clangs = sorted((c for c in usable if c.kind == "clang"), key=lambda c: c.version)
        return list(dict.fromkeys([*clangs[:1], *clangs[-1:]] or usable[:1]))
    found = []
    for name in names.split(","):
        path = os.path.realpath(_which(name))
        same = [c for c in usable if c.kind == name or os.path.realpath(c.command[0]) == path]
        if not same:
            sys.exit(f"--compilers {name}: not usable; name some of clang-14, ..., zig")
        found += same[:1]
    return found


def _which(name: str) -> str:
    import shutil

    return shutil.which(name) or name


def _programs(
    programs: Sequence[Program],
    compilers: Sequence[Compiler],
    given: argparse.Namespace,
    tally: Tally,
) -> None:
    for some in batches(programs):
        # coroutines need a compiler that has them, and whose IR of them is read
        able = [c for c in compilers if not some[0].standard or c.version[0] >= 22]
        for judged in _judged(some, able, strict=given.strict) if able else ():
            tally.programs[judged.program.family] += 1
            for f in judged.findings:
                tally.add(judged.program.family, f.kind, f.reason, f.compared)
            if judged.wrong:
                worst = judged.wrong[0]
                if tally.is_new(judged.program.family, worst.sort, given.shrink):
                    compiler = next(c for c in able if str(c) == worst.compiler)
                    least, found = shrink.minimal(judged.program, worst.sort, compiler)
                    text = shrink.as_test(least, found)
                    suffix = "cc" if least.is_cxx else "c"
                    _show(tally, found.wrong or "", text, suffix, given)


def _judged(
    some: Sequence[Program], compilers: Sequence[Compiler], *, strict: bool
) -> list[Judged]:
    """The programs of one file; where one does not compile, each of them alone."""
    try:
        return judge(some, compilers, strict=strict)
    except (LooplawError, subprocess.CalledProcessError) as error:
        if len(some) > 1:
            return [j for p in some for j in _judged([p], compilers, strict=strict)]
        said = str(getattr(error, "stderr", "") or error).splitlines()[:1]
        print(f"left out: {some[0].family} {some[0].name}: {' '.join(said)}", file=sys.stderr)
        return []


def _functions(
    number: int, compilers: Sequence[Compiler], given: argparse.Namespace, tally: Tally
) -> None:
    cases = hunt.draw(number, given.seed)
    for compiler in compilers:
        for case, findings in hunt.judge(cases, compiler):
            tally.programs["loops"] += compiler is compilers[0]
            for f in findings:
                if f.shape != "work":
                    tally.add(
                        "loops", f.kind, f"{f.shape}: {f.reason}" * bool(f.reason), f.compared
                    )
            bad = hunt.complaint(findings)
            if bad is not None and tally.is_new("loops", bad.fault, given.shrink):
                _, found = hunt.minimal(case)
                comment, _, source = found.partition("\n// program\n")
                text = "".join(f"// {line}\n" for line in comment.splitlines())
                _show(tally, comment, text + source, "c", given)


def _show(tally: Tally, found: str, text: str, suffix: str, given: argparse.Namespace) -> None:
    if text in tally.shown:
        return
    tally.shown.append(text)
    print(f"---- wrong: {found}\n{text}", flush=True)
    if given.keep is not None:
        given.keep.mkdir(parents=True, exist_ok=True)
        (given.keep / f"fuzz_{given.seed}_{len(tally.shown)}.{suffix}").write_text(text)


def _print(tally: Tally, given: argparse.Namespace, compilers: Sequence[Compiler]) -> None:
    width = max(map(len, (*tally.kinds, "family")), default=6)
    print(f"{'family':{width}s}{'programs':>9s}{'loops':>8s}", end="")
    print("".join(f"{c:>11s}" for c in _KINDS) + f"{'% exact':>9s}{'wrong':>7s}")
    rows = [*sorted(tally.kinds), ""]
    whole = Counter[str]()
    for family in rows:
        counter = tally.kinds.get(family, whole)
        if family:
            whole.update(counter)
        wrong = tally.wrong[family] if family else tally.wrong.total()
        programs = tally.programs[family] if family else tally.programs.total()
        print(f"{family or 'all':{width}s}{programs:9d}{counter.total():8d}", end="")
        print("".join(f"{counter[c]:11d}" for c in _KINDS), end="")
        print(f"{100 * counter['exact'] / max(1, counter.total()):9.1f}{wrong:7d}")
    print("why not exact:")
    for reason, number in tally.reasons.most_common(given.reasons):
        print(f"{number:7d}  {reason}")
    print(
        f"{tally.programs.total()} functions and programs of seed {given.seed}, analysed from the"
        f" IR of {' and '.join(map(str, compilers))}: {whole.total()} loops, {tally.compared}"
        f" comparisons, {tally.wrong.total()} wrong"
    )
    if given.json is not None:
        document = {
            "format": "looplaw-fuzz/1",
            "seed": given.seed,
            "strict": given.strict,
            "compilers": list(map(str, compilers)),
            "programs": dict(tally.programs),
            "families": {f: dict(c) for f, c in tally.kinds.items()},
            "wrong": dict(tally.wrong),
            "comparisons": tally.compared,
        }
        given.json.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
