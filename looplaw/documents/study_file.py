"""study.toml: a study as a file. Values in a notation of ours (durations, percent, 64:4096:*2) stay
texts here; `looplaw.settings.studyfile` reads them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Word = str | int | float
FromZero = Annotated[int, msgspec.Meta(ge=0)]
FromOne = Annotated[int, msgspec.Meta(ge=1)]


class DesignTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[design]: which combinations of the values are run, or which points instead."""

    kind: Literal["full", "lines", "plan"] = "full"
    points: tuple[dict[str, int], ...] = ()


class RunTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[run]: how the program is run, and how often."""

    args: str | tuple[Word, ...] | None = None
    launcher: str | tuple[Word, ...] = ()
    repetitions: FromOne | None = None
    warmup: FromZero | None = None
    until: Word | None = None
    most: FromOne | None = None
    budget: Word | None = None
    timeout: Word | None = None
    seed: FromZero | None = None
    metrics: tuple[str, ...] = ()
    env: dict[str, Word] = {}
    stdin: str | None = None
    template: dict[str, str] = {}


class SelectTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[select]: which kernels are instrumented."""

    kernel: str | tuple[str, ...] = ()
    file: str | tuple[str, ...] = ()
    max_overhead: Word | None = None


class BuildTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[build]: flags of the compiler and the linker."""

    flags: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    mpi: bool = False


class DemandTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """What runs ask of sbatch; `runtime.DEMANDS` lists the same names."""

    time: str | int | None = None
    partition: str | int | None = None
    account: str | int | None = None
    qos: str | int | None = None
    nodes: str | int | None = None
    cpus_per_task: str | int | None = None
    mem: str | int | None = None
    mem_per_cpu: str | int | None = None
    constraint: str | int | None = None
    gres: str | int | None = None
    reservation: str | int | None = None
    nodelist: str | int | None = None
    exclude: str | int | None = None


class SlurmAtTable(DemandTable, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """[[slurm.at]]: what runs at some values ask for, as in when = {n = [2048, 4096]}."""

    when: dict[str, int | tuple[int, ...]] = msgspec.field(default_factory=dict)


class SlurmOptions(DemandTable, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """What --slurm NAME=VALUE may set: what all runs ask for, and how job arrays are made."""

    together: FromOne | None = None
    parallel: FromOne | None = None
    retries: FromZero | None = None
    options: tuple[str | int, ...] = ()
    setup: tuple[str | int, ...] = ()
    poll: Word | None = None


class SlurmTable(SlurmOptions, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """[slurm]: job arrays."""

    at: tuple[SlurmAtTable, ...] = ()


class StudyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A study: program, parameters, values and runs."""

    program: str | tuple[str, ...] = ()
    about: str = ""
    entry: str = "main"
    param: dict[str, str] = msgspec.field(default_factory=dict)
    vary: dict[str, str | tuple[int, ...]] = msgspec.field(default_factory=dict)
    design: DesignTable = DesignTable()
    run: RunTable = RunTable()
    select: SelectTable = SelectTable()
    build: BuildTable = BuildTable()
    slurm: SlurmTable = SlurmTable()
