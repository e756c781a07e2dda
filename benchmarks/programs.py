"""The real programs of bench_static.py: their sources, a serial build, and small runs.

A folder named by an environment variable holds the program as its authors publish it (a clone of
its repository). In flags and arguments {root} is that folder, {work} a temporary copy or folder,
{mpi} mpicc's own flags.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

DATASETS = {
    "mini": ("-DMINI_DATASET",),
    "small": ("-DSMALL_DATASET",),
    "medium": ("-DMEDIUM_DATASET",),
    "odd": (
        "-DNI=29",
        "-DNJ=31",
        "-DNK=37",
        "-DNL=41",
        "-DNM=43",
        "-DNQ=17",
        "-DNR=19",
        "-DNP=23",
        "-DM=47",
        "-DN=53",
        "-DTSTEPS=7",
        "-DTMAX=11",
        "-DNX=13",
        "-DNY=59",
        "-DW=61",
        "-DH=67",
    ),
    "least": (
        "-DNI=1",
        "-DNJ=2",
        "-DNK=3",
        "-DNL=1",
        "-DNM=2",
        "-DNQ=1",
        "-DNR=2",
        "-DNP=3",
        "-DM=2",
        "-DN=3",
        "-DTSTEPS=1",
        "-DTMAX=2",
        "-DNX=2",
        "-DNY=3",
        "-DW=3",
        "-DH=2",
    ),
}


@dataclass(frozen=True)
class Build:
    """One way to compile a program. `unit` names what is built: builds of one unit share their
    source loops.

    sources: globs below the root (or below {work} where `prepare` runs); prepare: commands run in a
    copy of `copied`; runs: command lines, all of the same length; status: the exit code of a good
    run (XSBench takes results of sizes other than its own for invalid); values: what members named
    in formulas hold in all runs.
    """

    unit: str
    sources: tuple[str, ...]
    runs: tuple[tuple[str, ...], ...] = ((),)
    status: int = 0
    flags: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    copied: str | None = None
    prepare: tuple[tuple[str, ...], ...] = ()
    written: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Benchmark:
    """A program under the environment variable that says where it is."""

    variable: str
    source: str  # where it is published

    def builds(self, root: Path) -> tuple[Build, ...]:
        """What is built from the sources below `root`."""
        return _BUILDS[self.variable](root)


def _lulesh(root: Path) -> tuple[Build, ...]:
    return (
        Build(
            "lulesh",
            ("lulesh*.cc",),
            (("-s", "6", "-i", "5"), ("-s", "10", "-i", "3")),
            flags=("-DUSE_MPI=0",),
        ),
    )


def _hpcg(root: Path) -> tuple[Build, ...]:
    return (
        Build(
            "hpcg",
            ("src/*.cpp",),
            (
                ("--nx=16", "--ny=16", "--nz=16", "--rt=0"),
                ("--nx=24", "--ny=16", "--nz=32", "--rt=0"),
            ),
            flags=("-DHPCG_NO_MPI", "-DHPCG_NO_OPENMP"),
        ),
    )


def _minife(root: Path) -> tuple[Build, ...]:
    info = "".join(
        f'#define MINIFE_{name} ""\n'
        for name in (
            "HOSTNAME",
            "KERNEL_NAME",
            "KERNEL_RELEASE",
            "PROCESSOR",
            "CXX",
            "CXX_VERSION",
            "CXXFLAGS",
        )
    )
    types = (
        "-DMINIFE_SCALAR=double",
        "-DMINIFE_LOCAL_ORDINAL=int",
        "-DMINIFE_GLOBAL_ORDINAL=int",
        "-DMINIFE_CSR_MATRIX",
        "-DMINIFE_INFO=1",
        "-DMINIFE_KERNELS=0",
    )
    return (
        Build(
            "minife",
            (
                "ref/src/main.cpp",
                "ref/src/YAML_*.cpp",
                "ref/utils/BoxPartition.cpp",
                "ref/utils/param_utils.cpp",
                "ref/utils/utils.cpp",
                "ref/utils/mytimer.cpp",
            ),
            (("nx=8", "ny=9", "nz=10"), ("nx=16", "ny=12", "nz=20")),
            flags=(
                "-I{root}/ref/src",
                "-I{root}/ref/utils",
                "-I{root}/ref/fem",
                "-I{work}",
                *types,
            ),
            written={"miniFE_info.hpp": info},
        ),
    )


def _comd(root: Path) -> tuple[Build, ...]:
    info = "".join(
        f'#define CoMD_{name} ""\n'
        for name in (
            "VARIANT",
            "HOSTNAME",
            "KERNEL_NAME",
            "KERNEL_RELEASE",
            "PROCESSOR",
            "COMPILER",
            "COMPILER_VERSION",
            "CFLAGS",
            "LDFLAGS",
        )
    )
    # written into a copy, since an include in quotes looks beside the including file first
    common = {
        "sources": ("src-mpi/*.c",),
        "flags": ("-std=c99", "-DDOUBLE"),
        "copied": "src-mpi",
        "written": {"src-mpi/CoMD_info.h": info},
    }
    size = ("-x", "6", "-y", "5", "-z", "7", "-N", "10", "-n", "5")
    return (
        Build(
            "comd", runs=(size, ("-x", "8", "-y", "8", "-z", "8", "-N", "4", "-n", "2")), **common
        ),  # type: ignore[arg-type]
        Build("comd", runs=((*size, "-e", "-d", "{root}/pots"),), **common),
    )  # type: ignore[arg-type]


def _xsbench(root: Path) -> tuple[Build, ...]:
    def run(grid: str, method: str, lookups: str) -> tuple[str, ...]:
        return (
            "-t",
            "1",
            "-s",
            "small",
            "-g",
            grid,
            "-l",
            lookups,
            "-p",
            "300",
            "-G",
            "unionized",
            "-m",
            method,
        )

    return (
        Build(
            "xsbench",
            ("openmp-threading/*.c",),
            (run("60", "event", "2000"), run("100", "history", "7")),
            1,
            ("-std=gnu99",),
        ),
    )


def _miniamr(root: Path) -> tuple[Build, ...]:
    def run(cells: str, steps: str) -> tuple[str, ...]:
        return (
            "--nx",
            cells,
            "--ny",
            "6",
            "--nz",
            "8",
            "--num_vars",
            "5",
            "--num_tsteps",
            steps,
            "--num_refine",
            "2",
            "--max_blocks",
            "1500",
            "--num_objects",
            "1",
            "--object",
            "2",
            "0",
            "-1.1",
            "-1.1",
            "-1.1",
            "0.06",
            "0.06",
            "0.06",
            "1.1",
            "1.1",
            "1.1",
            "0",
            "0",
            "0",
        )

    return (
        Build(
            "miniamr",
            ("ref/*.c",),
            (run("4", "4"), run("10", "7")),
            flags=("{mpi}", "-std=gnu89"),
            link=("{mpi}",),
        ),
    )


def _npb(root: Path) -> tuple[Build, ...]:
    def build(name: str, size: str) -> Build:
        folder = name.upper()
        return Build(
            name,
            (f"{folder}/*.cpp", "common/c_*.cpp", "common/wtime.cpp"),
            flags=("-I{work}/common", "-mcmodel=medium"),
            copied="NPB-SER",
            prepare=(
                ("{cxx}", "-o", "sys/setparams", "sys/setparams.cpp"),
                ("sh", "-c", f"cd {folder} && ../sys/setparams {name} {size}"),
            ),
        )

    if not (root / "NPB-SER").is_dir():
        raise FileNotFoundError(f"{root} has no folder NPB-SER")
    return (
        *(build(name, "S") for name in ("bt", "cg", "ep", "ft", "is", "lu", "mg", "sp")),
        *(build(name, "W") for name in ("cg", "ft", "is", "mg")),
    )


def _polybench(root: Path) -> tuple[Build, ...]:
    kernels = sorted(
        p.relative_to(root)
        for p in root.rglob("*.c")
        if p.with_suffix(".h").exists() and "utilities" not in p.parts
    )
    # the least sizes are too small for what main() prints afterwards, which it does not do without
    # arguments
    return tuple(
        Build(
            k.stem,
            (str(k), "utilities/polybench.c"),
            flags=(*flags, "-I{root}/utilities", "-DPOLYBENCH_USE_C99_PROTO"),
        )
        for k in kernels
        for flags in DATASETS.values()
    )


_BUILDS = {
    "LULESH": _lulesh,
    "HPCG": _hpcg,
    "MINIFE": _minife,
    "COMD": _comd,
    "XSBENCH": _xsbench,
    "MINIAMR": _miniamr,
    "NPB": _npb,
    "POLYBENCH": _polybench,
}
BENCHMARKS = (
    Benchmark("LULESH", "github.com/LLNL/LULESH"),
    Benchmark("HPCG", "github.com/hpcg-benchmark/hpcg"),
    Benchmark("MINIFE", "github.com/Mantevo/miniFE"),
    Benchmark("COMD", "github.com/ECP-copa/CoMD"),
    Benchmark("XSBENCH", "github.com/ANL-CESAR/XSBench"),
    Benchmark("MINIAMR", "github.com/Mantevo/miniAMR"),
    Benchmark("NPB", "github.com/GMAP/NPB-CPP"),
    Benchmark("POLYBENCH", "github.com/MatthiasJReisinger/PolyBenchC-4.2.1"),
)
