"""Containers that keep the number of their elements, and begin with a node: lists, sets, maps."""

from __future__ import annotations

from .code import LENGTH, Body, Code, Table


def counted(size: int, *links: int) -> dict[str, Body]:
    """What may be done to the number at an offset; `links` are fields that then hold something
    else: the first node."""

    def changed(c: Code, base: str) -> None:
        for link in links:
            c.store(c.unknown(), base, link)

    def put(c: Code, number: str, base: str | None = None) -> None:
        c.store(number, base or c.this, size, "i64")
        changed(c, base or c.this)

    def empty(c: Code) -> None:
        put(c, "0")
        c.returned()

    def of_number(c: Code) -> None:
        c.check(c.first)
        put(c, c.first)
        c.returned()

    def like(c: Code) -> None:
        put(c, c.load(c.first, size, "i64"))
        c.returned()

    def taken(c: Code) -> None:
        number = c.load(c.first, size, "i64")
        put(c, "0", c.first)
        put(c, number)
        c.returned()

    def of_values(c: Code) -> None:
        put(c, c.shape.parameters[2])
        c.returned()

    def by(amount: int) -> Body:
        def write(c: Code) -> None:
            put(c, c.new(f"add nsw i64 {c.load(c.this, size, 'i64')}, {amount}"))
            c.returned()

        return write

    def added(at: int) -> Body:
        """As many more as an argument says."""

        def write(c: Code) -> None:
            old = c.load(c.this, size, "i64")
            put(c, c.new(f"add nsw i64 {old}, {c.shape.parameters[at]}"))
            c.returned()

        return write

    def joined(c: Code) -> None:
        old, more = c.load(c.this, size, "i64"), c.load(c.first, size, "i64")
        put(c, c.new(f"add nsw i64 {old}, {more}"))
        c.returned()

    def exchanged(c: Code) -> None:
        one, other = c.load(c.this, size, "i64"), c.load(c.first, size, "i64")
        put(c, other)
        put(c, one, c.first)
        c.returned()

    def of_text(c: Code) -> None:
        put(c, c.new(f"call i64 @{LENGTH}(ptr {c.first})"))
        c.returned()

    def text_added(c: Code) -> None:
        old, more = c.load(c.this, size, "i64"), c.new(f"call i64 @{LENGTH}(ptr {c.first})")
        put(c, c.new(f"add nsw i64 {old}, {more}"))
        c.returned()

    def any_number(c: Code) -> None:
        put(c, c.unknown("i64"))
        c.returned()

    def number(c: Code) -> None:
        c.do(f"ret i64 {c.load(c.this, size, 'i64')}")

    def is_empty(c: Code) -> None:
        held = c.load(c.this, size, "i64")
        c.do(f"ret i1 {c.new(f'icmp eq i64 {held}, 0')}")

    return {
        "empty": empty,
        "of_number": of_number,
        "like": like,
        "taken": taken,
        "of_values": of_values,
        "more": by(1),
        "less": by(-1),
        "added_1": added(1),
        "added_2": added(2),
        "joined": joined,
        "exchanged": exchanged,
        "of_text": of_text,
        "text_added": text_added,
        "any": any_number,
        "number": number,
        "is_empty": is_empty,
    }


def list_models(size: int, *links: int) -> Table:
    does = counted(size, *links)
    return {
        "list": (
            ("", does["empty"]),
            ("nv?", does["of_number"]),
            ("c", does["like"]),
            ("m", does["taken"]),
            ("l", does["of_values"]),
            (".*", does["any"]),
        ),
        "operator=": (("c", does["like"]), ("m", does["taken"]), ("l", does["of_values"])),
        "assign": (("nv", does["of_number"]), ("l", does["of_values"]), (".*", does["any"])),
        "resize": (("nv?", does["of_number"]),),
        "swap": (("s", does["exchanged"]),),
        **dict.fromkeys(("push_back", "push_front"), ((".", does["more"]),)),
        **dict.fromkeys(("emplace_back", "emplace_front"), ((".*", does["more"]),)),
        **dict.fromkeys(("pop_back", "pop_front"), (("", does["less"]),)),
        "clear": (("", does["empty"]),),
        "insert": (("ov", does["more"]), ("onv", does["added_2"]), (".*", does["any"])),
        "emplace": (("ov*", does["more"]),),
        "erase": (("o", does["less"]), (".*", does["any"])),
        **dict.fromkeys(("remove", "remove_if", "unique"), ((".*", does["any"]),)),
        "empty": (("", does["is_empty"]),),
    }


def _keyed(name: str, size: int, *links: int) -> Table:
    """Sets and maps: how many keys are new only a run can tell."""
    does = counted(size, *links)
    some = ((".*", does["any"]),)
    return {
        name: (
            ("", does["empty"]),
            ("c", does["like"]),
            ("m", does["taken"]),
            ("l.*|o.*|i.*|n.*", does["any"]),
        ),
        "operator=": (("c", does["like"]), ("m", does["taken"]), ("l", does["any"])),
        "swap": (("s", does["exchanged"]),),
        "clear": (("", does["empty"]),),
        **dict.fromkeys(
            ("operator[]", "insert", "emplace", "emplace_hint", "try_emplace", "insert_or_assign"),
            some,
        ),
        "erase": (("o", does["less"]), (".*", does["any"])),
    }


def _many_keyed(name: str, size: int, *links: int) -> Table:
    """Multisets and multimaps: every key is put in."""
    does = counted(size, *links)
    return {
        **_keyed(name, size, *links),
        "insert": (("v", does["more"]), ("ov", does["more"]), (".*", does["any"])),
        "emplace": (("v*", does["more"]),),
        "erase": (("o", does["less"]), (".*", does["any"])),
    }


def new_key(size: int, *links: int) -> Body:
    """What putting in a key does that a set or a map does not have."""
    return counted(size, *links)["more"]


def keyed_models(
    library: str, tree: tuple[int, ...], table: tuple[int, ...]
) -> dict[tuple[str, str], Table]:
    """`tree`, `table`: offsets of size and first node."""
    found: dict[tuple[str, str], Table] = {}
    for name in ("set", "map"):
        found[library, name] = _keyed(name, *tree)
        found[library, f"multi{name}"] = _many_keyed(f"multi{name}", *tree)
        found[library, f"unordered_{name}"] = _keyed(f"unordered_{name}", *table)
        many = f"unordered_multi{name}"
        found[library, many] = _many_keyed(many, *table)
    return found
