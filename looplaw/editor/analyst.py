"""The server's side of its worker: jobs in, answers out, and a new worker where one ended."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time

import msgspec

from looplaw_common.commands import own_environment, own_python

from .notes import Answer, Failed, Job

_LONGEST_LINE = 1 << 27
_PATIENCE_S = 5.0
"""A worker that does not end by itself within this time is killed."""
_RESTARTS, _WITHIN_S = 5, 60.0
"""So many workers may end by themselves within this time; then no more are started."""
_MARGIN_S = 5.0


class Reply(msgspec.Struct, frozen=True):
    """A line from the worker."""

    id: int
    answer: Answer | None = None
    failed: str | None = None


class Analyst:
    """Sends jobs to a worker process, which is started when it is first needed."""

    def __init__(self) -> None:
        self._worker: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._open: dict[int, asyncio.Future[Answer | Failed]] = {}
        self._numbers = itertools.count(1)
        self._starting = asyncio.Lock()
        self._started: list[float] = []

    async def answer(self, job: Job) -> Answer | Failed:
        """The notes of a job, or why there are none. Cancelling it ends the analysis."""
        number = next(self._numbers)
        found: asyncio.Future[Answer | Failed] = asyncio.get_running_loop().create_future()
        try:
            worker = await self.warm()
            if worker is None:
                return Failed("the analysis broke down again and again; restart the server")
            self._open[number] = found
            self._send(worker, {"id": number, "job": job})
            async with asyncio.timeout(job.options.limit + _MARGIN_S):
                return await found
        except TimeoutError:
            self._cancel(number)
            return Failed(f"{job.path}: the analysis took longer than {job.options.limit:g} s")
        except asyncio.CancelledError:
            self._cancel(number)
            raise
        except OSError as error:
            return Failed(f"the analysis cannot be started: {error}")
        finally:
            self._open.pop(number, None)

    async def warm(self) -> asyncio.subprocess.Process | None:
        """The worker, started where there is none; None where it ended too often.

        Raises:
            OSError: it cannot be started.
        """
        async with self._starting:
            if self._worker is not None and self._worker.returncode is None:
                return self._worker
            now = time.monotonic()
            self._started = [t for t in self._started if now - t < _WITHIN_S]
            if len(self._started) >= _RESTARTS:
                return None
            self._started.append(now)
            self._worker = await asyncio.create_subprocess_exec(
                *own_python("-m", "looplaw.editor.worker"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=own_environment(),
                cwd="/",
                limit=_LONGEST_LINE,
            )
            self._reading = asyncio.create_task(self._read(self._worker))
            return self._worker

    async def close(self) -> None:
        """End the worker and what it runs."""
        worker, self._worker = self._worker, None
        self._started = [time.monotonic()] * _RESTARTS  # no other is started
        if worker is None:
            return
        if worker.stdin is not None:
            worker.stdin.close()
        try:
            async with asyncio.timeout(_PATIENCE_S):
                await worker.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                worker.kill()
            await worker.wait()

    async def _read(self, worker: asyncio.subprocess.Process) -> None:
        assert worker.stdin is not None
        assert worker.stdout is not None
        try:
            while line := await worker.stdout.readline():
                reply = msgspec.json.decode(line, type=Reply)
                waiting = self._open.get(reply.id)
                if waiting is not None and not waiting.done():
                    waiting.set_result(reply.answer or Failed(reply.failed or "no answer"))
            await worker.wait()
        except asyncio.CancelledError:
            worker.stdin.close()  # the server ends, and with its last word so does the worker
            raise
        finally:
            for waiting in self._open.values():
                if not waiting.done():
                    waiting.set_result(Failed("the analysis ended"))

    def _cancel(self, number: int) -> None:
        if number in self._open and self._worker is not None:
            with contextlib.suppress(OSError, RuntimeError):
                self._send(self._worker, {"cancel": number})

    def _send(self, worker: asyncio.subprocess.Process, message: dict[str, object]) -> None:
        assert worker.stdin is not None
        worker.stdin.write(msgspec.json.encode(message) + b"\n")
