"""Source files -> one module of LLVM IR, and its canonical form.

Compilers: a clang on PATH whose LLVM is not newer than the one llvmlite carries, else the clang
inside the `ziglang` wheel, so that a machine with nothing but Python works. The flags keep loops
and names as they were written and leave simplification to the few passes of `canonical`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import llvmlite.binding as llvm

from looplaw_common.errors import InputError

from ..interprocedural.fortran_arguments import FORTRAN_FLAGS, loops_of_fortran
from .containers import with_containers_inlined
from .rust import RUST_FLAGS, loops_of_rust

IR_FLAGS = (
    "-O2",
    "-g",
    "-Xclang",
    "-disable-llvm-passes",
    "-fno-discard-value-names",
    "-S",
    "-emit-llvm",
)
C_SUFFIXES = frozenset((".c",))
CXX_SUFFIXES = frozenset((".cc", ".cpp", ".cxx", ".C", ".c++"))
IR_SUFFIXES = frozenset((".ll", ".bc"))
MAX_IR_BYTES = 1 << 30
_COMPILE_TIMEOUT_S = 600
_READING_S = 300
_NOT_IR = 3  # what `ir_reader` returns then
_OPTNONE = re.compile(r"(?m)^(attributes #\d+ = \{.*?)\boptnone ")
_CANDIDATES = ("clang", *(f"clang-{v}" for v in range(int(llvm.llvm_version_info[0]), 13, -1)))


@dataclass(frozen=True)
class Compiler:
    """A C and C++ compiler that writes LLVM IR. `kind` is "clang" or "zig"; `version` that of its
    LLVM."""

    command: tuple[str, ...]
    cxx: tuple[str, ...]
    kind: str
    version: tuple[int, ...]

    def for_source(self, path: Path) -> tuple[str, ...]:
        """The command for a file of this suffix."""
        return self.cxx if path.suffix in CXX_SUFFIXES else self.command

    def __str__(self) -> str:
        return f"clang {'.'.join(map(str, self.version))}" + (
            " (from the ziglang wheel)" if self.kind == "zig" else ""
        )


def _version(command: Sequence[str]) -> tuple[int, ...] | None:
    try:
        out = subprocess.run(
            [*command, "--version"], capture_output=True, text=True, timeout=60, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"clang version (\d+)\.(\d+)\.(\d+)", out)
    return tuple(int(g) for g in found.groups()) if found and "Apple" not in out else None


def find_compiler() -> Compiler:
    """The compiler that will be used; LOOPLAW_CC=zig or a path to a clang overrides the search.

    Raises:
        InputError: there is none, or the one asked for is unusable.
    """
    return _find(os.environ.get("LOOPLAW_CC", ""), os.environ.get("PATH", ""))


@lru_cache(maxsize=8)
def _find(wanted: str, path: str) -> Compiler:
    newest = int(llvm.llvm_version_info[0])
    if wanted != "zig":
        for name in (wanted,) if wanted else _CANDIDATES:
            found = shutil.which(name, path=path)
            version = _version([found]) if found else None
            if not found or not version or not 14 <= version[0] <= newest:
                continue
            # clang-14 pairs with clang++-14; where there is none, the driver itself compiles C++
            # but cannot link it.
            base = Path(found)
            partner = base.with_name(base.name.replace("clang", "clang++", 1))
            cxx = (str(partner),) if partner.exists() else (found, "--driver-mode=g++")
            return Compiler((found,), cxx, "clang", version)
        if wanted:
            raise InputError(
                f"LOOPLAW_CC={wanted}: not a clang with LLVM 14 to {newest}; unset it or name one"
            )
    if find_spec("ziglang") is not None:
        front = (sys.executable, "-m", "ziglang")
        version = _version([*front, "cc"])
        if version and version[0] <= newest:
            return Compiler((*front, "cc"), (*front, "c++"), "zig", version)
    raise InputError("no compiler found: install clang, or type: pip install 'looplaw[compiler]'")


def compile_flags(compiler: Compiler) -> tuple[str, ...]:
    """Flags that write IR as the analysis wants it."""
    return (*IR_FLAGS, *(("-fno-sanitize=undefined",) if compiler.kind == "zig" else ()))


def compile_source(path: Path, flags: Sequence[str] = ()) -> str:
    """Compile one file to IR text.

    Raises:
        InputError: the file does not exist, is of an unknown kind or does not compile; the first
            error is quoted.
    """
    if path.suffix in IR_SUFFIXES:
        return _read_ir(path)
    if path.suffix not in C_SUFFIXES | CXX_SUFFIXES | OTHERS.keys():
        raise InputError(
            f"{path}: unknown kind of file; give .c, .cc, .cpp, .cxx, {', '.join(OTHERS)}, .ll"
            " or .bc"
        )
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    if path.suffix in OTHERS:
        return OTHERS[path.suffix](path, flags)
    compiler = find_compiler()
    return _emitted(
        path,
        [*compiler.for_source(path), *compile_flags(compiler), *flags, str(path)],
        lambda stderr: _without_openmp(path, compiler, stderr),
    )


def _emitted(
    path: Path, command: Sequence[str], explain: Callable[[str], str | None] = lambda _: None
) -> str:
    """The IR that a compiler writes to the file after -o; `explain` may say more of what it
    complains about."""
    with tempfile.TemporaryDirectory(prefix="looplaw-") as folder:
        out = Path(folder) / "out.ll"
        try:
            done = subprocess.run(
                [*command, "-o", str(out)],
                capture_output=True,
                text=True,
                timeout=_COMPILE_TIMEOUT_S,
                check=False,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            raise InputError(
                f"{path}: the compiler took longer than {_COMPILE_TIMEOUT_S} s"
            ) from None
        if done.returncode != 0 or not out.exists():
            raise InputError(explain(done.stderr) or _first_error(path, done.stderr))
        return out.read_text(encoding="utf-8", errors="surrogateescape")


def _rust(path: Path, flags: Sequence[str]) -> str:
    """One .rs file, the root of its crate."""
    found = find_rustc()
    if found is None:
        raise InputError(f"{path}: no rustc found: apt install rustc, or rustup")
    text = _emitted(path, [found, "--edition=2021", *RUST_FLAGS, *flags, str(path)])
    try:
        return loops_of_rust(text, Path.cwd())
    except RuntimeError as error:
        raise InputError(
            f"{path}: rustc writes IR that LLVM {llvm.llvm_version_info[0]} does not read: "
            f"{' '.join(str(error).split())[:200]}"
        ) from None


def link_command(text: str, inputs: Sequence[str], folder: Path, *, cxx: bool = False) -> list[str]:
    """The command that links a program of this IR with its language's library, up to the -o.

    Raises:
        InputError: the language's compiler is missing.
    """
    if "DW_LANG_Rust" in text:
        rustc = find_rustc()
        if rustc is None:
            raise InputError("no rustc found to link a Rust program: apt install rustc, or rustup")
        stub = folder / "stub.rs"
        stub.write_text("#![no_main]\n", encoding="utf-8")
        return [
            rustc,
            "--crate-type=bin",
            str(stub),
            "-Cpanic=abort",
            *(f"-Clink-arg={word}" for word in inputs),
        ]
    if "DW_LANG_Fortran" in text:
        flang = find_flang()
        if flang is None:
            raise InputError("no flang found to link a Fortran program: apt install flang-19")
        return [flang, *inputs]
    compiler = find_compiler()
    return [*(compiler.cxx if cxx else compiler.command), *inputs]


def find_rustc() -> str | None:
    """The Rust compiler, where PATH or rustup has it."""
    return shutil.which("rustc") or shutil.which("rustc", path=str(Path.home() / ".cargo" / "bin"))


def find_flang() -> str | None:
    """The Fortran compiler, of an LLVM that llvmlite reads."""
    newest = int(llvm.llvm_version_info[0])
    names = [f"{name}-{v}" for v in range(newest, 17, -1) for name in ("flang", "flang-new")]
    return next(
        (path for name in ("flang", "flang-new", *names) if (path := shutil.which(name))), None
    )


def _fortran(path: Path, flags: Sequence[str]) -> str:
    found = find_flang()
    if found is None:
        raise InputError(f"{path}: no flang found: apt install flang-19")
    text = _emitted(path, [found, *FORTRAN_FLAGS, *flags, str(path)])
    try:
        return loops_of_fortran(str(llvm.parse_assembly(text)))
    except RuntimeError as error:
        raise InputError(
            f"{path}: flang writes IR that LLVM {llvm.llvm_version_info[0]} does not read: "
            f"{' '.join(str(error).split())[:200]}"
        ) from None


# Further languages: suffix -> path and flags to IR text.
OTHERS: dict[str, Callable[[Path, Sequence[str]], str]] = {
    ".rs": _rust,
    **dict.fromkeys((".f90", ".f95", ".f03", ".f08", ".f", ".for", ".F90", ".F"), _fortran),
}


def _without_openmp(path: Path, compiler: Compiler, stderr: str) -> str | None:
    """What to install when OpenMP's header or library is the thing that is missing."""
    if "'omp.h' file not found" not in stderr and "libomp" not in stderr:
        return None
    remedy = (
        f"install libomp-{compiler.version[0]}-dev"
        if compiler.kind == "clang"
        else "the ziglang wheel has none; install clang-19 and libomp-19-dev"
    )
    return f"{path}: the compiler has no OpenMP: {remedy}"


