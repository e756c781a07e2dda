"""The kernel as LLVM IR: made once from the C files beside this one, the same for every processor.

`make setup` and what builds a distribution write it beside the sources; where it is missing, the
first fit makes it. The file's name tells the sources it was made from. Vectors are eight doubles
wide whatever the processor has, no operation is reordered or contracted, and no header or function
of a system is used but for memory, so that every compiler makes a kernel of the same answers.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from looplaw_common.errors import RunError
from looplaw_common.files import replacing

FOLDER = Path(__file__).parent
_MODULE = "module.c"
_OLDEST, _NEWEST = 14, 22
"""Versions of clang whose bitcode the oldest llvmlite that we take can read."""
_FLAGS = (
    *("-target", "x86_64-linux-gnu", "-std=c11", "-ffreestanding", "-fPIC", "-g0", "-w"),
    *("-ffp-contract=off", "-fno-math-errno", "-fno-stack-protector", "-fno-sanitize=all"),
    *("-mavx512f", "-mprefer-vector-width=512"),  # vectors are passed as such, not in memory
    *("-O2", "-fno-unroll-loops", "-fno-vectorize", "-emit-llvm", "-c"),
)
"""Loops are vectors already; unrolled, they take twice as long to compile and run no faster."""
_COMPILE_S = 120.0


@cache
def name() -> str:
    """The name of the IR's file: by the content of its sources."""
    digest = hashlib.sha256(" ".join(_FLAGS).encode())
    for source in sorted((*FOLDER.glob("*.c"), *FOLDER.glob("*.h"))):
        digest.update(source.read_bytes())
    return f"kernel-{digest.hexdigest()[:16]}.bc"


def compiler() -> Sequence[str] | None:
    """The words that call a clang that can make it: of PATH, or of the ziglang wheel."""
    return next(_compilers(), None)


def _compilers() -> Iterator[Sequence[str]]:
    from looplaw_common.commands import answered, package_folder, text_of, tool

    names = ("clang", *(f"clang-{n}" for n in range(_NEWEST, _OLDEST - 1, -1)))
    for path in filter(None, map(tool, names)):
        said = re.search(r"clang version (\d+)", text_of(answered([path, "--version"]).stdout))
        if said is not None and _OLDEST <= int(said[1]) <= _NEWEST:
            yield (path,)
    folder = package_folder("ziglang")
    if folder is not None and (zig := tool(str(folder / "zig"))) is not None:
        yield zig, "cc"


def write(target: Path) -> None:
    """Make the IR and write it there.

    Raises:
        RunError: there is no clang, or it fails.
        OSError: the file cannot be written.
    """
    from looplaw_common.commands import answered, text_of  # most find it made

    command = compiler()
    if command is None:
        raise RunError(
            "fitting needs its kernel, which a clang compiles once: install clang, or type"
            " pip install ziglang"
        )
    with replacing(target) as temporary:
        words = [*command, *_FLAGS, "-o", str(temporary), str(FOLDER / _MODULE)]
        done = answered(words, timeout_s=_COMPILE_S)
        if done.returncode != 0 or not temporary.exists():
            said = text_of(done.stderr).strip().splitlines()
            raise RunError(
                f"{command[0]} does not compile the kernel of fits: {(said or ['it fails'])[0]}"
            )


def write_beside() -> Path:
    """Make the IR beside its sources, where it is not there yet, and remove those of others.

    Raises:
        RunError: as `write`.
        OSError: as `write`.
    """
    path = FOLDER / name()
    if not path.exists():
        write(path)
    for other in FOLDER.glob("kernel-*.bc"):
        if other != path:
            other.unlink()
    return path
