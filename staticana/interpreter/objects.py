"""The memory of a run: objects of bytes, of which some are known.

An object is a local variable, or a global that holds what it starts with. What is stored is kept as
it is, by its offset; what is read must have been stored as a whole, or as bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from ..ir.data_layout import Layout
from ..ir.initialisers import text_of
from ..ir.integers import signed
from ..ir.tokens import constant_address, split_top, split_type
from ..ir.types import Global, GlobalRef, int_bits, operand
from .numbers import Address, Value, literal

_LONGEST = 1 << 12
"""Bytes of a text or of an array that are copied or compared."""
_LARGEST = 1 << 14
"""Elements of the initialiser of a global."""
_WIDEST = 8
"""Bytes of the largest value that is kept."""


class _Cell(NamedTuple):
    size: int
    kind: str
    value: Value


class _Object:
    """cells: by their offset; fill: the byte that all others are; None where they are not known."""

    def __init__(self, size: int | None, fill: int | None) -> None:
        self.size, self.fill = size, fill
        self.cells: dict[int, _Cell] = {}
        self.is_constant = False
        self.is_known = False  # to what the run does not follow


class Objects:
    """What the objects of one run hold; `constant` finds a global that is never written."""

    def __init__(self, layout: Layout, constant: Callable[[str], Global | None]) -> None:
        self._layout, self._constant = layout, constant
        self._objects: dict[str, _Object] = {}

    def make(self, name: str, size: int | None) -> Address:
        """A new object, of which nothing is known."""
        self._objects[name] = _Object(size, None)
        return Address(name, 0)

    def end(self, names: Iterable[str]) -> None:
        """Forget objects that are gone: the local variables of a call that came back."""
        for name in names:
            self._objects.pop(name, None)

    def held(self) -> dict[str, tuple[int | None, bool, dict[int, _Cell]]]:
        """What the objects that may be written hold now."""
        return {
            name: (found.fill, found.is_known, dict(found.cells))
            for name, found in self._objects.items()
            if not found.is_constant
        }

    def hand_out(self, values: Iterable[Value]) -> None:
        """These addresses are known now to what is not followed."""
        for v in values:
            if isinstance(v, Address) and v.base in self._objects:
                self._objects[v.base].is_known = True

    def forget(self) -> None:
        """What is not followed may have written to all that it knows."""
        for found in self._objects.values():
            if not found.is_constant and found.is_known:
                found.cells, found.fill = {}, None

    def forget_object(self, name: str) -> None:
        """What one object holds is not known any more."""
        found = self._objects.get(name)
        if found is not None and not found.is_constant:
            found.cells, found.fill = {}, None

    # -- reads and writes
    def load(self, at: Address, kind: str) -> Value:
        """The value of a type at an address."""
        found, size = self._at(at.base), self._layout.size(kind)
        if found is None or size is None or size > _WIDEST or not _is_inside(found, at, size):
            return None
        if found.is_known:  # another thread may write there
            return None
        cell = found.cells.get(at.offset)
        if cell is not None and cell.size == size:
            return cell.value if cell.kind == kind else None
        width = int_bits(kind)
        if width is None:
            is_zero = kind == "ptr" and found.fill == 0 and not self._overlapped(found, at, size)
            return 0 if is_zero else None
        number = 0
        for k in range(size):
            byte = self._byte(found, at.offset + k)
            if byte is None:
                return None
            number |= byte << 8 * k
        return signed(number, width)

    def store(self, at: Address, kind: str, value: Value) -> None:
        """Put a value at an address."""
        found, size = self._at(at.base), self._layout.size(kind)
        if found is None or found.is_constant:
            return
        if size is None:
            self.forget_object(at.base)
            return
        self._cut(found, at.offset, size)
        found.cells[at.offset] = _Cell(size, kind, value)

    def copy(self, to: Address, source: Address, size: int) -> None:
        """Copy bytes, as memcpy does."""
        target, found = self._at(to.base), self._at(source.base)
        if target is None or target.is_constant:
            return
        if found is None or size > _LONGEST:
            self.forget_object(to.base)
            return
        start, end = source.offset, source.offset + size
        cells = {o: c for o, c in found.cells.items() if start <= o and o + c.size <= end}
        covered = {k for o, c in cells.items() for k in range(o, o + c.size)}
        rest = {
            k: _Cell(1, "i8", None if (b := self._byte(found, k)) is None else signed(b, 8))
            for k in range(start, end)
            if k not in covered
        }
        self._cut(target, to.offset, size)
        target.cells |= {o - start + to.offset: c for o, c in (cells | rest).items()}

    def fill(self, at: Address, byte: int, size: int) -> None:
        """Set bytes, as memset does."""
        found = self._at(at.base)
        if found is None or found.is_constant:
            return
        if at.offset == 0 and size == found.size:
            found.cells, found.fill = {}, byte % 256
        elif size <= _LONGEST:
            self._cut(found, at.offset, size)
            found.cells |= {at.offset + k: _Cell(1, "i8", signed(byte, 8)) for k in range(size)}
        else:
            self.forget_object(at.base)

    def text(self, at: Value) -> bytes | None:
        """The text that ends with a 0."""
        found = self._at(at.base) if isinstance(at, Address) else None
        if found is None or not isinstance(at, Address):
            return None
        result = bytearray()
        for k in range(at.offset, at.offset + _LONGEST):
            byte = self._byte(found, k)
            if not byte:
                return bytes(result) if byte == 0 else None
            result.append(byte)
        return None

    def put(self, at: Address, text: bytes) -> None:
        """Write a text, and its 0."""
        for k, byte in enumerate((*text, 0)):
            self.store(Address(at.base, at.offset + k), "i8", signed(byte, 8))

    # -- parts
    def _at(self, name: str) -> _Object | None:
        if name not in self._objects:
            g = self._constant(name)
            if g is None:
                return None
            self._objects[name] = self._started(g)
        return self._objects[name]

    def _started(self, g: Global) -> _Object:
        found = _Object(self._layout.size(g.type), None)
        found.is_constant = True
        self._initialise(found, 0, g.type, g.initializer)
        return found

    def _initialise(self, found: _Object, offset: int, kind: str, text: str) -> None:
        size = self._layout.size(kind)
        if size is None or len(found.cells) > _LARGEST:
            return
        if text in ("zeroinitializer", "null"):
            if offset == 0 and size == found.size:
                found.fill = 0
            elif size <= _LONGEST:
                found.cells |= {offset + k: _Cell(1, "i8", 0) for k in range(size)}
                if kind == "ptr":
                    self._cut(found, offset, size)
                    found.cells[offset] = _Cell(size, kind, 0)
            return
        data = text_of(text)
        if data is not None:
            found.cells |= {offset + k: _Cell(1, "i8", signed(b, 8)) for k, b in enumerate(data)}
            return
        if text[:1] not in "[{<":
            found.cells[offset] = _Cell(size, kind, self._constant_value(kind, text))
            return
        inner = self._layout.element(kind)
        each = self._layout.size(inner) if inner is not None else None
        inside = text.strip("<>") if text.startswith("<{") else text
        for k, part in enumerate(split_top(inside.strip()[1:-1])):
            field = self._layout.offset(kind, k)
            at, type_ = field if field is not None else (k * (each or 0), inner or "?")
            self._initialise(found, offset + at, type_, split_type(part)[1])

    def _constant_value(self, kind: str, text: str) -> Value:
        token = operand(text)
        if kind != "ptr":
            return literal(token, kind)
        if isinstance(token, GlobalRef):
            return Address(token, 0)
        return self.constant_address(text)

    def constant_address(self, text: str) -> Value:
        """The address that a constant expression is."""
        parts = constant_address(text)
        if parts is None or not isinstance(parts[0], GlobalRef):
            return None
        offset, kind = 0, parts[1]
        for k, index in enumerate(parts[2]):
            number = literal(index, "i64")
            if not isinstance(number, int):
                return None
            field = self._layout.offset(kind, number) if k else None
            inner = self._layout.element(kind) if k else kind
            size = self._layout.size(inner) if inner is not None else None
            if field is not None:
                offset, kind = offset + field[0], field[1]
            elif size is not None and inner is not None:
                offset, kind = offset + number * size, inner
            else:
                return None
        return Address(parts[0], offset)

    def _byte(self, found: _Object, offset: int) -> int | None:
        if offset < 0 or (found.size is not None and offset >= found.size):
            return None
        cell = found.cells.get(offset)
        if cell is not None and cell.size == 1:
            return cell.value % 256 if isinstance(cell.value, int) else None
        for k in range(_WIDEST):
            cell = found.cells.get(offset - k)
            if cell is not None and cell.size > k:
                whole = isinstance(cell.value, int) and int_bits(cell.kind) is not None
                return (int(cell.value) >> 8 * k) % 256 if whole else None  # type: ignore[arg-type]
        return found.fill

    def _overlapped(self, found: _Object, at: Address, size: int) -> bool:
        return any(
            (c := found.cells.get(o)) is not None and o + c.size > at.offset
            for o in range(at.offset - _WIDEST + 1, at.offset + size)
        )

    def _cut(self, found: _Object, offset: int, size: int) -> None:
        """Take out what some bytes are part of; what is left of it is bytes."""
        if size > 4 * len(found.cells) + _WIDEST:
            near = [o for o in found.cells if offset - _WIDEST < o < offset + size]
        else:
            near = [o for o in range(offset - _WIDEST + 1, offset + size) if o in found.cells]
        for o in near:
            cell = found.cells[o]
            if o + cell.size <= offset:
                continue
            outside = [k for k in range(o, o + cell.size) if not offset <= k < offset + size]
            left = {k: self._byte(found, k) for k in outside}
            del found.cells[o]
            for k, byte in left.items():
                found.cells[k] = _Cell(1, "i8", None if byte is None else signed(byte, 8))


def _is_inside(found: _Object, at: Address, size: int) -> bool:
    return at.offset >= 0 and (found.size is None or at.offset + size <= found.size)
