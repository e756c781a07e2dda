"""`make fuzz`: random functions and random whole programs, analysed from the IR of each compiler
and held against counts of our own. Prints for each family how many loops have an exact total, how
many are refused and how many are wrong, and why; every wrong count as a minimal program (with
--keep, as a test in a folder). Exit code 1 if there is one."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from looplaw_common.errors import LooplawError
from staticana import Compiler
from staticana.frontend.clang import usable_compilers
from tests.claims.truth import Source
from tests.staticana.frontend.test_openmp import missing_openmp

from . import hunt, shrink
from .deceive import Judged, batches, judge
from .deceive import draw as draw_programs
from .families import FAMILIES, OPENMP, Program
from .tally import Stretches, Tally, show

_OF_LOOPS = 1  # functions of loops that are drawn for each program of the families
_STRETCH = 216  # programs that are drawn, judged and written to the file together


def main(arguments: Sequence[str] | None = None) -> int:
    given = _options().parse_args(arguments)
    compilers = _compilers(given.compilers)
    settings = {
        "seed": given.seed,
        "strict": given.strict,
        "families": given.families,
        "stretch": _STRETCH,
        "compilers": list(map(str, compilers)),
    }
    found = Stretches.open(settings, given.json)
    for first in range(0, given.number, _STRETCH):
        name = f"{first} to {min(first + _STRETCH, given.number)}"
        if name not in found.done:
            tally = _stretch(range(first, min(first + _STRETCH, given.number)), compilers, given)
            found.add(name, tally)
            _progress(name, tally, Tally.sum(found.done.values()))
    tally = Tally.sum(found.done.values())
    show(tally, reasons=given.reasons, seed=given.seed, compilers=settings["compilers"])
    return 1 if tally.wrong else 0


def _stretch(numbers: range, compilers: Sequence[Compiler], given: argparse.Namespace) -> Tally:
    """Some programs of the families, and functions of loops."""
    families = [f for f in given.families.split(",") if f] if given.families else list(FAMILIES)
    with_loops = "loops" in families or not given.families
    families = [f for f in families if f != "loops"]
    tally = Tally()
    if not families:
        _functions(numbers, compilers, given, tally)
        return tally
    share = _OF_LOOPS + 1 if with_loops else 1
    _programs(_every(numbers, share, 0), families, compilers, given, tally)
    for rest in range(1, share):
        _functions(_every(numbers, share, rest), compilers, given, tally)
    return tally


def _every(numbers: range, share: int, rest: int) -> list[int]:
    """Those that leave a rest, numbered for themselves."""
    return [k // share for k in numbers if k % share == rest]


def _progress(name: str, tally: Tally, whole: Tally) -> None:
    print(
        f"{name}: {tally.loops} loops, {tally.wrong.total()} wrong; so far"
        f" {whole.functions} functions, {whole.wrong.total()} wrong",
        file=sys.stderr,
        flush=True,
    )


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make fuzz ARGS=...", description=__doc__)
    parser.add_argument("--number", type=int, default=2000, help="functions and programs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--families", default="", help=f"loops, {', '.join(FAMILIES)}")
    parser.add_argument("--compilers", default="", help="as LOOPLAW_CC; all usable by default")
    parser.add_argument("--strict", action="store_true", help="as looplaw analyze --strict")
    parser.add_argument("--shrink", type=int, default=12, help="wrong programs to make minimal")
    parser.add_argument("--keep", type=Path, help="folder for minimal programs")
    parser.add_argument(
        "--json",
        type=Path,
        help="file for the figures; a later run with it goes on where this one ended",
    )
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
    numbers: Sequence[int],
    families: Sequence[str],
    compilers: Sequence[Compiler],
    given: argparse.Namespace,
    tally: Tally,
) -> None:
    without = [c for c in compilers if "openmp" in families and missing_openmp(c) is not None]
    for c in without:
        print(f"openmp: not from the IR of {missing_openmp(c)}", file=sys.stderr)
    programs = draw_programs(numbers, given.seed, families)
    tally.functions += sum(len(Source(p.lines).functions) for p in programs)
    for some in batches(programs):
        # coroutines need a compiler that has them, and whose IR of them is read
        able = [c for c in compilers if not some[0].standard or c.version[0] >= 22]
        if some[0].flags == OPENMP:
            able = [c for c in able if missing_openmp(c) is None]
        for judged in _judged(some, able, strict=given.strict) if able else ():
            tally.programs[judged.program.family] += 1
            for f in judged.findings:
                tally.add(judged.program.family, f.kind, f.reason, f.compared)
            if judged.wrong:
                worst = judged.wrong[0]
                if tally.is_new(judged.program.family, worst.sort, given.shrink):
                    compiler = next(c for c in able if str(c) == worst.compiler)
                    least, found = shrink.minimal(judged.program, worst, compiler)
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
    numbers: Sequence[int], compilers: Sequence[Compiler], given: argparse.Namespace, tally: Tally
) -> None:
    cases = hunt.draw(numbers, given.seed)
    tally.functions += sum(c.functions for c in cases)
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
                _, found = hunt.minimal(case, compiler)
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


if __name__ == "__main__":
    sys.exit(main())
