"""A limit on the CPU time that one count may take: beyond it that count is refused, and the rest goes on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

_K = TypeVar("_K")
_V = TypeVar("_V")

_deadline: ContextVar[float] = ContextVar("deadline", default=float("inf"))


class OverBudget(Exception):
    """The time for one count is used up."""


@contextmanager
def budget(seconds: float) -> Iterator[None]:
    """Everything inside raises `OverBudget` once it has used `seconds` of CPU time (an outer budget still holds)."""
    token = _deadline.set(min(_deadline.get(), time.process_time() + seconds))
    try:
        yield
    finally:
        _deadline.reset(token)


def check() -> None:
    """Called where formulas are built.

    Raises:
        OverBudget: the time is used up.
    """
    if time.process_time() > _deadline.get():
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
