"""Steps that the formulas of a command may take together.

A formula of ten characters may ask for a sum over a billion terms, and a file of others may hold
thousands of them. Each evaluation has a bound of its own; inside `bounded_steps`, what evaluations
take beyond the ordinary is drawn from one account, so that no file makes a command run for long.
Steps are counted, not seconds: the same file always has the same answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

ORDINARY = 256
"""Steps of an evaluation that nobody counts: formulas without sums visit fewer nodes."""
_TOGETHER = 1_500_000
"""Steps of all evaluations of a command beyond these, a few seconds."""


class _Account:
    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left


_account: ContextVar[_Account | None] = ContextVar("steps", default=None)


@contextmanager
def bounded_steps(together: int = _TOGETHER) -> Iterator[None]:
    """Inside, evaluations have no more steps together than this, beyond `ORDINARY` ones each."""
    token = _account.set(_Account(together))
    try:
        yield
    finally:
        _account.reset(token)


def allowed_steps(most: int) -> int:
    """Steps that the next evaluation may take, which would else be `most`."""
    account = _account.get()
    return most if account is None else min(most, ORDINARY + account.left)


def spend_steps(taken: int) -> None:
    """An evaluation has taken so many."""
    account = _account.get()
    if account is not None and taken > ORDINARY:
        account.left = max(0, account.left - (taken - ORDINARY))
