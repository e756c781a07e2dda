"""Public suites of kernels: how many kernels are read, what laws their loops and accesses have, and
whether runs on this processor agree.

    python -m benchmarks.bench_suites FOLDER... [--only=-cuda,-hip] [--sample 40] [--seed 59]
        [--launches 4] [--no-runs] [--flag=-DX=1] [--json FILE]

Each folder holds a suite, each of its folders a program (the suite itself, where files of kernels
lie in it). `--only` keeps programs whose names end so, and `--sample` as many at random. Files are
compiled with the folders and definitions (-I, -D) that a Makefile beside them or above names, as a
user would type them, and OpenCL C with the definitions that the program's hosts hand to it. Files
of literals are put together as each host includes them, behind what a host includes alone (the text
that all begin with). With `--launches 0` kernels are read, and no laws are sought. A kernel is read
if any file of its program gives it laws. A loop is exact, bounded, named (a formula with values of
a run) or unknown by its work, depth and warps. The exit code is 1 if a law is wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from looplaw_common.errors import InputError
from staticana import canonical, compile_sources, parse_module
from staticana.frontend.gpu import kernels_in, options_of_hosts
from staticana.launch import kernels_of

from .bench_gpu import Row, rows_of

_SUFFIXES = (".cl", ".cu", ".hip", ".opencl", ".py")
_HEADERS = (".h", ".hpp", ".cuh", ".hh")
_MAKEFILES = ("Makefile", "makefile", "GNUmakefile", "Makefile_nvidia", "make.config")
_DEFINED = re.compile(
    r"\b(?:__global__|__kernel|kernel)\b[\w\s(),<>:]*?\bvoid\s+(?:(?:__launch_bounds__|[A-Z_]+)\s*\([^)]*\)\s*)?"
    r"(?:__attribute__\s*\(\(.*?\)\)\s*)?(\w+)\s*(?:<[^<>]*>)?\s*\([^;{]*\)\s*\{"
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_FLAG = re.compile(r"(?<!\S)-([ID])\s*([^\s\"'$`\\]+)")
_VARIABLE = re.compile(r"^\s*(\w+)\s*[:?]?=[ \t]*(\S+)[ \t]*$", re.M)
_USED = re.compile(r"\$[({](\w+)[)}]")
_INCLUDED = re.compile(r"^\s*#\s*include\s*\"([^\"]+)\"", re.M)
_HOSTS = (".c", ".cpp", ".cc", ".cxx")
_PART = re.compile(r"^\s*#\s*include\s*\"([^\"]+\.opencl)\"", re.M)
_KINDS = {"exact": "exact", "bounded": "bounded", "parametric": "named", "unknown": "unknown"}


@dataclass
class Program:
    """A program of a suite: the kernels that it defines, and what was found of them."""

    name: str
    defined: set[str] = field(default_factory=set)
    rows: list[Row] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)

    @property
    def read(self) -> set[str]:
        """The kernels that have laws."""
        return {row.kernel.partition("<")[0] for row in self.rows} & self.defined


def _programs(suite: Path, only: Sequence[str], sample: int | None, seed: int) -> list[Path]:
    """The folders of a suite's programs."""
    if any(f.suffix in _SUFFIXES for f in suite.iterdir()):
        return [suite]
    found = [
        folder
        for folder in sorted(suite.iterdir())
        if folder.is_dir()
        and (not only or folder.name.endswith(tuple(only)))
        and any(f.suffix in _SUFFIXES for f in folder.rglob("*"))
    ]
    if sample is None or sample >= len(found):
        return found
    return sorted(random.Random(seed).sample(found, sample))


def _text(file: Path) -> str:
    return _COMMENT.sub(" ", file.read_text(encoding="utf-8", errors="replace"))


def _flags(file: Path, root: Path) -> list[str]:
    """What a user types for a file: folders and definitions of Makefiles beside it and above."""
    found = [f"-I{file.parent}"]
    folder = file.parent
    while True:
        for name in _MAKEFILES:
            make = folder / name
            if make.is_file():
                for kind, value in _FLAG.findall(_expanded(make.read_text("utf-8", "replace"))):
                    found.append(f"-{kind}{folder / value if kind == 'I' else value}")
        if folder == root or folder.parent == folder:
            break
        folder = folder.parent
        found.append(f"-I{folder}")
    return list(dict.fromkeys(found))


def _expanded(text: str) -> str:
    """A Makefile with the values of its variables of one word."""
    values = dict(_VARIABLE.findall(text))
    return _USED.sub(lambda m: values.get(m[1], m[0]), text)


def _options(folder: Path) -> list[str]:
    """The definitions that hosts of a program hand to OpenCL's compiler."""
    hosts = [f for f in sorted(folder.rglob("*")) if f.suffix in _HOSTS and f.is_file()]
    flags = [f"-I{folder}", *{f"-I{h.parent}" for h in hosts}]
    return list(options_of_hosts(hosts, flags).every)


def _units(folder: Path, files: Sequence[Path]) -> Iterator[list[Path]]:
    """What is compiled together."""
    parts = {f for f in files if f.suffix == ".opencl"}
    yield from ([f] for f in files if f not in parts)
    texts: list[list[Path]] = []
    for host in (f for f in sorted(folder.rglob("*")) if parts and f.suffix in _HOSTS):
        ends = [name.lstrip("./") for name in _PART.findall(host.read_text("utf-8", "replace"))]
        own = [next((p for p in parts if str(p).endswith(f"/{end}")), None) for end in ends]
        texts.append([p for p in dict.fromkeys(own) if p is not None])
    common = [p for text in texts if len(text) == 1 for p in text if not _kernels(p)]
    for text in texts:
        if any(map(_kernels, text)):
            yield [*dict.fromkeys((*common, *text))]


