"""The programs whose times `bench_time` predicts: the samples, PolyBench, and some of its own.

Each is run for one parameter `n`. PolyBench's sizes are macros; they are set to the first word of
the command line, so that one executable runs for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from looplaw.settings.settings import Settings

_OWN = Path(__file__).parent
_SAMPLES = _OWN.parent.parent / "samples"
_STEPS = ("TSTEPS", "TMAX")
_FEW = "4"
"""Time steps, which take no part in the growth."""


@dataclass(frozen=True)
class TimedProgram:
    """A program run for one parameter.

    settings: sources, flags and command line; its `vary` is empty. name: of the parameter.
    doubling: is 4 times the work two more, as of an exponent of two? first: the smallest value
    that makes sense.
    """

    title: str
    group: str
    settings: Settings
    name: str = "n"
    doubling: bool = False
    first: int = 16

    def times(self, value: int, factor: int) -> int:
        """The value for `factor` (a power of two) times the size."""
        return value + factor.bit_length() - 1 if self.doubling else value * factor


def own_programs() -> Iterator[TimedProgram]:
    """Programs of this folder."""
    for source in sorted(_OWN.glob("*.c")):
        yield TimedProgram(f"own/{source.stem}", "own", Settings((source,), {}))


def samples() -> Iterator[TimedProgram]:
    """The samples that one processor runs."""
    for name, words in (
        ("lu", ("{n}",)),
        ("matmul", ("{n}", "{n}", "{n}")),
        ("mergesort", ("{n}",)),
        ("nbody", ("{n}",)),
        ("stencil", ("{n}", "10")),
        ("trsv", ("{n}",)),
        ("cg", ("{n}", "10")),
    ):
        yield TimedProgram(f"samples/{name}", "samples", Settings(_sources(name), {}, args=words))
    for name, words in (("fft", ("{m}",)), ("ep", ("{m}", "1", "8"))):
        settings = Settings(_sources(name), {}, args=words)
        yield TimedProgram(f"samples/{name}", "samples", settings, "m", doubling=True, first=8)


def _sources(sample: str) -> tuple[Path, ...]:
    return (_SAMPLES / sample / f"{sample}.c",)


def polybench(root: Path, scratch: Path) -> Iterator[TimedProgram]:
    """The kernels of PolyBench/C 4.2.1 below `root`; sources that name a size outside of main are
    copied to `scratch` and name their argument instead."""
    utilities = root / "utilities"
    for line in (utilities / "benchmark_list").read_text().split():
        source = (root / line).resolve()
        macros = dict.fromkeys(
            re.findall(
                r"#\s*define\s+([A-Z]+)\s+\d+\s*$", source.with_suffix(".h").read_text(), re.M
            )
        )
        flags = ["-I", str(utilities), "-I", str(source.parent), "-DPOLYBENCH_USE_C99_PROTO"]
        for macro in macros:
            flags.append(f"-D{macro}={_FEW if macro in _STEPS else 'atoi(argv[1])'}")
        text = source.read_text()
        mended = text.replace("(DATA_TYPE)N", "(DATA_TYPE)n")
        if mended != text:
            source = scratch / source.name
            source.write_text(mended)
        settings = Settings(
            (source, utilities / "polybench.c"),
            {},
            {"n": "argv[1]"},
            args=("{n}",),
            flags=tuple(flags),
        )
        yield TimedProgram(f"polybench/{source.stem}", "polybench", settings)
