"""Contiguous containers: begin, end, end of the storage."""

from __future__ import annotations

from .code import BEGIN, END, GROWN, SIZED, Code, Table

_ROOM = 16
"""The offset of the end of the storage."""


def _holds(c: Code, this: str, bytes_: str) -> None:
    c.tell(SIZED, c.shape.own, this, f"i64 {bytes_}")
    start = c.storage(this)
    c.store(start, this, BEGIN)
    c.store(c.moved(start, bytes_), this, END)
    c.store(c.unknown(), this, _ROOM)


def _empty(c: Code) -> None:
    _holds(c, c.this, "0")
    c.returned()


def _of_number(c: Code) -> None:
    c.check(c.first)
    c.new_rows(2 if "v" in c.shape.kinds else None)
    _holds(c, c.this, c.times(c.first, c.element))
    c.returned()


def _like(c: Code) -> None:
    c.same_rows(c.first)
    start, end = c.load(c.first, BEGIN), c.end(c.first)
    _holds(c, c.this, c.between(start, end))
    c.returned()


def _taken(c: Code) -> None:
    c.same_rows(c.first)
    start, end = c.load(c.first, BEGIN), c.end(c.first)
    c.tell(SIZED, c.shape.own, c.this, f"i64 {c.between(start, end)}")
    _holds(c, c.first, "0")
    c.store(start, c.this, BEGIN)
    c.store(end, c.this, END)
    c.store(c.unknown(), c.this, _ROOM)
    c.returned()


def _range_bytes(c: Code, start: str, end: str) -> str:
    """Bytes that as many elements take as lie between two iterators."""
    found = c.between(start, end)
    if c.shape.iterated == c.element:
        return found
    number = c.new(f"sdiv exact i64 {found}, {c.shape.iterated}")
    return c.times(number, c.element)


def _of_range(c: Code) -> None:
    c.unknown_rows()
    _holds(c, c.this, _range_bytes(c, c.shape.parameters[1], c.shape.parameters[2]))
    c.returned()


def _of_values(c: Code) -> None:
    c.unknown_rows()
    _holds(c, c.this, c.times(c.shape.parameters[2], c.element))
    c.returned()


def _grows(c: Code, bytes_: str) -> str:
    """The end moves; returns where it was."""
    c.tell(GROWN, c.shape.own, c.this, f"i64 {bytes_}")
    end = c.end(c.this)
    c.store(c.moved(end, bytes_), c.this, END)
    c.store(c.unknown(), c.this, _ROOM)
    return end


def _pushed(c: Code) -> None:
    if len(c.shape.kinds) > 1:
        c.unknown_rows()
    else:
        c.new_rows(1 if c.shape.kinds else None)
    end = _grows(c, str(c.element))
    c.do("ret void" if c.shape.result == "void" else f"ret ptr {end}")


def _popped(c: Code) -> None:
    _grows(c, str(-c.element))
    c.returned()


def _inserted(c: Code) -> None:
    if c.shape.kinds == "iv":
        c.new_rows(2)
    else:
        c.unknown_rows()
    _grows(c, str(c.element))
    c.returned()


def _inserted_number(c: Code) -> None:
    c.check(c.shape.parameters[2])
    c.new_rows(3)
    _grows(c, c.times(c.shape.parameters[2], c.element))
    c.returned()


def _inserted_range(c: Code) -> None:
    c.unknown_rows()
    _grows(c, _range_bytes(c, c.shape.parameters[2], c.shape.parameters[3]))
    c.returned()


def _inserted_values(c: Code) -> None:
    c.unknown_rows()
    _grows(c, c.times(c.shape.parameters[3], c.element))
    c.returned()


def _erased_range(c: Code) -> None:
    _grows(c, c.minus(c.between(c.shape.parameters[1], c.shape.parameters[2])))
    c.returned()


def _cleared(c: Code) -> None:
    c.tell(SIZED, c.shape.own, c.this, "i64 0")
    c.store(c.load(c.this, BEGIN), c.this, END)
    c.returned()


def _room_changed(c: Code) -> None:
    c.store(c.unknown(), c.this, _ROOM)
    c.returned()


def _exchanged(c: Code) -> None:
    ones = c.load(c.this, BEGIN), c.end(c.this)
    others = c.load(c.first, BEGIN), c.end(c.first)
    c.same_rows(c.first)
    c.tell(SIZED, c.shape.own, c.this, f"i64 {c.between(*others)}")
    c.tell(SIZED, c.shape.own, c.first, f"i64 {c.between(*ones)}")
    for offset, one, other in zip((BEGIN, END), ones, others, strict=True):
        c.store(other, c.this, offset)
        c.store(one, c.first, offset)
    c.store(c.unknown(), c.this, _ROOM)
    c.store(c.unknown(), c.first, _ROOM)
    c.returned()


VECTOR_MODELS: Table = {
    "vector": (
        ("", _empty),
        ("nv?", _of_number),
        ("c", _like),
        ("m", _taken),
        ("ii", _of_range),
        ("l", _of_values),
    ),
    "operator=": (("c", _like), ("m", _taken), ("l", _of_values)),
    "assign": (("nv", _of_number), ("ii", _of_range), ("l", _of_values)),
    "resize": (("nv?", _of_number),),
    "reserve": (("n", _room_changed),),
    "shrink_to_fit": (("", _room_changed),),
    "push_back": (("v", _pushed),),
    "emplace_back": (("v*", _pushed),),
    "pop_back": (("", _popped),),
    "clear": (("", _cleared),),
    "insert": (
        ("iv", _inserted),
        ("inv", _inserted_number),
        ("iii", _inserted_range),
        ("il", _inserted_values),
    ),
    "emplace": (("iv*", _inserted),),
    "erase": (("i", _popped), ("ii", _erased_range)),
    "swap": (("s", _exchanged),),
}
