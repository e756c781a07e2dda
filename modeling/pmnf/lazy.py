"""Sequences that are made when they are first looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar, overload

T = TypeVar("T")


class Lazy(Sequence[T]):
    """What make(of, k) returns, asked for once; equal to any tuple of the same items, and pickled
    as one. A function and what it is asked with, since a bound method is one more object for the
    garbage collector to visit."""

    __slots__ = ("_found", "_k", "_make", "_of")

    def __init__(self, make: Callable[[Any, int], tuple[T, ...]], of: Any, k: int) -> None:
        self._make, self._of, self._k = make, of, k
        self._found: tuple[T, ...] | None = None

    @property
    def _items(self) -> tuple[T, ...]:
        if self._found is None:
            self._found = self._make(self._of, self._k)
        return self._found

    def __iter__(self) -> Iterator[T]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...

    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        return self._items[index]

    def __eq__(self, other: object) -> bool:
        return tuple(other) == self._items if isinstance(other, (Lazy, tuple)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._items)

    def __repr__(self) -> str:
        return repr(self._items)

    def __reduce__(self) -> tuple[Callable[[Sequence[T]], tuple[T, ...]], tuple[tuple[T, ...]]]:
        return tuple, (self._items,)