def _first_error(path: Path, stderr: str) -> str:
    lines = [line for line in stderr.splitlines() if "error:" in line or line.startswith("error[")]
    return (
        f"does not compile: {lines[0]}"
        if lines
        else f"{path}: does not compile: {stderr.strip()[-300:]}"
    )


def _read_ir(path: Path) -> str:
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    if path.stat().st_size > MAX_IR_BYTES:
        raise InputError(f"{path}: larger than {MAX_IR_BYTES >> 20} MiB")
    version = llvm.llvm_version_info[0]
    try:
        done = subprocess.run(
            [sys.executable, "-P", str(Path(__file__).with_name("read_ir.py")), str(path)],
            capture_output=True,
            check=False,
            timeout=_READING_S,
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"{path}: LLVM {version} does not come to an end over this file") from None
    if done.returncode == 0:
        return done.stdout.decode("utf-8", errors="surrogateescape")
    if done.returncode == _NOT_IR:
        said = " ".join(done.stderr.decode("utf-8", errors="replace").split())[:200]
        raise InputError(f"{path}: not LLVM IR that LLVM {version} reads: {said}")
    raise InputError(
        f"{path}: LLVM {version} breaks down over this file: it is damaged, or was not written by"
        " LLVM"
    )


def compile_sources(sources: Sequence[Path | str], *, flags: Sequence[str] = ()) -> str:
    """Compile files and link them into one module; returns its text, not yet canonical.

    Raises:
        InputError: no file given, a file is missing or does not compile, or the modules do not
            link.
    """
    if not sources:
        raise InputError("no program given: name a .c, .cc, .cpp, .ll or .bc file")
    with tempfile.TemporaryDirectory(
        prefix="looplaw-"
    ) as modules:  # what one Fortran file exports and another uses
        texts = [
            compile_source(
                path,
                (
                    (*flags, f"-J{modules}", f"-I{modules}")
                    if OTHERS.get(path.suffix) is _fortran
                    else flags
                ),
            )
            for path in map(Path, sources)
        ]
    if len(texts) == 1:
        return texts[0]
    first = llvm.parse_assembly(texts[0])
    for source, text in zip(sources[1:], texts[1:], strict=True):
        try:
            first.link_in(llvm.parse_assembly(text))
        except RuntimeError as error:
            raise InputError(
                f"{source}: does not link with {sources[0]}: {' '.join(str(error).split())}"
            ) from None
    return str(first)


