"""Deques, as if their elements lay one behind the other."""

from __future__ import annotations

from .code import Body, Code, Table
from .counted import counted


def deque_models(start: int, end: int) -> Table:
    """libstdc++: `start`, `end`: where the two iterators are, which begin with an address."""

    def span(c: Code, this: str, bytes_: str) -> None:
        first = c.storage(this)
        c.store(first, this, start)
        c.store(c.moved(first, bytes_), this, end)

    def bytes_of(c: Code, base: str) -> str:
        return c.between(c.load(base, start), c.load(base, end))

    def empty(c: Code) -> None:
        span(c, c.this, "0")
        c.returned()

    def of_number(c: Code) -> None:
        c.check(c.first)
        span(c, c.this, c.times(c.first, c.element))
        c.returned()

    def like(c: Code) -> None:
        span(c, c.this, bytes_of(c, c.first))
        c.returned()

    def taken(c: Code) -> None:
        held = bytes_of(c, c.first)
        span(c, c.first, "0")
        span(c, c.this, held)
        c.returned()

    def of_values(c: Code) -> None:
        span(c, c.this, c.times(c.shape.parameters[2], c.element))
        c.returned()

    def moves(field_: int, sign: int) -> Body:
        def write(c: Code) -> None:
            c.store(c.moved(c.load(c.this, field_), str(sign * c.element)), c.this, field_)
            c.returned()

        return write

    def number(c: Code) -> None:
        c.do(f"ret i64 {c.new(f'sdiv exact i64 {bytes_of(c, c.this)}, {c.element}')}")

    def exchanged(c: Code) -> None:
        one, other = bytes_of(c, c.this), bytes_of(c, c.first)
        span(c, c.this, other)
        span(c, c.first, one)
        c.returned()

    def any_number(c: Code) -> None:
        c.store(c.unknown(), c.this, start)
        c.store(c.unknown(), c.this, end)
        c.returned()

    return {
        "deque": (
            ("", empty),
            ("nv?", of_number),
            ("c", like),
            ("m", taken),
            ("l", of_values),
            (".*", any_number),
        ),
        "operator=": (("c", like), ("m", taken), ("l", of_values)),
        "assign": (("nv", of_number), ("l", of_values), (".*", any_number)),
        "resize": (("nv?", of_number),),
        "clear": (("", empty),),
        "push_back": ((".", moves(end, 1)),),
        "emplace_back": ((".*", moves(end, 1)),),
        "pop_back": (("", moves(end, -1)),),
        "push_front": ((".", moves(start, -1)),),
        "emplace_front": ((".*", moves(start, -1)),),
        "pop_front": (("", moves(start, 1)),),
        "size": (("", number),),
        "swap": (("s", exchanged),),
        "operator[]": ((".*", _somewhere),),
        "at": ((".*", _somewhere),),
        **dict.fromkeys(("front", "back"), (("", _somewhere),)),
        **dict.fromkeys(("insert", "emplace", "erase"), ((".*", any_number),)),
    }


def _somewhere(c: Code) -> None:
    """An element, wherever it is."""
    c.do(f"ret ptr {c.storage(c.this)}")


def iterator_models(field_: int) -> Table:
    """An iterator over a deque; `field_`: where its address is."""

    def by(sign: int) -> Body:
        def write(c: Code) -> None:
            c.store(c.moved(c.load(c.this, field_), str(sign * c.element)), c.this, field_)
            c.do(f"ret ptr {c.this}")

        return write

    return {"operator++": (("", by(1)),), "operator--": (("", by(-1)),)}


def numbered_deque_models(start: int, size: int) -> Table:
    """libc++: the number of the first element in its blocks, and how many there are."""
    does = counted(size)

    def moved_start(amount: int, then: Body) -> Body:
        def write(c: Code) -> None:
            c.store(
                c.new(f"add nsw i64 {c.load(c.this, start, 'i64')}, {amount}"), c.this, start, "i64"
            )
            then(c)

        return write

    def from_zero(then: Body) -> Body:
        def write(c: Code) -> None:
            c.store("0", c.this, start, "i64")
            then(c)

        return write

    def iterator(at_end: bool) -> Body:
        def write(c: Code) -> None:
            at = c.load(c.this, start, "i64")
            if at_end:
                at = c.new(f"add nsw i64 {at}, {c.load(c.this, size, 'i64')}")
            place = c.moved(c.storage(c.this), c.times(at, c.element))
            pair = c.new("alloca { ptr, ptr }, align 8")
            c.store("null", pair, 0)
            c.store(place, pair, 8)
            c.do(f"ret {{ ptr, ptr }} {c.load(pair, 0, '{ ptr, ptr }')}")

        return write

    made = {name: from_zero(does[name]) for name in ("empty", "of_number", "like", "of_values")}
    return {
        "deque": (
            ("", made["empty"]),
            ("nv?", made["of_number"]),
            ("c", made["like"]),
            ("m", from_zero(does["taken"])),
            ("l", made["of_values"]),
            (".*", from_zero(does["any"])),
        ),
        "operator=": (
            ("c", made["like"]),
            ("m", from_zero(does["taken"])),
            ("l", does["of_values"]),
        ),
        "assign": (("nv", does["of_number"]), ("l", does["of_values"]), (".*", does["any"])),
        "resize": (("nv?", does["of_number"]),),
        "clear": (("", does["empty"]),),
        "push_back": ((".", does["more"]),),
        "emplace_back": ((".*", does["more"]),),
        "pop_back": (("", does["less"]),),
        "push_front": ((".", moved_start(-1, does["more"])),),
        "emplace_front": ((".*", moved_start(-1, does["more"])),),
        "pop_front": (("", moved_start(1, does["less"])),),
        "swap": (("s", does["exchanged"]),),
        **dict.fromkeys(("begin", "cbegin"), (("", iterator(False)),)),
        **dict.fromkeys(("end", "cend"), (("", iterator(True)),)),
        **dict.fromkeys(("operator[]", "at", "front", "back"), ((".*", _somewhere),)),
        **dict.fromkeys(("insert", "emplace", "erase"), ((".*", does["any"]),)),
    }
