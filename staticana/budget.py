"""A limit on the CPU time that one count may take: beyond it that count is refused, and the rest goes on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

_K = TypeVar("_K")
_V = TypeVar("_V")

_EVERY = 128  # calls of `check` for one look at the clock, which is a system call


class _Deadline:
    """A time of the process's clock, and how often it was asked for."""

    __slots__ = ("asked", "at")

    def __init__(self, at: float) -> None:
        self.at, self.asked = at, 0


_deadline: ContextVar[_Deadline | None] = ContextVar("deadline", default=None)


class OverBudget(Exception):
    """The time for one count is used up."""


@contextmanager
def budget(seconds: float) -> Iterator[None]:
    """Everything inside raises `OverBudget` once it has used `seconds` of CPU time (an outer budget still holds)."""
    outer, at = _deadline.get(), time.process_time() + seconds
    token = _deadline.set(outer if outer is not None and outer.at <= at else _Deadline(at))
    try:
        yield
    finally:
        _deadline.reset(token)


def check() -> None:
    """Called where formulas are built.

    Raises:
        OverBudget: the time is used up.
    """
    deadline = _deadline.get()
    if deadline is not None:
        deadline.asked += 1
        if deadline.asked % _EVERY == 0 and time.process_time() > deadline.at:
            raise OverBudget


@contextmanager
def provisional(memo: dict[_K, _V], key: _K, stand_in: _V) -> Iterator[None]:
    """An entry that stands while the real one is being found; it goes when the time runs out before."""
    memo[key] = stand_in
    try:
        yield
    except OverBudget:
        memo.pop(key, None)
        raise
