"""Many whole programs in one module: compiled once by each compiler, taken apart again.

Each program's main is `{name}_main`; what belongs to a program is what its main, its constructors
and nothing else refer to.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from staticana import Compiler, canonical, parse_module
from staticana.frontend.clang import compiled_by
from staticana.ir.types import Function, Module

from .families import Program

_NAME = re.compile(r'@("[^"]+"|[-\w.$]+)')
_GLOBAL = re.compile(r'@("[^"]+"|[-\w.$]+) = ')
_CONSTRUCTOR = re.compile(r"\{ i32 \d+, ptr @[^}]*\}")


@dataclass(frozen=True)
class Batch:
    """Programs in one file, with the line before each begins."""

    programs: tuple[Program, ...]
    lines: tuple[str, ...]
    starts: tuple[int, ...]

    @classmethod
    def of(cls, programs: Sequence[Program]) -> Batch:
        headers = sorted({h for p in programs for h in p.includes})
        lines = [" ".join(["/* */"])] + [f"#include <{h}>" for h in headers]
        starts = []
        for p in programs:
            starts.append(len(lines))
            lines += p.lines
        return cls(tuple(programs), tuple(lines), tuple(starts))

    @property
    def suffix(self) -> str:
        return ".cc" if self.programs[0].is_cxx else ".c"

    @property
    def flags(self) -> tuple[str, ...]:
        standard = self.programs[0].standard or ("-std=c++17" if self.programs[0].is_cxx else "")
        return (
            *([standard] if standard else []),
            *self.programs[0].flags,
            "-D_GNU_SOURCE",
            "-fenable-matrix",
            "-Wno-everything",
        )

    def modules(self, compiler: Compiler, folder: Path) -> Iterator[Module]:
        """One module a program, with a main."""
        path = folder / f"program{self.suffix}"
        path.write_text("\n".join(self.lines) + "\n")
        module = parse_module(canonical(compiled_by(compiler, path, self.flags)))
        texts = module.text.splitlines()
        refers = {
            name: _names("\n".join(texts[f.line : f.end + 1]))
            for name, f in module.functions.items()
        } | {name: _names(g.initializer) for name, g in module.globals.items()}
        for program in self.programs:
            yield _part(module, texts, program.name, refers, whole=len(self.programs) == 1)


def _names(text: str) -> frozenset[str]:
    return frozenset(n.strip('"') for n in _NAME.findall(text))


def _part(
    module: Module,
    lines: Sequence[str],
    name: str,
    refers: Mapping[str, frozenset[str]],
    *,
    whole: bool,
) -> Module:
    """What one program consists of; its text has nothing but that on the same lines."""
    constructors = module.globals.get("llvm.global_ctors")
    work = [f"{name}_main"]
    kept = [] if constructors is None else _CONSTRUCTOR.findall(constructors.initializer)
    kept = [c for c in kept if whole or any(n.startswith(f"{name}_") for n in _names(c))]
    work += [n for c in kept for n in _names(c)]
    work += [n for n in module.globals if n == "llvm.global_dtors"]
    seen: set[str] = set(work)
    while work:
        for n in refers.get(work.pop(), frozenset()):
            if n not in seen:
                seen.add(n)
                work.append(n)
    functions = {n: f for n, f in module.functions.items() if n in seen}
    main = functions.pop(f"{name}_main")
    functions["main"] = _renamed(main)
    globals_ = {n: g for n, g in module.globals.items() if n in seen}
    if constructors is not None and kept:
        globals_["llvm.global_ctors"] = constructors._replace(initializer=f"[{', '.join(kept)}]")
    text = only(module, lines, seen | {"llvm.global_ctors"})
    for k, line in enumerate(text):
        if line.startswith("@llvm.global_ctors = "):
            text[k] = _constructors(line, kept)
    text[main.line] = re.sub(rf'@"?{name}_main"?\(', "@main(", text[main.line])
    return replace(module, functions=functions, globals=globals_, text="\n".join(text))


def only(module: Module, lines: Sequence[str], names: Container[str]) -> list[str]:
    """The lines of a module with nothing but these functions and variables, each where it was: what
    the analysis reads again must not bring back the others."""
    text = list(lines)
    for f in module.functions.values():
        if f.name not in names and not f.is_declaration:
            text[f.line : f.end + 1] = [""] * (f.end + 1 - f.line)
    for k, line in enumerate(text):
        found = _GLOBAL.match(line)
        if found and found[1].strip('"') not in names:
            text[k] = ""
    return text


def _constructors(line: str, kept: Sequence[str]) -> str:
    """The list of constructors with those that are kept."""
    listed = ", ".join(f"{{ i32, ptr, ptr }} {c}" for c in kept)
    kind = f"[{len(kept)} x {{ i32, ptr, ptr }}]"
    return f"{line.split(' = ')[0]} = appending global {kind} [{listed}]" if kept else ""


def _renamed(main: Function) -> Function:
    return replace(main, name="main")


def twin_main(batch: Batch) -> str:
    """The main of the twin: the program that TWIN_PROGRAM names."""
    c = 'extern "C" ' if batch.suffix == ".cc" else ""
    calls = "".join(
        f"    if (k == {k}) return {p.name}_main(argc, argv);\n"
        for k, p in enumerate(batch.programs)
    )
    return (
        f"{c}int main(int argc, char **argv) {{\n"
        '    int k = atoi(getenv("TWIN_PROGRAM"));\n'
        f"{calls}    return 0;\n}}\n"
    )


__all__ = ["Batch", "twin_main"]