def _kernels(file: Path) -> set[str]:
    """The kernels that a file defines."""
    if file.suffix in (".py", ".opencl", ".cl"):
        return set(kernels_in(file.read_text(encoding="utf-8", errors="replace")))
    return set(_DEFINED.findall(_text(file)))


def _read(files: Sequence[Path], flags: Sequence[str]) -> Iterator[Row]:
    """The kernels of a program without their laws."""
    file = files[-1]
    module = parse_module(canonical(compile_sources(files, flags=flags)))
    for symbol in kernels_of(module):
        name = module.metadata_field(module.functions[symbol].dbg, "name")
        yield Row(file.name, name or symbol)


def read_program(
    folder: Path, flags: Sequence[str], launches: int, seed: int, *, runs: bool
) -> Program:
    """Analyse all files of kernels of a program, and run the kernels."""
    files = sorted(f for f in folder.rglob("*") if f.suffix in _SUFFIXES and f.is_file())
    files = [f for f in files if f.suffix != ".py" or _kernels(f)]
    texts = {f: _text(f) for f in files}
    headers = (f for f in folder.rglob("*") if f.suffix in _HEADERS and f.is_file())
    program = Program(folder.name)
    for file in (*files, *headers):
        program.defined |= _kernels(file)
    has_text = any(f.suffix in (".cl", ".opencl") for f in files)
    options = [*_options(folder), *flags] if has_text else list(flags)
    parts = {Path(name).name for text in texts.values() for name in _INCLUDED.findall(text)}
    # files that others include come last: mostly their kernels are read by then
    units = list(_units(folder, files))
    for unit in sorted(units, key=lambda u: u[-1].name in parts):
        file = unit[-1]
        if file.name in parts and _kernels(file) <= program.read:
            continue
        try:
            given = (*_flags(file, folder), *options)
            found = (
                _read(unit, given)
                if launches == 0
                else rows_of(unit, given, launches, seed, runs=runs)
            )
            for row in found:
                if row.kernel not in {r.kernel for r in program.rows}:
                    program.rows.append(row)
        except InputError as error:
            program.failed[str(file.relative_to(folder))] = str(error)[:300]
    return program


def _shares(programs: Sequence[Program]) -> dict[str, Counter[str]]:
    rows = [row for p in programs for row in p.rows]
    loops, accesses, verdicts = Counter[str](), Counter[str](), Counter[str]()
    for row in rows:
        for kind, n in row.laws.items():
            what, _, kind = kind.partition(" ")
            if what in ("loop", "access"):
                (loops if what == "loop" else accesses)[_KINDS.get(kind, kind)] += n
        verdicts += row.verdicts
    return {"loops": loops, "accesses": accesses, "comparisons": verdicts}


def _line(programs: Sequence[Program], name: str) -> str:
    defined, read = (sum(len(getattr(p, a)) for p in programs) for a in ("defined", "read"))
    shares = _shares(programs)
    parts = [f"{name}: kernels read {read} of {defined}"]
    for what, counts in shares.items():
        parts.append(f"{what} " + ", ".join(f"{n} {kind}" for kind, n in sorted(counts.items())))
    loops = shares["loops"]
    told = loops.total() - loops["unknown"] - loops["bounded"]
    if loops:
        parts.append(f"loop laws exact or named {told / loops.total():.0%}")
    parts.append(f"wrong {shares['comparisons']['wrong']}")
    return "; ".join(parts)


def _reports(programs: Sequence[Program]) -> Iterator[str]:
    for program in programs:
        for row in program.rows:
            for text in row.wrong[:4]:
                yield f"  WRONG {row.file} {row.kernel} {text}"
            if row.not_run:
                yield f"  {program.name} {row.kernel} not run: {row.not_run}"
        if program.defined - program.read:
            yield f"  {program.name} not read: {', '.join(sorted(program.defined - program.read))}"
            yield from (f"    {file}: {why}" for file, why in program.failed.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=59)
    parser.add_argument("--launches", type=int, default=4)
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("--no-runs", action="store_true")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    only = tuple(part for part in given.only.split(",") if part)
    document: dict[str, object] = {}
    wrong = 0
    for suite in given.folders:
        programs: list[Program] = []
        for folder in _programs(suite.resolve(), only, given.sample, given.seed):
            program = read_program(
                folder, given.flag, given.launches, given.seed, runs=not given.no_runs
            )
            programs.append(program)
            print(_line([program], program.name), flush=True)
            for line in _reports([program]):
                print(line, flush=True)
        print(_line(programs, f"ALL {suite}"), flush=True)
        wrong += _shares(programs)["comparisons"]["wrong"]
        document[str(suite)] = {
            "programs": [p.name for p in programs],
            "defined": sum(len(p.defined) for p in programs),
            "read": sum(len(p.read) for p in programs),
            **{what: dict(counts) for what, counts in _shares(programs).items()},
            "kernels": [row.to_json() for p in programs for row in p.rows],
            "not_read": {p.name: p.failed for p in programs if p.failed},
        }
    if given.json:
        given.json.write_text(json.dumps(document, indent=1), encoding="utf-8")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
