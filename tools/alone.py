"""Runs a command as on a machine with one compiler, or with none.

    python3 -m tools.alone clang-14 make test
    python3 -m tools.alone none make setup test demo
    python3 -m tools.alone --clone /tmp/clean --bare none make setup test demo

PATH becomes one folder of links to all programs but those that compile to LLVM IR, or link it:
clang, clang++, clang-N, flang, llvm-*, opt, llc, lld, zig and the like, of every version but the
one named. Where the kernel lets it (`unshare --map-root-user --mount`), an empty folder is mounted
over every other /usr/lib/llvm-N too, so that no library or header of those is found either.
`--bare` also hides what a machine without any compiler lacks: gcc, cc, ld, as, mpicc, rustc and
their kin. The links stay in build/alone, since a virtual environment made there points to them.
Caches start empty. `--clone FOLDER` clones the repository to a new folder and runs
there. The zig of the ziglang wheel is part of the Python environment and stays.

Needs nothing but python3.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LLVM = Path("/usr/lib")
_LLVM_TOOL = re.compile(
    r"(clang|clang\+\+|clang-cpp|clang-[a-z-]+|flang|flang-new|bbc|tco|fir-opt|mlir-[a-z-]+|opt|llc"
    r"|lli|lld|lld-link|ld\.lld|ld64\.lld|wasm-ld|llvm-[A-Za-z_0-9+-]+?|zig|scan-build[a-z-]*)"
    r"(-\d+)?"
)
_OTHER_COMPILER = re.compile(
    r"(.*-)?(gcc|g\+\+|cpp|gfortran|cc|c\+\+|c89|c99|ld|ld\.bfd|ld\.gold|as|ar|nm|ranlib|gcov)"
    r"(-gcc|-ar|-nm|-ranlib|-tool|-dump)?(-\d+)?|mpi.*|hydra.*|rustc|cargo|rustup|tcc|icx|ifx"
)


def _hidden(name: str, kept: str, bare: bool) -> bool:
    """Is a program of this name one that the machine would not have?"""
    tool = _LLVM_TOOL.fullmatch(name)
    if tool:
        version = (tool.group(2) or "")[1:]
        return kept == "none" or version != kept.removeprefix("clang-")
    return bare and _OTHER_COMPILER.fullmatch(name) is not None


def link_programs(folder: Path, path: str, kept: str, *, bare: bool = False) -> None:
    """Fill a folder with links to the programs of PATH that the machine would have."""
    folder.mkdir(parents=True, exist_ok=True)
    for link in folder.iterdir():
        link.unlink()
    for directory in path.split(os.pathsep):
        if not os.path.isdir(directory):
            continue
        for entry in os.scandir(directory):
            link = folder / entry.name
            if not _hidden(entry.name, kept, bare) and not link.is_symlink():
                link.symlink_to(entry.path)


def _others(kept: str) -> list[Path]:
    """Folders of LLVM's versions that the machine would not have."""
    number = kept.removeprefix("clang-")
    return [f for f in sorted(LLVM.glob("llvm-*")) if f.name != f"llvm-{number}"]


def _in_namespace(command: Sequence[str], empty: Path, hidden: Iterable[Path]) -> list[str]:
    """The command with empty folders over others, else as it is where the kernel refuses."""
    enter = ["unshare", "--map-root-user", "--mount"]
    try:
        done = subprocess.run([*enter, "mount", "--bind", str(empty), str(empty)], check=False)
        allowed = done.returncode == 0
    except OSError:
        allowed = False
    hidden = list(hidden)
    if not allowed or not hidden:
        if hidden:
            print("alone: /usr/lib/llvm-* stays visible: no mounts allowed here", file=sys.stderr)
        return list(command)
    mounts = "".join(f"mount --bind '{empty}' '{folder}' && " for folder in hidden)
    return [*enter, "sh", "-c", f'{mounts}exec "$@"', "sh", *command]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python3 -m tools.alone")
    parser.add_argument("compiler", help='the compiler to keep, such as clang-14, or "none"')
    parser.add_argument("--bare", action="store_true", help="hide gcc, ld, mpicc and rustc too")
    parser.add_argument("--clone", type=Path, help="clone the repository to this new folder first")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    return parser


def main(arguments: Sequence[str]) -> int:
    """Run the command; its exit code."""
    options = _parser().parse_args(arguments)
    if not options.command:
        _parser().error("no command given")
    if options.clone:
        if options.clone.exists():
            _parser().error(f"{options.clone} exists; remove it or name another folder")
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(options.clone)], check=True)
    machine = ROOT / "build" / "alone" / (options.compiler + "-bare" * options.bare)
    link_programs(machine, os.environ["PATH"], options.compiler, bare=options.bare)
    with tempfile.TemporaryDirectory(prefix="looplaw-alone-") as name:
        folder = Path(name)
        for part in ("cache", "empty"):
            (folder / part).mkdir()
        environment = {k: v for k, v in os.environ.items() if not k.startswith("LOOPLAW_")}
        for unwanted in ("VIRTUAL_ENV", "PYTHONPATH", "CC", "CXX", "ZIG_GLOBAL_CACHE_DIR"):
            environment.pop(unwanted, None)
        environment |= {"PATH": str(machine), "XDG_CACHE_HOME": str(folder / "cache")}
        hidden = _others(options.compiler)
        command = _in_namespace(options.command, folder / "empty", hidden)
        return subprocess.run(
            command, cwd=options.clone or None, env=environment, check=False
        ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
