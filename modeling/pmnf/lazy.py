"""Sequences that are made when they are first looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any, Generic, TypeVar, cast, overload

from msgspec import Struct

T = TypeVar("T")


class Lazy(Struct, Generic[T], gc=False, eq=False):
    """What make(of, k) returns, asked for once: a sequence equal to any tuple of the same items,
    and pickled as one. A function and what it is asked with, since a bound method is one more
    object for the garbage collector to visit, which does not visit this one: what it is made of
    never leads back to it."""

    _make: Callable[[Any, int], tuple[T, ...]]
    _of: Any
    _k: int
    _found: tuple[T, ...] | None = None

    @property
    def _items(self) -> tuple[T, ...]:
        if self._found is None:
            self._found = self._make(self._of, self._k)
        return self._found

    def __iter__(self) -> Iterator[T]:
        return iter(self._items)

    def __reversed__(self) -> Iterator[T]:
        return reversed(self._items)

    def __contains__(self, item: object) -> bool:
        return item in self._items

    def __len__(self) -> int:
        return len(self._items)

    def index(self, value: Any, *between: int) -> int:
        """The place of the first item that equals the value."""
        return self._items.index(value, *between)

    def count(self, value: Any) -> int:
        """How many items equal the value."""
        return self._items.count(value)

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


Sequence.register(Lazy)


def lazies(
    make: Callable[[Any, int], tuple[T, ...]], of: Any, numbers: Iterable[int]
) -> Iterator[Sequence[T]]:
    """For each number k a sequence that make(of, k) returns when it is first looked at."""
    return cast("Iterator[Sequence[T]]", map(Lazy, repeat(make), repeat(of), numbers))
