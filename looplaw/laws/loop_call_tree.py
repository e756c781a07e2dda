"""What runs inside a loop, directly or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

T = TypeVar("T")


def gathered(
    inner: Mapping[str, Iterable[str]], own: Mapping[str, Iterable[T]]
) -> dict[str, tuple[T, ...]]:
    """For each loop what it has of its own and what all loops that run inside it have, directly or
    not, each once.

    Args:
        inner: place of a loop -> those of the loops that run directly inside it
            (`LoopResult.inner`); loops of functions that call themselves are inside each other.
    """
    return {
        at: tuple(dict.fromkeys(item for loop in _within(at, inner) for item in own.get(loop, ())))
        for at in inner
    }


def _within(at: str, inner: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """A loop and those that run inside it, each once and behind one that it is inside of."""
    seen, waiting = set[str](), [at]
    while waiting:
        loop = waiting.pop()
        if loop not in seen:
            seen.add(loop)
            yield loop
            waiting += reversed(tuple(inner.get(loop, ())))
