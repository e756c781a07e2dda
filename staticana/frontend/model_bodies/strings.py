"""Strings: where their characters are, and how many."""

from __future__ import annotations

from .code import Body, Code, Table
from .counted import counted

_CHARACTERS, _LENGTH = 0, 8
"""Offsets in a string: of the pointer to its characters, and of their number."""


def string_models(own_accessors: bool) -> Table:
    """`own_accessors`: short strings lie elsewhere, so that the library's ways to read length and
    characters are modelled, too."""
    does = counted(_LENGTH, 16)

    def made(name: str) -> Body:
        def write(c: Code) -> None:
            c.store(c.storage(c.this), c.this, _CHARACTERS)
            does[name](c)

        return write

    def characters(c: Code) -> None:
        c.do(f"ret ptr {c.load(c.this, _CHARACTERS)}")

    def last(c: Code) -> None:
        start, number = c.load(c.this, _CHARACTERS), c.load(c.this, _LENGTH, "i64")
        c.do(f"ret ptr {c.moved(start, number)}")

    def room_changed(c: Code) -> None:
        c.store(c.unknown(), c.this, 16)
        c.returned()

    table: Table = {
        **dict.fromkeys(("reserve", "shrink_to_fit"), (("n?", room_changed),)),
        "basic_string": (
            ("", made("empty")),
            ("nn", made("of_number")),
            ("c", made("like")),
            ("m", made("taken")),
            ("i", made("of_text")),
            (".*", made("any")),
        ),
        "to_string": (("n", made("any")),),
        "operator=": (
            ("c", does["like"]),
            ("m", does["taken"]),
            ("i", does["of_text"]),
            (".*", does["any"]),
        ),
        "operator+=": (
            ("n", does["more"]),
            ("c", does["joined"]),
            ("i", does["text_added"]),
            (".*", does["any"]),
        ),
        "append": (
            ("i", does["text_added"]),
            ("nn", does["added_1"]),
            ("c", does["joined"]),
            ("in", does["added_2"]),
            (".*", does["any"]),
        ),
        "push_back": (("n", does["more"]),),
        "pop_back": (("", does["less"]),),
        "clear": (("", does["empty"]),),
        "resize": (("nn?", does["of_number"]),),
        "swap": (("s", does["exchanged"]),),
        **dict.fromkeys(("assign", "insert", "erase", "replace"), ((".*", does["any"]),)),
    }
    if own_accessors:
        table |= {
            **dict.fromkeys(("size", "length"), (("", does["number"]),)),
            "empty": (("", does["is_empty"]),),
            **dict.fromkeys(
                ("begin", "cbegin", "data", "c_str", "__get_pointer"), (("", characters),)
            ),
            **dict.fromkeys(("end", "cend"), (("", last),)),
        }
    return table
