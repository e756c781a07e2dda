"""Model the partitions of a dataset one after the other, by threads, or by Dask workers."""

from __future__ import annotations

import contextlib
import heapq
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Protocol, TypeVar

from modeling import DataError
from runtime import RunError

from .packages import needed
from .partition import Job, Told, model_partition
from .sample import pooled_noise_of
from .workers import in_processes

T = TypeVar("T")
R = TypeVar("R")
_MOST_OPEN = 200  # files
_AHEAD = 2  # partitions submitted for each thread of a worker


class Each(Protocol):
    """Calls a function for each item, in any order, and yields what it returns."""

    def __call__(self, function: Callable[[T], R], items: Sequence[T], /) -> Iterator[R]: ...


def one_by_one(function: Callable[[T], R], items: Sequence[T], /) -> Iterator[R]:
    """Call the function in this process and thread."""
    yield from map(function, items)


def threaded(threads: int) -> Each:
    """Call functions in this number of threads of this process; 1 is the calling thread."""
    if threads == 1:
        return one_by_one

    def each(function: Callable[[T], R], items: Sequence[T], /) -> Iterator[R]:
        with ThreadPoolExecutor(threads) as pool:
            yield from pool.map(function, items)

    return each


def in_workers(workers: int) -> Each:
    """Call functions in `workers` processes on this machine (`workers.in_processes`)."""
    return partial(in_processes, workers)


def distributed(scheduler: str, warn: Callable[[str], None] = lambda _: None) -> Each:
    """Call functions in the workers of the Dask scheduler at an address. If a worker is lost, its
    current item and the results that it has not delivered are computed again by another.

    Args:
        warn: gets a line where whoever reaches the scheduler may run commands there, as it neither
            encrypts nor asks who it is.

    Raises (when it is used):
        InputError: dask is not installed. RunError: the scheduler does not answer, or workers die
            again and again.
    """

    def each(function: Callable[[T], R], items: Sequence[T], /) -> Iterator[R]:
        dask = needed("distributed")
        if is_open(scheduler):
            warn(
                f"{scheduler}: not encrypted, and open to everybody who reaches it: use tls:// with"
                " keys (distributed.comm.tls in Dask's settings)"
            )
        with contextlib.ExitStack() as stack:
            try:
                client = stack.enter_context(dask.Client(scheduler))
            except (OSError, TimeoutError, ValueError, TypeError) as error:
                raise RunError(f"{scheduler}: no workers: {error}") from None
            waiting = iter(items)
            some = islice(waiting, _AHEAD * max(1, sum(client.nthreads().values())))
            results = dask.as_completed(
                [client.submit(function, item, pure=False) for item in some]
            )
            try:
                # submit no more than keeps all workers busy: a result is lost with its worker until
                # it is delivered
                for future in results:
                    result = future.result()
                    results.update(
                        client.submit(function, item, pure=False) for item in islice(waiting, 1)
                    )
                    yield result
            except (dask.scheduler.KilledWorker, dask.CancelledError) as error:
                raise RunError(
                    f"workers of Dask died again and again at work on one partition: {error}"
                ) from None

    return each


def is_open(scheduler: str) -> bool:
    """Can others talk to the scheduler at this address? Not where keys are asked for, nor inside of
    one process."""
    protocol, there, _ = scheduler.partition("://")
    return not (there and protocol in ("tls", "wss", "inproc"))


def model_dataset(
    paths: Sequence[Path],
    job: Job,
    each: Each = one_by_one,
    on_part: Callable[[Told], None] = lambda _: None,
) -> Told:
    """Model all partitions; `on_part` is called after each. What the series have in common is
    estimated from the whole dataset first.

    Raises:
        DataError: a file is no partition, or a parameter has no value. RunError: workers fail.
    """
    job = replace(job, pooled=pooled_noise_of(paths))
    told = Told(0, 0, ())
    for part in each(_Modeller(job), paths):
        on_part(part)
        told = told.with_other(part, job.top)
    if not told.series:
        raise DataError(f"{paths[0].parent}: holds no series")
    return told


class _Modeller:
    """The job as a function of the partition, which can be sent to workers."""

    def __init__(self, job: Job) -> None:
        self._job = job

    def __call__(self, path: Path) -> Told:
        return model_partition(path, self._job)


def joined_lines(folder: Path) -> Iterator[str]:
    """The JSON of all models in the order of the measurements, merged line by line from the files
    of the partitions, which are ordered."""
    files = sorted(folder.glob("*.lines"))
    while len(files) > _MOST_OPEN:
        some, files = files[:_MOST_OPEN], files[_MOST_OPEN:]
        merged = folder / f"{some[0].stem}+.lines"
        with merged.open("w", encoding="utf-8") as target:
            target.writelines(_merged(some))
        for path in some:
            path.unlink()
        files.append(merged)
    for line in _merged(files):
        yield line.partition(" ")[2].rstrip("\n")


def _merged(files: Sequence[Path]) -> Iterator[str]:
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(path.open(encoding="utf-8")) for path in files]
        yield from heapq.merge(*streams, key=lambda line: int(line.partition(" ")[0]))
