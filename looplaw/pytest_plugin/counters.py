"""The cost of a call in processor instructions, executed Python lines, or CPU seconds.

Instructions (callgrind) include the interpreter and compiled code and hardly vary. Lines are the
same on every machine but do not include the work of C functions such as sorted(). Time includes
everything and varies.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from modeling import DataError

Call = Callable[..., Any]
ParameterValues = Mapping[str, float]
"""Where a function is counted: parameter -> value."""
Counter = Callable[[Call, Call | None, Sequence[ParameterValues]], list[float]]
"""(function, make, points) -> one value per point; the cost of `make`, which makes the arguments,
is not counted."""

_TIMEOUT_S = 600
_REPETITIONS = 5
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
    """CPU seconds, the least of five calls with fresh arguments."""
    found = []
    for point in points:
        best = float("inf")
        for _ in range(_REPETITIONS):
            call, args, kwargs = _arguments(function, make, point)
            start = time.process_time()
            call(*args, **kwargs)
            best = min(best, time.process_time() - start)
        found.append(best)
    return found


def count_instructions(
    function: Call, make: Call | None, points: Sequence[ParameterValues]
) -> list[float]:
    """Instructions, by callgrind: each point runs in two forks of one process, with and without the
    call.

    The function's module is imported under callgrind, 50 times slower than usual: keep it small.

    Raises:
        DataError: valgrind is missing, a function cannot be imported by its name, or the run
            failed.
    """
    __tracebackhide__ = True
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise DataError(
            "instructions are counted by valgrind, which is not installed: apt-get install"
            " valgrind, or use counter='lines'"
        )
    where = [_origin(f) for f in (function, make) if f is not None]
    task = {"path": sys.path, "functions": where, "points": [dict(p) for p in points]}
    with tempfile.TemporaryDirectory(prefix="looplaw-") as folder:
        pairs = _callgrind(valgrind, json.dumps(task), folder)
        counts = [
            _instructions(Path(folder) / str(called)) - _instructions(Path(folder) / str(idle))
            for idle, called in pairs
        ]
    return [float(max(count, 0)) for count in counts]


def _callgrind(valgrind: str, task: str, folder: str) -> list[tuple[int, int]]:
    """Run the harness; the process numbers of the two forks of each point, which name their
    profiles in the folder.

    Raises:
        DataError: it fails or takes too long.
    """
    __tracebackhide__ = True
    command = [
        valgrind,
        "-q",
        "--tool=callgrind",
        f"--callgrind-out-file={folder}/%p",
        sys.executable,
        str(Path(__file__).with_name("harness.py")),
    ]  # a file: importing looplaw would take a minute here
    environment = os.environ | {
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
    }
    try:
        done = subprocess.run(
            command,
            input=task,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            check=False,
            env=environment,
        )
    except subprocess.TimeoutExpired:
        raise DataError(
            f"counting instructions took more than {_TIMEOUT_S} s: use smaller sizes or "
            "counter='lines'"
        ) from None
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["no message"]
        raise DataError(f"the call failed under valgrind: {last[0]}")
    return [(int(a), int(b)) for a, b in json.loads(done.stdout.strip().splitlines()[-1])]


def _instructions(file: Path) -> int:
    found = _SUMMARY.search(file.read_bytes())
    if found is None:
        raise DataError("callgrind wrote no summary")
    return int(found[1])


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
    "instructions": count_instructions,
    "lines": count_lines,
    "time": count_time,
}
