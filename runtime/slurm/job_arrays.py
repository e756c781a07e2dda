"""Job arrays: which runs are a task, what each asks of Slurm, the script, and the file that its
tasks read.

A task makes a few runs one after the other (`runtime.slurm.task`). Runs that ask for the same
resources are one array; where resources depend on parameters there are several.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from looplaw_common.errors import InputError, RunError

from ..sweep.schedule import Experiment

FORMAT = "looplaw-batch/1"
DEMANDS = (
    "time",
    "partition",
    "account",
    "qos",
    "nodes",
    "cpus-per-task",
    "mem",
    "mem-per-cpu",
    "constraint",
    "gres",
    "reservation",
    "nodelist",
    "exclude",
)
"""Options of sbatch that a study may give by name."""
_MOST_TASKS = 1000
"""Of an array: Slurm's default MaxArraySize is 1001."""
_GRACE_S, _WARNING_S = 120, 30
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_SLURM_TIME = re.compile(r"(\d+-)?\d+:\d+(:\d+)?|UNLIMITED")
_MAX_BYTES = 1 << 30
T = TypeVar("T")


@dataclass(frozen=True)
class Demand:
    """What some runs ask for. match: parameter -> values of the runs it is for, nothing for all;
    options: name (of DEMANDS) -> value, with {name} for parameters."""

    match: Mapping[str, tuple[int, ...]]
    options: Mapping[str, str]

    def holds(self, params: Mapping[str, int]) -> bool:
        return all(params.get(name) in values for name, values in self.match.items())


@dataclass(frozen=True)
class Slurm:
    """How runs are made through Slurm.

    demands: what runs ask for, later ones win; options: further words for sbatch; together: runs of
    a task; parallel: tasks of an array that run at the same time, None for as many as there is room
    for; retries: how often a run that failed, timed out, was preempted or was lost with its node is
    submitted again; poll_s: time between two looks; setup: lines of shell before the runs.
    """

    demands: tuple[Demand, ...] = ()
    options: tuple[str, ...] = ()
    together: int = 1
    parallel: int | None = None
    retries: int = 2
    poll_s: float = 10.0
    setup: tuple[str, ...] = ()

    def asked(self, e: Experiment, timeout_s: float | None) -> tuple[str, ...]:
        """The options of sbatch for a run.

        Raises:
            InputError: one names a parameter that has no value.
        """
        found: dict[str, str] = {}
        for demand in self.demands:
            if demand.holds(e.params):
                found |= demand.options
        filled = {name: _filled(value, e.params, name) for name, value in found.items()}
        if "time" not in filled and timeout_s is not None:
            filled["time"] = _walltime(self.together * timeout_s + _GRACE_S)
        return (
            f"--ntasks={e.ranks or 1}",
            *(f"--{name}={value}" for name, value in sorted(filled.items())),
            *self.options,
        )


def walltime(text: str, seconds: float | None) -> str:
    """A time for sbatch: as Slurm writes it (1:30:00, 2-0:00:00), or `seconds` where the text was
    read as our own.

    Raises:
        InputError: it is neither.
    """
    if _SLURM_TIME.fullmatch(text):
        return text
    if seconds is None:
        raise InputError(
            f"slurm time {text}: write it with a unit (90s, 30m, 2h), or as Slurm does (1:30:00)"
        )
    return _walltime(seconds)


def _walltime(seconds: float) -> str:
    minutes = math.ceil(seconds / 60)
    return f"{minutes // 60}:{minutes % 60:02d}:00"


def _filled(value: str, params: Mapping[str, int], name: str) -> str:
    missing = [p for p in _PLACEHOLDER.findall(value) if p not in params]
    if missing:
        raise InputError(
            f"slurm {name} = {value}: {{{missing[0]}}} has no values; add --vary {missing[0]}=..."
        )
    return _PLACEHOLDER.sub(lambda m: str(params[m[1]]), value)


@dataclass(frozen=True)
class Work:
    """What all tasks of a sweep have in common. executable: the program; study: the directory with
    the runs; environment and program: what is kept beside the runs (see `Provenance`); over: jobs
    and tasks that are known to have ended."""

    study: Path
    executable: Path
    identity: str
    timeout_s: float | None
    seed: int
    environment: Mapping[str, Any] = field(default_factory=dict)
    program: Mapping[str, Any] = field(default_factory=dict)
    over: tuple[str, ...] = ()


@dataclass(frozen=True)
class Array:
    """A job array: options of sbatch, and the runs of each task."""

    options: tuple[str, ...]
    tasks: tuple[tuple[Experiment, ...], ...]


