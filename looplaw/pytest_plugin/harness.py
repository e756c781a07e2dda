"""The program that runs under callgrind: a fork for each point, and of it three more.

Callgrind counts on in a fork, so that each profile holds what its forebears ran. The first fork
makes the arguments; the others come from there and find the same memory. Two of them end at once,
which tells what a fork costs, the last one calls the function. (Were arguments made in each, they
would differ by what the allocator of Python does at times.)
"""

from __future__ import annotations

import gc
import importlib.util
import json
import os
import sys
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any


def main() -> None:
    """Reads the task from stdin, prints the process numbers of the three forks of each point."""
    task = json.load(sys.stdin)
    sys.path[:] = task["path"]
    function, *more = (_find(**where) for where in task["functions"])
    make = more[0] if more else None
    gc.disable()
    gc.freeze()
    print(json.dumps([_at(function, make, point) for point in task["points"]]))


def _at(
    function: Callable[..., Any], make: Callable[..., Any] | None, point: dict[str, Any]
) -> list[int]:
    receiver, sender = os.pipe()

    def run() -> None:
        made = make(**point) if make else None
        args = made if isinstance(made, tuple) else (made,) if make else ()
        calls = (_nothing, _nothing, lambda: function(*args, **({} if make else point)))
        os.write(sender, json.dumps([_fork(call) for call in calls]).encode())

    _fork(run)
    os.close(sender)
    with os.fdopen(receiver) as told:
        found: list[int] = json.load(told)
    return found


def _nothing() -> None:
    pass


def _fork(call: Callable[[], Any]) -> int:
    """The number of a process that made a call and ended.

    Raises:
        SystemExit: it failed.
    """
    sys.stdout.flush()
    with warnings.catch_warnings():
        # of forks while threads run: the function's module may have started some
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        os.dup2(2, 1)  # what the function prints is no answer of ours
        code = 1
        try:
            call()
            code = 0
        except Exception as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if status:
        sys.exit(1)
    return child


def _find(module: str, file: str, name: str) -> Callable[..., Any]:
    found: Any = _load(module, file)
    for part in name.split("."):
        found = getattr(found, part)
    wrapped: Callable[..., Any] = found
    return wrapped


def _load(module: str, file: str) -> ModuleType:
    if module != "__main__":
        try:
            return importlib.import_module(module)
        except ImportError:
            pass  # pytest imports test files under names that only it knows
    if module in sys.modules and module != "__main__":
        return sys.modules[module]
    spec = importlib.util.spec_from_file_location(f"_{module.rpartition('.')[2]}", file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file}: cannot be imported")
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[module if module != "__main__" else "_main"] = loaded
    spec.loader.exec_module(loaded)
    return loaded


if __name__ == "__main__":
    main()
