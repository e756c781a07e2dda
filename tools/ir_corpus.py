"""Writes the corpus of IR by several compilers that tests/staticana/test_compilers.py reads.

    .venv/bin/python tools/ir_corpus.py [NAME...]

Compiles samples and test programs (or those whose file is called NAME) with every compiler
(clang-14, clang-16, clang-19, clang-22 and zig, all of which must be installed, and mpicc) and
writes tests/staticana/corpus/NAME.xz: the modules one after the other, each after a line that names
its compiler. Sources are named relative to the repository."""

from __future__ import annotations

import lzma
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from staticana.frontend.clang import Compiler, compile_flags, find_compiler

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "tests" / "staticana" / "corpus"
COMPILERS = ("clang-14", "clang-16", "clang-19", "clang-22", "zig")
MARK = "; ==== "
_RELATIVE = ("-fdebug-compilation-dir=.", "-Qn")
# the compiler's own headers, wherever it is installed
_FOREIGN = re.compile(r'"/[^"\n]*/(?=lib/include/|lib/clang/|ziglang/)')
_BASELINE = "--target=x86_64-linux-gnu"
_LIBRARY = re.compile(r"#include <(?!cstdio|cstdlib|cstdint)[a-z_]+>")
"""Headers of C++ whose IR is many times that of the program."""


def sources() -> list[Path]:
    """The programs of the corpus, relative to the repository."""
    found = [
        *sorted(ROOT.glob("samples/*/*.c")),
        *sorted(ROOT.glob("tests/programs/*.c")),
        *sorted(ROOT.glob("tests/programs/cxx/*.cc")),
        *sorted(ROOT.glob("tests/programs/compilers/*.c")),
        *(
            path
            for path in sorted(ROOT.glob("tests/programs/compilers/*.cc"))
            if not _LIBRARY.search(path.read_text())
        ),
    ]
    return [path.relative_to(ROOT) for path in found]


def modules(path: Path) -> dict[str, str]:
    """Compiler -> IR, of one file of the corpus."""
    text = lzma.decompress(path.read_bytes()).decode()
    parts = text.split(MARK)[1:]
    return {name: ir for name, _, ir in (part.partition("\n") for part in parts)}


def _compiled(source: Path, compiler: Compiler, out: Path) -> str:
    flags = [*compile_flags(compiler), *_RELATIVE]
    if "#pragma omp" in (ROOT / source).read_text():
        flags.append("-fopenmp")
    if "<mpi.h>" in (ROOT / source).read_text():
        shown = subprocess.run(["mpicc", "-show"], check=True, capture_output=True, text=True)
        flags += [word for word in shown.stdout.split() if word.startswith("-I")]
    if compiler.kind == "clang":
        flags.append(_BASELINE)
    command = [*compiler.for_source(source), *flags, str(source), "-o", str(out)]
    subprocess.run(command, check=True, cwd=ROOT, stderr=subprocess.DEVNULL)
    return _FOREIGN.sub('"', out.read_text()).replace(str(ROOT), ".")


def main(names: Sequence[str]) -> int:
    """Write the corpus; the exit code."""
    compilers: dict[str, Compiler] = {}
    for name in COMPILERS:
        os.environ["LOOPLAW_CC"] = name
        compilers[name] = find_compiler()
    CORPUS.mkdir(exist_ok=True)
    total = 0
    chosen = [source for source in sources() if not names or source.stem in names]
    with tempfile.TemporaryDirectory() as folder:
        for source in chosen:
            text = "".join(
                f"{MARK}{name}\n{_compiled(source, compiler, Path(folder) / 'a.ll')}"
                for name, compiler in compilers.items()
            )
            packed = lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)
            (CORPUS / f"{source.parent.name}-{source.stem}.xz").write_bytes(packed)
            total += len(packed)
    print(f"{len(chosen)} programs, {total / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
