"""What formats say of the writes of scanf, by pointer (C11, 7.21.6.2), and of printf (7.21.6.1)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..ir.types import GlobalRef, Module, Operand

_DIRECTIVE = re.compile(
    rb"%(?P<none>\*?)(?P<width>\d*)(?P<length>hh|h|ll|l|j|z|t|L|q)?"
    rb"(?P<kind>[diouxXpnaAeEfFgGcs%]|\[\^?\]?[^\]]*\])"
)
COUNTING = re.compile(r"%[-+ #0-9.*$']*(?:hh|h|ll|l|j|z|t)?n")
"""A conversion of printf that prints nothing, but writes how much has been printed."""
TELLING = re.compile(r"%[-+ #0-9.*$']*p")
"""A conversion of printf whose text tells an address, so that scanf can read it back."""
_INTEGERS = {b"hh": 1, b"h": 2, b"": 4, b"ll": 8, b"q": 8, b"j": 8}
_REALS = {b"": 4, b"l": 8, b"L": 16}
_MOST_DIGITS = 6
"""Digits of a width that is believed."""


class Formats:
    """The texts of a module that printf may be handed."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._holding: dict[re.Pattern[str], bool] = {}

    def may_hold(self, format: Operand | None, conversion: re.Pattern[str]) -> bool:
        """May a format hold a conversion: one that is known, by its text, else one among all texts
        of the module?"""
        known = self._module.globals.get(format.name) if isinstance(format, GlobalRef) else None
        if known is not None and known.attributes.endswith("constant"):
            return conversion.search(known.initializer) is not None
        if conversion not in self._holding:
            self._holding[conversion] = any(
                "%" in g.initializer and conversion.search(g.initializer)
                for g in self._module.globals.values()
            )
        return self._holding[conversion]


def bytes_scanned(format: bytes, pointer: int) -> Sequence[int | None] | None:
    """The bytes that a call with this format may write from each of its pointers on, in their
    order; None for any number of them (`%s`). None instead of all where the format is not one of
    the standard. `pointer`: the size of one in bytes, as long as a `long` and a `size_t`.
    """
    found: list[int | None] = []
    at = format.find(b"%")
    while at >= 0:
        match = _DIRECTIVE.match(format, at)
        if match is None or len(match["width"]) > _MOST_DIGITS:
            return None
        if match["kind"] != b"%" and not match["none"]:
            found.append(_size(match, pointer))
        at = format.find(b"%", match.end())
    return found


def _size(match: re.Match[bytes], pointer: int) -> int | None:
    kind, length = match["kind"], match["length"] or b""
    if kind == b"p":
        return pointer
    if kind in b"diouxXn":
        return _INTEGERS.get(length, pointer)
    if kind in b"aAeEfFgG":
        return _REALS.get(length)
    if length or not (match["width"] or kind == b"c"):
        return None  # wide characters, or as many as there are
    return int(match["width"] or 1) + (kind != b"c")