def arrays(experiments: Sequence[Experiment], slurm: Slurm, timeout_s: float | None) -> list[Array]:
    """Runs in arrays of equal resources; the order of runs is kept.

    Raises:
        InputError: resources name a parameter that has no value.
    """
    by_options: dict[tuple[str, ...], list[Experiment]] = {}
    for e in experiments:
        by_options.setdefault(slurm.asked(e, timeout_s), []).append(e)
    found = []
    for options, alike in by_options.items():
        tasks = [tuple(part) for part in _parts(alike, slurm.together)]
        found += [Array(options, tuple(part)) for part in _parts(tasks, _MOST_TASKS)]
    return found


def _parts(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


@dataclass(frozen=True)
class Batch:
    """An array with the directory its script and files are in."""

    folder: Path
    array: Array
    script: str
    lines: str

    def write(self, work: Work) -> Path:
        """Write what the tasks read, and the script; returns the script.

        Raises:
            RunError: the directory cannot be written.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / "runs.jsonl").write_text(self.lines, encoding="utf-8")
            (self.folder / "work.json").write_text(
                json.dumps({"format": FORMAT, **_plain(work)}), encoding="utf-8"
            )
            script = self.folder / "job.sh"
            script.write_text(self.script, encoding="utf-8")
        except OSError as error:
            raise RunError(f"{self.folder}: cannot be written: {error.strerror or error}") from None
        return script

    def log(self, task: str) -> Path:
        """What a task JOB_TASK has written."""
        return self.folder / f"{task}.log"


def _plain(work: Work) -> dict[str, object]:
    return {**asdict(work), "study": str(work.study), "executable": str(work.executable)}


def batch_of(array: Array, study: Path, identity: str, slurm: Slurm, attempt: int = 0) -> Batch:
    """The files of an array: the same ones for the same runs."""
    lines = "".join(json.dumps([asdict(e) for e in task]) + "\n" for task in array.tasks)
    name = hashlib.sha256(
        json.dumps([identity, lines, array.options, attempt]).encode()
    ).hexdigest()[:12]
    folder = study.resolve() / "slurm" / name
    return Batch(folder, array, _script(array, folder, name, slurm), lines)


def _script(array: Array, folder: Path, name: str, slurm: Slurm) -> str:
    limit = f"%{slurm.parallel}" if slurm.parallel else ""
    place = str(folder).replace("\\", "\\\\").replace("%", "%%")
    options = (
        f"--job-name=looplaw-{name}",
        f"--array=0-{len(array.tasks) - 1}{limit}",
        f"--output={place}/%A_%a.log",
        "--open-mode=append",
        "--requeue",
        f"--signal=B:TERM@{_WARNING_S}",
        *array.options,
    )
    home = shlex.quote(str(Path(__file__).resolve().parents[2]))
    return "\n".join(
        (
            "#!/bin/bash",
            *(f"#SBATCH {shlex.quote(option)}" for option in options),
            *slurm.setup,
            f"export PYTHONPATH={home}${{PYTHONPATH:+:$PYTHONPATH}}",
            f"exec {shlex.quote(sys.executable)} -m runtime.slurm.task {shlex.quote(str(folder))}",
            "",
        )
    )


def read_work(folder: Path) -> Work:
    """What the tasks of a batch have in common.

    Raises:
        RunError: it cannot be read.
    """
    data = _read(folder / "work.json", json.loads)
    try:
        if data["format"] != FORMAT:
            raise ValueError("another format")
        return Work(
            Path(data["study"]),
            Path(data["executable"]),
            str(data["identity"]),
            None if data["timeout_s"] is None else float(data["timeout_s"]),
            int(data["seed"]),
            dict(data["environment"]),
            dict(data["program"]),
            tuple(map(str, data["over"])),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(f"{folder / 'work.json'}: not the work of a job array: {error!r}") from None


def read_tasks(folder: Path) -> list[tuple[Experiment, ...]]:
    """The runs of each task of a batch.

    Raises:
        RunError: they cannot be read.
    """
    found: list[tuple[Experiment, ...]] = _read(
        folder / "runs.jsonl", lambda text: [_task(line) for line in text.splitlines()]
    )
    return found


def _read(path: Path, parse: Callable[[str], Any]) -> Any:
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise RunError(f"{path}: larger than {_MAX_BYTES >> 20} MiB")
        return parse(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise RunError(f"{path}: not a file of a job array: {error!r}") from None


def _task(line: str) -> tuple[Experiment, ...]:
    return tuple(
        Experiment(
            {str(k): int(v) for k, v in e["params"].items()},
            tuple(map(str, e["argv"])),
            int(e["repetition"]),
            tuple(map(str, e["launcher"])),
            tuple(map(str, e["environment"])),
            None if e["ranks"] is None else int(e["ranks"]),
        )
        for e in json.loads(line)
    )
