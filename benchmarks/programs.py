"""The real programs of bench_static.py: their sources, a serial build, and small runs.

A folder named by an environment variable holds the program as its authors publish it (a clone of
its repository). In flags and arguments {root} is that folder, {work} a temporary copy or folder,
{mpi} mpicc's own flags.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

_CHECKPOINTS = Path(__file__).resolve().parent / "llama2_checkpoints.py"
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
class Sweep:
    """A short study: words of the command line with {name} for parameters, the values that these
    take, and points outside of them at which the laws are checked."""

    args: tuple[str, ...]
    vary: Mapping[str, tuple[int, ...]]
    check: tuple[Mapping[str, int], ...]


@dataclass(frozen=True)
class Build:
    """One way to compile a program. `unit` names what is built: builds of one unit share their
    source loops.

    sources: globs below the root (or below {work} where `prepare` runs); prepare: commands run in a
    copy of `copied`; runs: command lines, all of the same length; status: the exit code of a good
    run (XSBench takes results of sizes other than its own for invalid), None for any; values: what
    members named in formulas hold in all runs; threads, ranks: each command line is run with so
    many OpenMP threads, or MPI processes; cwd: where it is run; sweep: what a user would vary.
    """

    unit: str
    sources: tuple[str, ...]
    runs: tuple[tuple[str, ...], ...] = ((),)
    status: int | None = 0
    flags: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    copied: str | None = None
    prepare: tuple[tuple[str, ...], ...] = ()
    written: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, int] = field(default_factory=dict)
    threads: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()
    cwd: str = "{work}"
    sweep: Sweep | None = None


@dataclass(frozen=True)
class Benchmark:
    """A program under the environment variable that says where it is; `run_as` tells apart those
    that are run in several ways."""

    variable: str
    source: str  # where it is published
    described: tuple[Build, ...] | None = None  # by a file beside its sources
    run_as: str = ""

    @property
    def name(self) -> str:
        """What tables call it."""
        return f"{self.variable}-{self.run_as}".lower() if self.run_as else self.variable.lower()

    def builds(self, root: Path) -> tuple[Build, ...]:
        """What is built from the sources below `root`."""
        return _BUILDS[self.name.upper()](root) if self.described is None else self.described


def _lulesh(root: Path) -> tuple[Build, ...]:
    return (
        Build(
            "lulesh",
            ("lulesh*.cc",),
            (("-s", "6", "-i", "5"), ("-s", "10", "-i", "3")),
            flags=("-DUSE_MPI=0",),
            sweep=Sweep(
                ("-s", "{s}", "-i", "{steps}"),
                {"s": (4, 5, 6, 7), "steps": (3, 5, 8)},
                ({"s": 9, "steps": 4}, {"s": 10, "steps": 6}),
            ),
        ),
    )


def _lulesh_one_region(root: Path) -> tuple[Build, ...]:
    """LULESH with all elements in one region: otherwise their numbers in regions are random, and
    what 16 loops run is no formula of the arguments."""
    (usual,) = _lulesh(root)
    assert usual.sweep is not None
    one = ("-r", "1")
    return (
        replace(
            usual,
            runs=tuple((*words, *one) for words in usual.runs),
            sweep=replace(usual.sweep, args=(*usual.sweep.args, *one)),
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
            sweep=Sweep(
                ("--nx={nx}", "--ny={ny}", "--nz={nz}", "--rt=0"),
                {"nx": (16, 24, 32), "ny": (16, 24), "nz": (16, 24)},
                ({"nx": 40, "ny": 16, "nz": 32},),
            ),
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
            "comd",
            runs=(size, ("-x", "8", "-y", "8", "-z", "8", "-N", "4", "-n", "2")),
            sweep=Sweep(
                ("-x", "{x}", "-y", "{y}", "-z", "{z}", "-N", "{steps}", "-n", "2"),
                {"x": (5, 6, 8), "y": (5, 7), "z": (5, 6), "steps": (2, 4, 8)},
                ({"x": 9, "y": 6, "z": 7, "steps": 6},),
            ),
            **common,  # type: ignore[arg-type]
        ),
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


def _llama2(root: Path) -> tuple[Build, ...]:
    def line(layers: str, tokens: str, prompt: str) -> tuple[str, ...]:
        options = ("-z", "tokenizer.bin", "-t", "0", "-n", tokens, "-i", prompt)
        return (f"m{layers}.bin", *options)

    checkpoints = f'python3 "{_CHECKPOINTS}" 2 3 4 6'
    return (
        Build(
            "llama2.c",
            ("run.c",),
            (line("2", "8", "hello"), line("4", "12", "once upon a time")),
            link=("-lm",),
            prepare=(("sh", "-c", f'cp "{{root}}/tokenizer.bin" . && {checkpoints}'),),
            sweep=Sweep(
                line("{layers}", "{tokens}", "hello"),
                {"layers": (2, 3, 4), "tokens": (7, 8, 12, 16)},
                ({"layers": 6, "tokens": 21},),
            ),
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


def _coremark(root: Path) -> tuple[Build, ...]:
    # -1 and words are no seeds of CoreMark: it ends with another status
    lines = (
        (("0x0", "0x0", "0x66", "5", "7", "1", "2000"), ("1", "2", "0x3", "1", "7", "1", "2000")),
        (("0", "0", "0x66", "3"), ("-1", "5", "nonsense", "2"), ("1", "0", "0", "1")),
    )
    return tuple(
        Build(
            "coremark",
            ("core_*.c", "posix/core_portme.c"),
            runs,
            None,
            ("-I{root}", "-I{root}/posix", "-DPERFORMANCE_RUN=1", '-DFLAGS_STR=""'),
        )
        for runs in lines
    )


def _plb2(root: Path) -> tuple[Build, ...]:
    sizes = {
        "matmul": ("10", "1", "37"),
        "nqueen": ("5", "1", "7"),
        "bedcov": ("100", "0", "1", "x"),
        "sudoku": ("1", "0", "-1"),
    }
    return tuple(
        Build(unit, (f"src/c/{unit}.c",), tuple((n,) for n in numbers))
        for unit, numbers in sizes.items()
    )


def _weekend(root: Path) -> tuple[Build, ...]:
    # the image that it draws is smaller here; it reads no arguments
    small = (
        "s/image_width      = .*;/image_width = 40;/",
        "s/samples_per_pixel = .*;/samples_per_pixel = 3;/",
    )
    return tuple(
        Build(
            "weekend",
            ("main.cc",),
            runs,
            copied="src/InOneWeekend",
            prepare=(("sed", "-i", ";".join(small), "main.cc"),),
        )
        for runs in (((),), (("0",), ("-1",), ("nonsense",)))
    )


def _cmark(root: Path) -> tuple[Build, ...]:
    version = '#define CMARK_VERSION 1\n#define CMARK_VERSION_STRING "1"\n'
    export = "".join(f"#define CMARK_{w}\n" for w in ("EXPORT", "NO_EXPORT", "DEPRECATED"))
    return (
        Build(
            "cmark",
            ("src/*.c",),
            (
                ("-t", "latex", "{root}/README.md"),
                ("-t", "xml", "/dev/null"),
                ("--width", "-1", "{root}/README.md"),
                ("-t", "nonsense", "{root}/README.md"),
            ),
            None,
            ("-I{work}", "-I{work}/src", "-DCMARK_STATIC_DEFINE"),
            copied="src",
            written={"cmark_version.h": version, "cmark_export.h": export},
        ),
    )


def _rsbench(root: Path) -> tuple[Build, ...]:
    def build(*runs: str) -> Build:
        lines = tuple(tuple(line.split()) for line in runs)
        return Build(
            "rsbench",
            ("openmp-threading/*.c",),
            lines,
            None,
            ("-std=gnu99", "-fopenmp"),
            threads=(1, 4),
        )

    return (
        build(
            "-m event -s small -l 100 -P 20 -W 5",
            "-m event -s small -l 1 -P 2 -W 1",
            "-m event -s small -l 0 -P 3 -W 2",
        ),
        build("-x", "-h"),
    )


def _babelstream(root: Path) -> tuple[Build, ...]:
    return (
        Build(
            "babelstream",
            ("src/main.cpp", "src/omp/OMPStream.cpp"),
            (
                ("-s", "1024", "-n", "3"),
                ("-s", "1", "-n", "2"),
                ("-s", "0", "-n", "3"),
                ("-s", "x", "-n", "-1"),
            ),
            None,
            ("-std=c++17", "-DOMP", "-I{root}/src", "-I{root}/src/omp", "-fopenmp"),
            threads=(1, 2, 4),
        ),
    )


def _bots(root: Path) -> tuple[Build, ...]:
    texts = ("CC", "CFLAGS", "LD", "LDFLAGS", "CMESSAGE", "CDATE")
    sizes = {
        "fib": (("-n", "8", "-x", "3"), ("-n", "1", "-x", "1"), ("-n", "0", "-x", "0")),
        "nqueens": (("-n", "5"), ("-n", "1"), ("-n", "0")),
    }
    return tuple(
        Build(
            unit,
            (f"omp-tasks/{unit}/{unit}.c", "common/bots_main.c", "common/bots_common.c"),
            runs,
            None,
            (
                f"-I{{root}}/omp-tasks/{unit}",
                "-I{root}/common",
                "-include",
                "omp-tasks-app.h",
                "-fopenmp",
                *(f'-D{name}=""' for name in texts),
            ),
            threads=(1, 4),
        )
        for unit, runs in sizes.items()
    )


def _minimd(root: Path) -> tuple[Build, ...]:
    def run(line: str) -> tuple[str, ...]:
        return ("-i", "in.lj.miniMD", *line.split())

    return (
        Build(
            "minimd",
            ("*.cpp",),
            (
                run("-n 5 -s 3 --half_neigh 0 -gn 1"),
                run("-n 0 -s 2 --half_neigh 1 -gn 0"),
                run("-n 1 -s 4 --half_neigh x -b -1"),
            ),
            None,
            ("{mpi}", "-D__sync_fetch_and_add=fetch_and_add"),
            ("{mpi}",),
            ranks=(1, 4),
            copied="ref",
            # its makefile preprocesses twice, since this stands for a pragma
            prepare=(("sh", "-c", "sed -i 's/^ *OMPFORSCHEDULE *$//' *.cpp"),),
        ),
    )


def _mpitutorial(root: Path) -> tuple[Build, ...]:
    topics = {
        "avg": "mpi-scatter-gather-and-allgather",
        "all_avg": "mpi-scatter-gather-and-allgather",
        "reduce_stddev": "mpi-reduce-and-allreduce",
        "bin": "mpi-alltoall-and-v-routines",
        "compare_bcast": "mpi-broadcast-and-collective-communication",
        "ring": "mpi-send-and-receive",
        "comm_split": "introduction-to-groups-and-communicators",
    }
    lines = {
        "compare_bcast": (("10", "3"), ("0", "0"), ("1", "x")),
        "ring": ((),),
        "comm_split": ((),),
    }
    return tuple(
        Build(
            unit,
            (f"tutorials/{topic}/code/{unit}.c",),
            lines.get(unit, (("10",), ("0",), ("1",))),
            None,
            ("{mpi}", "-include", "time.h"),
            ("{mpi}",),
            ranks=(2, 4, 7),
        )
        for unit, topic in topics.items()
    )


def _stream(root: Path) -> tuple[Build, ...]:
    return tuple(
        Build(
            "stream",
            ("stream.c",),
            runs,
            None,
            (f"-DSTREAM_ARRAY_SIZE={size}", f"-DNTIMES={times}", "-fopenmp"),
            threads=(1, 2, 4),
        )
        for size, times, runs in ((2000, 4, ((),)), (1, 2, (("0",), ("-1",), ("nonsense",))))
    )


_BUILDS = {
    "COREMARK": _coremark,
    "PLB2": _plb2,
    "WEEKEND": _weekend,
    "CMARK": _cmark,
    "RSBENCH": _rsbench,
    "BABELSTREAM": _babelstream,
    "BOTS": _bots,
    "MINIMD": _minimd,
    "MPITUTORIAL": _mpitutorial,
    "STREAM": _stream,
    "LULESH": _lulesh,
    "LULESH-R1": _lulesh_one_region,
    "HPCG": _hpcg,
    "MINIFE": _minife,
    "COMD": _comd,
    "XSBENCH": _xsbench,
    "LLAMA2": _llama2,
    "MINIAMR": _miniamr,
    "NPB": _npb,
    "POLYBENCH": _polybench,
}
BENCHMARKS = (
    Benchmark("COREMARK", "github.com/eembc/coremark"),
    Benchmark("PLB2", "github.com/attractivechaos/plb2"),
    Benchmark("WEEKEND", "github.com/RayTracing/raytracing.github.io"),
    Benchmark("CMARK", "github.com/commonmark/cmark"),
    Benchmark("RSBENCH", "github.com/ANL-CESAR/RSBench"),
    Benchmark("BABELSTREAM", "github.com/UoB-HPC/BabelStream"),
    Benchmark("BOTS", "github.com/bsc-pm/bots"),
    Benchmark("MINIMD", "github.com/Mantevo/miniMD"),
    Benchmark("MPITUTORIAL", "github.com/mpitutorial/mpitutorial"),
    Benchmark("STREAM", "github.com/jeffhammond/STREAM"),
    Benchmark("LULESH", "github.com/LLNL/LULESH"),
    Benchmark("LULESH", "github.com/LLNL/LULESH", run_as="r1"),
    Benchmark("HPCG", "github.com/hpcg-benchmark/hpcg"),
    Benchmark("MINIFE", "github.com/Mantevo/miniFE"),
    Benchmark("COMD", "github.com/ECP-copa/CoMD"),
    Benchmark("XSBENCH", "github.com/ANL-CESAR/XSBench"),
    Benchmark("LLAMA2", "github.com/karpathy/llama2.c"),
    Benchmark("MINIAMR", "github.com/Mantevo/miniAMR"),
    Benchmark("NPB", "github.com/GMAP/NPB-CPP"),
    Benchmark("POLYBENCH", "github.com/MatthiasJReisinger/PolyBenchC-4.2.1"),
)
