"""Worker processes on this machine, reached through pipes that only this process and they have: no
port is open, so that nobody else on a login node can reach them."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from looplaw_common.commands import SAFE_PATH
from looplaw_common.keeper import die_with_parent
from runtime import RunError

T = TypeVar("T")
R = TypeVar("R")
_AHEAD = 2
"""Items given to each worker, so that it never waits for the next one."""
_MOST_LOSSES = 3
"""So often workers may be lost without that any result comes in between."""
ENVIRONMENT = {
    SAFE_PATH: "1",
    "PYTHONWARNINGS": "ignore::RuntimeWarning",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_TRIM_THRESHOLD_": str(1 << 28),
    "MALLOC_MMAP_THRESHOLD_": str(1 << 25),
}
"""Environment of workers on this machine. By default the allocator returns freed memory at once, so
that every array costs page faults."""


def in_processes(workers: int, function: Callable[[T], R], items: Sequence[T]) -> Iterator[R]:
    """Call a function for each item in so many processes, and yield what it returns as it comes. If
    a worker is lost, what was being computed is computed again by new ones.

    Raises:
        RunError: workers are lost again and again.
    """
    waiting, losses = list(reversed(items)), 0
    while waiting:
        begun: dict[Future[R], T] = {}
        with _pool(workers) as pool:
            try:
                while waiting or begun:
                    while waiting and len(begun) < _AHEAD * workers:
                        begun[pool.submit(function, waiting[-1])] = waiting[-1]
                        waiting.pop()
                    done, _ = wait(begun, return_when=FIRST_COMPLETED)
                    for future in done:
                        result = future.result()
                        del begun[future]
                        losses = 0
                        yield result
            except BrokenProcessPool as error:
                losses += 1
                if losses > _MOST_LOSSES:
                    raise RunError(
                        "worker processes ended again and again at work on one partition; is there"
                        " enough memory for them?"
                    ) from error
                waiting += begun.values()


@contextlib.contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """New interpreters, not forks: threads of linear algebra may run here. They end with this
    process, also when it is killed."""
    before = {name: os.environ.get(name) for name in ENVIRONMENT}
    os.environ.update(ENVIRONMENT)
    pool = ProcessPoolExecutor(
        workers, multiprocessing.get_context("spawn"), initializer=die_with_parent
    )
    try:
        yield pool
    except BaseException:  # an interrupt does not wait for partitions
        for process in multiprocessing.active_children():
            process.kill()
        raise
    finally:
        _restore(before)
        pool.shutdown(wait=True, cancel_futures=True)


def _restore(before: Mapping[str, str | None]) -> None:
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
