"""Job arrays: which runs make up a task, what each asks of Slurm, the script that is submitted, and
the files that its tasks read.

A task makes a few runs one after the other (`runtime.slurm.task`). Runs with the same resources
form one array; where resources depend on parameters there are several.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from looplaw_common.commands import own_python
from looplaw_common.errors import InputError, RunError
from looplaw_common.files import own_folder, write_whole

if TYPE_CHECKING:
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
"""Options of sbatch that a study may set by name."""
_MAX_TASKS = 1000
"""Of an array: Slurm's default MaxArraySize is 1001."""
_GRACE_S = 120
"""Added to the time limit of a task's runs: starting Python, and syncing the results."""
_WARNING_S = 30
"""Slurm sends SIGTERM so long before a task's time is up, for it to end the program in order."""
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_SLURM_TIME = re.compile(r"(\d+-)?\d+:\d+(:\d+)?|UNLIMITED")
_MAX_BYTES = 1 << 30
"""Of a file that a task reads: far above 1000 tasks of any length."""
T = TypeVar("T")


@dataclass(frozen=True)
class Demand:
    """What some runs ask of Slurm.

    Attributes:
        match: parameter -> values of the runs that it is for; empty for all runs.
        options: name (of DEMANDS) -> value, with {name} for the value of a parameter.
    """

    match: Mapping[str, tuple[int, ...]]
    options: Mapping[str, str]

    def holds(self, params: Mapping[str, int]) -> bool:
        """Is it for a run with these parameters?"""
        return all(params.get(name) in values for name, values in self.match.items())


@dataclass(frozen=True)
class Slurm:
    """How runs are made through Slurm.

    Attributes:
        demands: what runs ask for; later ones take precedence.
        options: further words for sbatch.
        together: runs of a task.
        parallel: tasks of an array that may run at the same time, None for any number.
        retries: how often a run that failed, timed out, was preempted or lost is submitted again.
        poll_s: seconds between two looks at the queue and the store.
        setup: lines of shell in front of the runs.
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
            InputError: an option names a parameter that has no value.
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
    """A time limit for sbatch: the text if it is one of Slurm's (1:30:00, 2-0:00:00), else
    `seconds`, as the text was read in our own notation.

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
    """What all tasks of a sweep have in common.

    Attributes:
        study: the directory with the runs.
        identity: of the program with its counters.
        timeout_s: of a run.
        environment, program: stored beside the runs (see `Provenance`).
        over: jobs and tasks that are known to have ended.
    """

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
    """Group runs into arrays of equal resources; the order of runs is kept.

    Raises:
        InputError: resources name a parameter that has no value.
    """
    by_options: dict[tuple[str, ...], list[Experiment]] = {}
    for e in experiments:
        by_options.setdefault(slurm.asked(e, timeout_s), []).append(e)
    found = []
    for options, alike in by_options.items():
        tasks = [tuple(part) for part in _parts(alike, slurm.together)]
        found += [Array(options, tuple(part)) for part in _parts(tasks, _MAX_TASKS)]
    return found


def _parts(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


@dataclass(frozen=True)
class Batch:
    """An array with its script, and the directory for its files."""

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
            own_folder(own_folder(self.folder.parent) / self.folder.name)
            # whole files: a task of an earlier submission may be reading the same ones
            write_whole(self.folder / "runs.jsonl", self.lines)
            work_file = json.dumps({"format": FORMAT, **_plain(work)})
            write_whole(self.folder / "work.json", work_file)
            script = self.folder / "job.sh"
            write_whole(script, self.script)
        except OSError as error:
            raise RunError(f"{self.folder}: cannot be written: {error.strerror or error}") from None
        return script

    def log(self, task: str) -> Path:
        """The output of a task JOB_TASK."""
        return self.folder / f"{task}.log"


def _plain(work: Work) -> dict[str, object]:
    return {**asdict(work), "study": str(work.study), "executable": str(work.executable)}


def batch_of(array: Array, study: Path, identity: str, slurm: Slurm, attempt: int = 0) -> Batch:
    """The files of an array, in a directory named after a digest: the same runs, the same files.

    Raises:
        InputError: a path or a setting has characters that a script cannot have.
    """
    lines = "".join(json.dumps([asdict(e) for e in task]) + "\n" for task in array.tasks)
    name = hashlib.sha256(
        json.dumps([identity, lines, array.options, attempt]).encode()
    ).hexdigest()[:12]
    folder = study.resolve() / "slurm" / name
    return Batch(folder, array, _script(array, folder, name, slurm), lines)


def script_word(text: str, what: str) -> str:
    """A word of a script, quoted for the shell and for sbatch, which reads comments in the same
    way. In a comment a line break would begin a command, even between quotes.

    Raises:
        InputError: it has control characters; `what` begins the message.
    """
    return shlex.quote(script_line(text, what))


def script_line(text: str, what: str) -> str:
    """A line that goes into a script as it is.

    Raises:
        InputError: it has control characters; `what` begins the message.
    """
    found = next((c for c in text if c != "\t" and not c.isprintable()), None)
    if found is not None:
        raise InputError(
            f"{what}: {text!a} has the character {found!a}, which a job script cannot have"
        )
    return text


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
    home = script_word(str(Path(__file__).resolve().parents[2]), "the folder of looplaw")
    python = " ".join(
        script_word(word, "the path of Python") for word in own_python("-m", "runtime.slurm.task")
    )
    runs = script_word(str(folder), "--out")
    return "\n".join(
        (
            "#!/bin/bash",
            *(f"#SBATCH {script_word(option, 'slurm options')}" for option in options),
            *(script_line(line, "slurm setup") for line in slurm.setup),
            f"export PYTHONPATH={home}${{PYTHONPATH:+:$PYTHONPATH}}",
            f"exec {python} {runs}",
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
    from ..sweep.schedule import Experiment

    return tuple(
        Experiment(
            {str(k): int(v) for k, v in e["params"].items()},
            tuple(map(str, e["argv"])),
            int(e["repetition"]),
            tuple(map(str, e["launcher"])),
            tuple(map(str, e["environment"])),
            None if e["ranks"] is None else int(e["ranks"]),
            None if e.get("stdin") is None else str(e["stdin"]),
        )
        for e in json.loads(line)
    )
