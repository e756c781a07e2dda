"""The cost of a call in executed Python lines, CPU seconds, or processor instructions.

Lines are the same on every machine and fast to count but do not include the work of C functions
such as sorted(). Time includes everything and varies: it is measured again and again, and what it
cannot tell it does not tell. Instructions (callgrind) include everything and hardly vary, but take
minutes.
"""

from __future__ import annotations

import gc
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from looplaw_common.commands import (
    absolute_entries,
    answered,
    own_environment,
    own_python,
    text_of,
    tool,
)
from looplaw_common.scratch import scratch_folder
from looplaw_common.text import as_line
from modeling import DataError

Call = Callable[..., Any]
ParameterValues = Mapping[str, float]
"""Where a function is counted: parameter -> value."""
Counter = Callable[[Call, Call | None, Sequence[ParameterValues]], list[float]]
"""(function, make, points) -> one value per point; the cost of `make`, which makes the arguments,
is not counted."""

_TIMEOUT_S = 600
_ROUNDS = 7
"""Times that all sizes are measured, one after the other, so that what the machine does besides
meets all of them."""
_BATCH_S, _MOST_CALLS = 2e-3, 500
"""CPU time of one measurement at least, by calling a fast function again and again: the clock's
resolution is some microseconds; and the most calls, whose arguments are made beforehand."""
_PATIENCE_S = 1.0
"""CPU time for one size, after which two more rounds are enough."""
_SUMMARY = re.compile(rb"^(?:summary|totals): (\d+)", re.MULTILINE)


def count_lines(
    function: Call, make: Call | None, points: Sequence[ParameterValues]
) -> list[float]:
    """Executed lines of Python code, called functions included."""
    return [float(_lines(*_arguments(function, make, point))) for point in points]


def _lines(call: Call, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> int:
    total = 0

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal total
        total += event == "line"
        return trace

    before = sys.gettrace()
    threading.settrace(trace)
    sys.settrace(trace)
    try:
        call(*args, **kwargs)
    finally:
        sys.settrace(before)
        threading.settrace(before)
    return total


def count_time(function: Call, make: Call | None, points: Sequence[ParameterValues]) -> list[float]:
    """CPU seconds of one call, the least of all rounds."""
    return [min(times) for times in zip(*time_rounds(function, make, points), strict=True)]


def time_rounds(
    function: Call, make: Call | None, points: Sequence[ParameterValues]
) -> list[list[float]]:
    """CPU seconds of one call at each point, round after round; every call has fresh arguments,
    and many calls are timed together where one is too short for the clock."""
    first = [_timed(function, make, point, 1) for point in points]
    calls = [min(_MOST_CALLS, max(1, round(_BATCH_S / max(t, 1e-7)))) for t in first]
    number = _ROUNDS if max(first) < _PATIENCE_S else 3
    was_enabled = gc.isenabled()
    gc.disable()  # a collection falls on any size
    try:
        return [
            [_timed(function, make, point, k) for point, k in zip(points, calls, strict=True)]
            for _ in range(number)
        ]
    finally:
        if was_enabled:
            gc.enable()


def _timed(function: Call, make: Call | None, point: ParameterValues, calls: int) -> float:
    """CPU seconds of one of several calls."""
    made = [_arguments(function, make, point) for _ in range(calls)]
    start = time.process_time()
    for call, args, kwargs in made:
        call(*args, **kwargs)
    return (time.process_time() - start) / calls


def count_instructions(
    function: Call, make: Call | None, points: Sequence[ParameterValues]
) -> list[float]:
    """Instructions, by callgrind: each point runs in forks of one process, with and without the
    call.

    The function's module is imported under callgrind, 50 times slower than usual: keep it small.

    Raises:
        DataError: valgrind is missing, a function cannot be imported by its name, or the run
            failed.
    """
    __tracebackhide__ = True
    valgrind = tool("valgrind")
    if valgrind is None:
        raise DataError(
            "instructions are counted by valgrind, which is not installed: apt-get install"
            " valgrind, or use counter='lines'"
        )
    say(f"looplaw: {len(points)} sizes under callgrind, some 50 times slower than usual ...")
    where = [_origin(f) for f in (function, make) if f is not None]
    task = {"path": sys.path, "functions": where, "points": [dict(p) for p in points]}
    with scratch_folder() as folder:
        forks = _callgrind(valgrind, json.dumps(task), folder)
        profiles = [[_instructions(folder / str(k)) for k in three] for three in forks]
    return [float(max(called - idle - (idle - first), 0)) for first, idle, called in profiles]


def say(message: str) -> None:
    """Progress, on the terminal itself: pytest keeps what tests write."""
    if sys.__stderr__ is not None and sys.__stderr__.isatty():
        print(as_line(message), file=sys.__stderr__, flush=True)


def _callgrind(valgrind: str, task: str, folder: Path) -> list[tuple[int, int, int]]:
    """Run the harness; the process numbers of the forks of each point (see `harness`), which name
    their profiles in the folder.

    Raises:
        DataError: it fails or takes too long.
    """
    __tracebackhide__ = True
    command = [
        valgrind,
        "-q",
        "--tool=callgrind",
        f"--callgrind-out-file={folder}/%p",
        *own_python(str(Path(__file__).with_name("harness.py"))),
    ]  # a file: importing looplaw would take a minute here
    environment = own_environment() | {
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": absolute_entries(os.pathsep.join(sys.path)),
    }
    try:
        done = answered(command, given=task.encode(), timeout_s=_TIMEOUT_S, environment=environment)
    except subprocess.TimeoutExpired:
        raise DataError(
            f"counting instructions took more than {_TIMEOUT_S} s: use smaller sizes or "
            "counter='lines'"
        ) from None
    if done.returncode:
        last = text_of(done.stderr).strip().splitlines()[-1:] or ["no message"]
        raise DataError(f"the call failed under valgrind: {last[0]}")
    three = json.loads(done.stdout.strip().splitlines()[-1])
    return [(int(first), int(idle), int(called)) for first, idle, called in three]


def _instructions(file: Path) -> int:
    found = _SUMMARY.search(file.read_bytes())
    if found is None:
        raise DataError("callgrind wrote no summary")
    return int(found[1])


def is_python(function: Call) -> bool:
    """Is it written in Python, so that its lines can be counted?"""
    inner = getattr(function, "func", function)  # functools.partial
    return hasattr(inner, "__code__") or "__call__" in vars(type(inner))


def importable(function: Call) -> bool:
    """Can another process find the function by file and name?"""
    module = sys.modules.get(getattr(function, "__module__", "") or "")
    name = getattr(function, "__qualname__", "<")
    return module is not None and "<" not in name and getattr(module, "__file__", None) is not None


def _origin(function: Call) -> dict[str, str]:
    if not importable(function):
        raise DataError(
            f"{getattr(function, '__qualname__', function)}: instructions are counted in another"
            " process, which finds functions of modules only: move it to the top of a file, or use"
            " counter='lines'"
        )
    module = sys.modules[function.__module__]
    return {
        "module": function.__module__,
        "file": str(module.__file__),
        "name": function.__qualname__,
    }


def _arguments(
    function: Call, make: Call | None, point: ParameterValues
) -> tuple[Call, tuple[Any, ...], Mapping[str, Any]]:
    if make is None:
        return function, (), dict(point)
    made = make(**point)
    return function, made if isinstance(made, tuple) else (made,), {}


COUNTERS: Mapping[str, Counter] = {
    "lines": count_lines,
    "time": count_time,
    "instructions": count_instructions,
}