def target_machine(
    module: llvm.ModuleRef, *, opt: int = 0, reloc: str = "default"
) -> llvm.TargetMachine:
    """The machine that a module is for (llvmlite sets up its targets at the first call)."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple = module.triple or llvm.get_default_triple()
    try:
        return llvm.Target.from_triple(triple).create_target_machine(opt=opt, reloc=reloc)
    except RuntimeError:
        raise InputError(f"IR for {triple}: this machine's LLVM has no such target") from None


def canonical(ir_text: str) -> str:
    """The form that every later stage works on: scalars in registers, loops with a preheader and
    one latch.

    The control flow is left as it was written: simplify_cfg would fold a break at the top of a body
    into the loop's test, and an iteration that starts and breaks would no longer be one.

    Raises:
        InputError: the text is not valid IR.
    """
    try:
        # -O0 marks functions so that no pass, not even promotion to registers, may touch them
        module = llvm.parse_assembly(with_containers_inlined(_OPTNONE.sub(r"\1", ir_text)))
        module.verify()
    except RuntimeError as error:
        raise InputError(f"not valid LLVM IR: {' '.join(str(error).split())[:200]}") from None
    builder = llvm.create_pass_builder(
        target_machine(module), llvm.create_pipeline_tuning_options(0)
    )
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.add_loop_simplify_pass()
    passes.add_lcssa_pass()
    passes.add_instruction_namer_pass()
    passes.run(module, builder)
    return str(module)
