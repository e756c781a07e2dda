"""Limits on the CPU time that one count may take, and on the memory of the process: beyond them
that count is refused, and the rest goes on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from typing import Generic, TypeVar

from looplaw_common.limits import resident, written_size

_K = TypeVar("_K")
_V = TypeVar("_V")

DEFAULT_SECONDS = 2.0
"""CPU time for one count where nothing else is said: most take milliseconds."""
RUNS = 1_000_000
"""Instructions that are run where constants decide a loop: half a second."""
PROOFS = 5_000_000
"""Steps of the proofs of an analysis: about two seconds."""
_PROOFS_A_SECOND = 600_000
"""Those for each second that all counts may take: a quarter of it."""
_EVERY = 128  # calls of `check` for one look at the clock
_GRACE = 0.125
"""Part of the time for all counts in which, after it, what needs no formula is still counted; and
again in which what was found is written down."""
_LEAST_GRACE = 0.5
"""Seconds for the same, at least."""
_BORROWED = 4
"""Times the mean that one function may take of the time for all."""
_FEW = 64
"""Values of registers that are sought for a count which has no time."""
_SLACK = 0.02
"""Seconds by which a reading of the process's clock may be old: to read it is a system call, which
takes longer in a container than most counts do."""


class _Clock:
    """CPU time of the process, asked for anew only where wall-clock time, which is cheap to read,
    has gone on by `_SLACK`. One thread uses no more of the one than passes of the other."""

    __slots__ = ("_read",)

    def __init__(self) -> None:
        self._read = (float("-inf"), 0.0)  # wall-clock and CPU time when it was read the last time

    def now(self, seconds: float) -> float:
        """CPU time in seconds, old by no more than `_SLACK` or what is to be measured."""
        wall, cpu = time.perf_counter(), self._read[1]
        if wall - self._read[0] >= min(_SLACK, seconds):
            cpu = time.process_time()
            self._read = wall, cpu
        return cpu


_clock = _Clock()


class _Deadline:
    """So many seconds from the first look at the clock, but not beyond `outer`; and how often it
    was asked for."""

    __slots__ = ("asked", "at", "memory", "outer", "seconds", "sought")

    def __init__(self, seconds: float, outer: _Deadline | None, memory: MemoryLimit | None) -> None:
        self.seconds, self.outer, self.memory = seconds, outer, memory
        self.at: float | None = None
        self.asked = self.sought = 0

    def end(self, now: float) -> float:
        """The time of the process's clock at which it is reached; it starts where it is first asked
        for."""
        if self.at is None:
            at = now + self.seconds
            self.at = at if self.outer is None else min(at, self.outer.end(now))
        return self.at


_deadline: ContextVar[_Deadline | None] = ContextVar("deadline", default=None)


class OverBudget(Exception):
    """The time for one count is used up, or the memory."""


class OutOfTime(Exception):
    """The time for all counts is used up, and the grace after it."""


_LOOK = 0.02
"""Seconds between two looks at the memory: each is a file that is read."""


class MemoryLimit:
    """How much memory the process may take while it analyses; what `resident` tells, in bytes,
    every 20 ms at most."""

    __slots__ = ("_every", "_is_over", "_looked", "_resident", "most", "was_hit")

    def __init__(
        self, most: int, resident: Callable[[], int] = resident, every: float = _LOOK
    ) -> None:
        self.most = most
        self.was_hit = False  # by the count that was found last
        self._resident, self._every = resident, every
        self._looked, self._is_over = float("-inf"), False

    def is_over(self) -> bool:
        """Is it exceeded?"""
        now = time.perf_counter()
        if now - self._looked >= self._every:
            self._is_over = self._resident() > self.most
            self._looked = time.perf_counter()
        return self._is_over


_memory: ContextVar[MemoryLimit | None] = ContextVar("memory", default=None)


class Budget:
    """Everything inside raises `OverBudget` once it has used `seconds` of CPU time (an outer budget
    still holds). The clock, which is a system call, starts with the first formula that is built:
    most counts are numbers.

    is_found: the count is only written down, for which there is always memory.
    """

    __slots__ = ("_is_found", "_seconds", "_token")
    _token: Token[_Deadline | None]

    def __init__(self, seconds: float, *, is_found: bool = False) -> None:
        self._seconds, self._is_found = seconds, is_found

    def __enter__(self) -> None:
        memory = None if self._is_found else _memory.get()
        if memory is not None:
            memory.was_hit = False
        self._token = _deadline.set(_Deadline(self._seconds, _deadline.get(), memory))

    def __exit__(self, *exception: object) -> None:
        _deadline.reset(self._token)


@contextmanager
def apart() -> Iterator[None]:
    """What is done here has a limit of its own: the time of the counts around does not pass, and as
    much as the innermost one may take is given for it.

    Raises:
        OverBudget: that is used up, or the memory.
    """
    outer = _deadline.get()
    if outer is None or outer.seconds <= 0:
        yield
        return
    start = time.process_time()
    token = _deadline.set(_Deadline(outer.seconds, None, outer.memory))
    try:
        yield
    finally:
        _deadline.reset(token)
        taken = time.process_time() - start
        around: _Deadline | None = outer
        while around is not None:
            around.at = None if around.at is None else around.at + taken
            around = around.outer


def check() -> None:
    """Called where formulas are built.

    Raises:
        OverBudget: the time is used up, or the memory.
    """
    deadline = _deadline.get()
    if deadline is not None:
        if deadline.asked % _EVERY == 0:
            if deadline.seconds <= 0:
                raise OverBudget
            now = _clock.now(deadline.seconds)
            if now >= deadline.end(now):
                raise OverBudget
            memory = deadline.memory
            if memory is not None and memory.is_over():
                memory.was_hit = True
                raise OverBudget
        deadline.asked += 1


def check_values() -> None:
    """Called where the value of a register is sought. Where no time is left, a few still are: what
    needs no formula is counted, but a long search is not begun again for each count.

    Raises:
        OverBudget: the time is used up, or the memory.
    """
    deadline = _deadline.get()
    if deadline is not None and deadline.seconds <= 0:
        deadline.sought += 1
        if deadline.sought > _FEW:
            raise OverBudget
    else:
        check()


class Allowance:
    """What one analysis may take, and how far it is. Its time begins when it is made, or is told
    to `begin`.

    seconds: CPU time of one count. proofs: steps that are left for the proofs of bounds by ranking
    functions, the same on every machine; proofs_of_reads: those for bounds over the largest value
    that is read; proofs_of_marks: those by marks of elements; runs: instructions that are left to
    be run where constants decide. total: CPU time after which each further count gets
    `LEAST` only; None for no limit. grace: CPU time beyond that (or beyond `stop`) after which
    nothing is counted any more; by default an eighth of the time before, and half a second at
    least. progress: called with (done, all) functions as they are finished. memory: of the process;
    while it is exceeded, counts get `LEAST`, too.
    """

    LEAST = 0.0
    """Seconds for a count where the time for all is used up: what needs no formula is still
    counted."""

    def __init__(
        self,
        seconds: float,
        total: float | None = None,
        progress: Callable[[int, int], None] = lambda done, number: None,
        memory: MemoryLimit | None = None,
        grace: float | None = None,
    ) -> None:
        self._seconds, self._total, self._memory = seconds, total, memory
        self._start = time.process_time()
        self._stopped: float | None = None  # when, by the clock of the process
        self._grace = grace
        self._was_over = False
        self._fill()
        self._renewed = float("-inf")  # the end of another grace
        self.progress = progress

    def _fill(self) -> None:
        most = PROOFS if self._total is None else min(PROOFS, int(self._total * _PROOFS_A_SECOND))
        self.proofs, self.proofs_of_reads, self.runs = most, most // 2, RUNS
        self.proofs_of_marks = most

    def stop(self) -> None:
        """Let the analysis come to an end: what is not counted yet gets `LEAST`, too. May be called
        by a handler of signals."""
        self._stopped = time.process_time()

    @property
    def is_stopped(self) -> bool:
        """Was the analysis told to come to an end?"""
        return self._stopped is not None

    def begin(self) -> None:
        """Let the time for all begin now: the program is read."""
        self._start = time.process_time()

    @property
    def is_bounded(self) -> bool:
        """Is there a limit on the time for all?"""
        return self._total is not None

    @contextmanager
    def uncounted(self) -> Iterator[None]:
        """What is done here is part of reading the program: the time for all does not pass."""
        start = time.process_time()
        try:
            yield
        finally:
            self._start += time.process_time() - start

    @contextmanager
    def watched(self) -> Iterator[None]:
        """While the analysis runs: counts are refused that take the process over its memory."""
        token = _memory.set(self._memory)
        try:
            yield
        finally:
            _memory.reset(token)

    @property
    def is_used_up(self) -> bool:
        """Is the time for all counts used up, or the memory, or the analysis stopped?"""
        if self.is_stopped or self._is_late:
            return True
        return self._memory is not None and self._memory.is_over()

    @property
    def _is_late(self) -> bool:
        return self._total is not None and time.process_time() - self._start > self._total

    @property
    def is_over(self) -> bool:
        """Is even the time up in which what needs no formula is counted? What is not counted by now
        stays so. Once it is, it remains."""
        self._was_over = self._was_over or self._is_beyond_grace()
        return self._was_over

    def go_on(self) -> None:
        """Called where much is left to do.

        Raises:
            OutOfTime: it `is_over`.
        """
        if self.is_over:
            raise OutOfTime

    def renew(self) -> None:
        """Begin another grace, in which what was found is written down."""
        self._was_over = False
        self._fill()
        self._renewed = time.process_time() + self._length_of_grace()

    def _is_beyond_grace(self) -> bool:
        if self._total is None and self._stopped is None:
            return False
        return time.process_time() > max(self._end() + self._length_of_grace(), self._renewed)

    def _end(self) -> float:
        """The end of the time for all, where there is one."""
        end = float("inf") if self._total is None else self._start + self._total
        return end if self._stopped is None else min(end, self._stopped)

    def _length_of_grace(self) -> float:
        if self._grace is not None:
            return self._grace
        return max(_LEAST_GRACE, _GRACE * (self._end() - self._start))

    @property
    def each(self) -> float:
        """CPU time for writing down one count that is found."""
        return self._seconds

    @property
    def seconds(self) -> float:
        """CPU time for finding the next count."""
        return min(self._seconds, self.LEAST) if self.is_used_up else self._seconds

    @property
    def refusal(self) -> str:
        """Why a count that took too long has no formula."""
        if self.is_stopped:
            return "budget: the analysis was interrupted before"
        if self._memory is not None and (self._memory.was_hit or self._memory.is_over()):
            return f"budget: the analysis takes more than {written_size(self._memory.most)}"
        if self._is_late:
            return f"budget: the analysis takes longer than {self._total:g} s"
        return f"budget: its count takes longer than {self._seconds:g} s"


class Provisional(Generic[_K, _V]):
    """An entry that stands while the real one is being found; it goes when the time runs out
    before."""

    __slots__ = ("_key", "_memo")

    def __init__(self, memo: dict[_K, _V], key: _K, stand_in: _V) -> None:
        self._memo, self._key = memo, key
        memo[key] = stand_in

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is not None and issubclass(kind, OverBudget):
            self._memo.pop(self._key, None)


def shared_out(
    number: int, each: float | None, grace: float
) -> Iterator[tuple[float | None, float]]:
    """The CPU time that each of so many functions may take, and what may come on top without
    formulas: what others leave goes to the next ones, but no more than `_BORROWED` times as much as
    is left for one of those that remain."""
    if each is None:
        yield from ((None, grace) for _ in range(number))
        return
    start = time.process_time()

    def given(end: float, rest: int) -> float:
        left = max(0.0, end - time.process_time())
        return min(left, _BORROWED * left / rest)

    for rest in range(number, 0, -1):
        total = given(start + each * number, rest)
        yield total, given(start + (each + grace) * number, rest) - total
