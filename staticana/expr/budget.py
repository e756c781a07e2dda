"""A limit on the CPU time that one count may take: beyond it that count is refused, and the rest
goes on."""

from __future__ import annotations

import time
from contextvars import ContextVar, Token
from typing import Generic, TypeVar

_K = TypeVar("_K")
_V = TypeVar("_V")

_EVERY = 128  # calls of `check` for one look at the clock, which is a system call


class _Deadline:
    """So many seconds from the first look at the clock, but not beyond `outer`; and how often it
    was asked for."""

    __slots__ = ("asked", "at", "outer", "seconds")

    def __init__(self, seconds: float, outer: _Deadline | None) -> None:
        self.seconds, self.outer = seconds, outer
        self.at: float | None = None
        self.asked = 0

    def end(self, now: float) -> float:
        """The time of the process's clock at which it is reached; it starts where it is first asked
        for."""
        if self.at is None:
            at = now + self.seconds
            self.at = at if self.outer is None else min(at, self.outer.end(now))
        return self.at


_deadline: ContextVar[_Deadline | None] = ContextVar("deadline", default=None)


class OverBudget(Exception):
    """The time for one count is used up."""


class Budget:
    """Everything inside raises `OverBudget` once it has used `seconds` of CPU time (an outer budget
    still holds). The clock, which is a system call, starts with the first formula that is built:
    most counts are numbers."""

    __slots__ = ("_seconds", "_token")
    _token: Token[_Deadline | None]

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        self._token = _deadline.set(_Deadline(self._seconds, _deadline.get()))

    def __exit__(self, *exception: object) -> None:
        _deadline.reset(self._token)


def check() -> None:
    """Called where formulas are built.

    Raises:
        OverBudget: the time is used up.
    """
    deadline = _deadline.get()
    if deadline is not None:
        if deadline.asked % _EVERY == 0:
            now = time.process_time()
            if now > deadline.end(now):
                raise OverBudget
        deadline.asked += 1


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
