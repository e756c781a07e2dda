"""Sizes of containers that are elements of containers: `a[i].size()` of a vector of vectors.

Elements are not followed one by one. But where all that happens to the rows of a container, in the
whole program, leaves them with the same number of bytes, each of them has these whenever it is
looked at (see `row_events`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ..expr import STORAGE_OF, Expr, Loaded, from_atom, is_storage, symbols
from ..frontend.model_bodies import GROWN, ROWS, SAME
from ..scev.context import FunctionContext
from ..scev.values import NO_PRECONDITIONS, Places, RowEvent, RowField, Value
from .row_addresses import ROW_BYTES, number_of, stepped, storage_of
from .row_events import RowEvents

if TYPE_CHECKING:
    from .memory import Memory

_FIELDS = (0, 8)
"""Offsets of begin and end in a vector."""


@dataclass(frozen=True)
class _Size:
    """The bytes that all rows of a container have, outside of some windows; `index`: the symbol for
    the number of the row."""

    bytes: Value
    index: str | None
    events: tuple[RowEvent, ...]


class Rows:
    """Answers for the rows of all containers of a program."""

    def __init__(self, memory: Memory) -> None:
        self.program = memory.program
        self._events = RowEvents(memory)
        self._sizes: dict[tuple[int, Places], _Size | None] = {}

    def field(self, view: FunctionContext, address: Expr, block: str) -> RowField | None:
        """The begin or the end of a row at an address, looked at in a block; None where that is
        none or not known."""
        if not self.program.row_events:
            return None
        address = stepped(view, address, block)
        storages, same = _alike(address)
        if not storages:
            return None
        storage, rest = storages[0], same - from_atom(storages[0])
        start = rest.terms.get((), 0)
        field = int(start) % ROW_BYTES if isinstance(start, int) else -1
        if field not in _FIELDS or any(c % ROW_BYTES for m, c in rest.terms.items() if m):
            return None
        size = self._common_size(view, storages)
        made = self._events.made_here(view, storage, block) if len(storages) == 1 else None
        if size is None and made is not None:
            size = _Size(made, None, ())
        if size is None or any(not self._is_filled(e, view, block) for e in size.events):
            return None
        begin = from_atom(Loaded(address - field, STORAGE_OF, "storage"))
        bytes_, needs = size.bytes.expr, size.bytes.preconditions
        if size.index is not None:
            bytes_ = bytes_.substitute({size.index: (rest - field) * Fraction(1, ROW_BYTES)})
        value = begin + bytes_ if field else begin
        return RowField(Value(value, needs), bytes_, needs)

    def _common_size(self, view: FunctionContext, storages: Sequence[Loaded]) -> _Size | None:
        """What the rows of all these containers have alike."""
        found: list[_Size] = []
        for storage in storages:
            places = self._events.places(view, storage.address)
            size = self._size(number_of(storage), places)
            if size is None or (found and size.bytes.expr != found[0].bytes.expr):
                return None
            found.append(size)
        needs = NO_PRECONDITIONS.union(*(f.bytes.preconditions for f in found))
        if len({f.index for f in found}) > 1:
            return None
        events = tuple(dict.fromkeys(e for f in found for e in f.events))
        return _Size(Value(found[0].bytes.expr, needs), found[0].index, events)

    @staticmethod
    def _is_filled(e: RowEvent, view: FunctionContext, block: str) -> bool:
        """Are the rows of an event looked at when the loop that fills them has ended?"""
        w = e.window
        if w is None or w.function != view.function.name:
            return True
        return block not in view.loops[w.header].blocks and view.forest.dominates(w.header, block)

    def _size(self, number: int, places: Places) -> _Size | None:
        key = (number, places)
        if key not in self._sizes:
            self._sizes[key] = self._find(number, places)
        return self._sizes[key]

    def events(self) -> dict[int, list[RowEvent] | None]:
        """All events of the program, by type of rows."""
        return self._events.all()

    def _find(self, number: int, places: Places) -> _Size | None:
        events = self.program.row_events.get(number)
        if events is None:
            return None
        own = _connected(events, places)
        found: Value | None = None
        index = next((e.index for e in own if e.index is not None), None)
        for e in own:
            if e.kind == SAME:
                continue
            if e.value is None or e.kind == GROWN:
                return None
            if any(symbols.is_internal(s) and s != index for s in e.value.expr.symbols):
                return None
            if found is not None and found.expr != e.value.expr:
                return None
            needs = e.value.preconditions | (found.preconditions if found else NO_PRECONDITIONS)
            found = Value(e.value.expr, needs)
        if found is None or not any(e.kind == ROWS for e in own):
            return None
        return _Size(found, index, tuple(e for e in own if e.window is not None))


def _alike(address: Expr) -> tuple[tuple[Loaded, ...], Expr]:
    """The containers among whose elements an address may lie, of one or, where containers take each
    other's elements in turn, of several; and the address as if it lay in the first of them."""
    storage = storage_of(address)
    if storage is not None:
        return (storage,), address
    found = sorted(
        (a for a in address.atoms if isinstance(a, Loaded) and is_storage(from_atom(a))),
        key=lambda a: a.key,
    )
    if not found or any(a.kind != found[0].kind for a in found):
        return (), address
    values = {a.key: from_atom(found[0]) for a in found}
    same = address.map_atoms(lambda a: values.get(a.key, from_atom(a)))
    return (tuple(found), same) if storage_of(same) == found[0] else ((), address)


def _connected(events: Sequence[RowEvent], places: Places) -> list[RowEvent]:
    """The events that may concern a container, or one from which its rows may come."""
    reached = places
    while True:
        more = reached
        for e in events:
            if e.kind == SAME and (_meet(e.container, more) or _meet(e.other, more)):
                both = None if e.container is None or e.other is None else e.container | e.other
                more = None if both is None or more is None else more | both
        if more == reached:
            break
        reached = more
    return [e for e in events if _meet(e.container, reached)]


def _meet(a: Places, b: Places) -> bool:
    """May two sets of places have one in common?"""
    if a is None or b is None:
        return True
    return any(
        base == other and (at is None or by is None or at == by)
        for base, at in a
        for other, by in b
    )
