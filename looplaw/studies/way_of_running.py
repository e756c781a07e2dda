"""How the runs of a study are made, in one line: by which launcher, with how many threads, and by
which way each varied parameter reaches the program."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod

from ..settings.settings import SLURM
from .design import launcher_words, parallel_origins, rank_count, thread_count, words
from .prepared import Prepared

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_MOST_VALUES = 6


def way_of_running(prepared: Prepared) -> str:
    """As in "mpiexec -n 1, 2, 4; 1 thread each; n from argv[1]"; empty where there is nothing to
    say."""
    return "; ".join(
        part for part in (_launched(prepared), _threads(prepared), _given(prepared)) if part
    )


def crowded(prepared: Prepared, processors: int) -> str:
    """What to know where a run has more processes and threads than this machine has processors;
    empty where none has, and where the runs are made elsewhere."""
    launcher = launcher_words(prepared.settings, prepared.analysis)
    if prepared.settings.is_for_slurm or launcher[:1] not in ((), ("mpiexec",), ("mpirun",)):
        return ""
    names = (rank_count(prepared.analysis) if launcher else None, thread_count(prepared.analysis))
    workers = [n for n in names if n is not None and n in prepared.settings.vary]
    most = max(prod(int(e.params[n]) for n in workers) for e in prepared.experiments)
    if most <= processors:
        return ""
    return (
        f"{most} workers share {processors} processors: counts hold, times say nothing of speed-up"
    )


def _launched(prepared: Prepared) -> str:
    settings = prepared.settings
    launcher = launcher_words(settings, prepared.analysis)
    inside = _with_values(launcher, prepared)
    if settings.is_for_slurm:
        return f"job arrays of Slurm{', ' + inside if launcher else ''}"
    if not launcher and "mpi:size" in parallel_origins(prepared.module):
        return "1 process, without mpiexec"
    return inside


def _threads(prepared: Prepared) -> str:
    if "omp:threads" not in parallel_origins(prepared.module):
        return ""
    name = thread_count(prepared.analysis)
    if name is not None and name in prepared.settings.vary:
        return f"OMP_NUM_THREADS {_values(prepared, name)}"
    each = any("OMP_NUM_THREADS=1" in e.environment for e in prepared.experiments)
    return "1 thread each" if each else "as many threads as OpenMP takes"


def _given(prepared: Prepared) -> str:
    settings, analysis = prepared.settings, prepared.analysis
    given = words(settings, analysis)
    more = [*settings.env, *([f"stdin {settings.stdin}"] if settings.stdin else [])]
    more += [f"{t.file} from {t.source}" for t in settings.templates]
    if settings.args is not None:
        return ", ".join([f"arguments {' '.join(given)}" if given else "no arguments", *more])
    found = [
        f"{match[1]} from argv[{at}]"
        for at, word in enumerate(given, 1)
        if (match := _PLACEHOLDER.fullmatch(word))
    ]
    return ", ".join([*found, *more])


def _with_values(launcher: Sequence[str], prepared: Prepared) -> str:
    def values(match: re.Match[str]) -> str:
        name = match[1]
        return _values(prepared, name) if name in prepared.settings.vary else match[0]

    shown = launcher[1:] if launcher[:1] == (SLURM,) else launcher
    return _PLACEHOLDER.sub(values, " ".join(shown))


def _values(prepared: Prepared, name: str) -> str:
    values = list(map(str, prepared.settings.vary[name]))
    more = [f"... {values[-1]}"] if len(values) > _MOST_VALUES else []
    return ", ".join(values[: _MOST_VALUES - 1] + more if more else values)
