"""The document "looplaw-analysis/2": an analysis whose repeated texts stand once, in a table.

The reasons, meanings and assumptions of a program are few, and each stands in thousands of its
counts. Here a count names them by their places: `reason`, each of `assumptions` and the `meaning`
of each opaque symbol are indices into `texts`, each of `assumed` is one into the table `assumed`.
Everything else is as in "looplaw-analysis/1". A document is written a loop at a time: the whole of
it never stands in memory.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from looplaw_common.errors import DataError

from .analysis import ANALYSIS, AnalysisDocument
from .count import CountDocument

SHARED = "looplaw-analysis/2"
SHARED_FROM = 500
"""Loops from which on an analysis is written so unless it is asked for otherwise."""
_OF_COUNT = frozenset(CountDocument.__struct_fields__)
_ONE_A_LINE = ("loops", "functions", "library", "findings", "library_calls")


class _Table:
    """The texts and assumptions of a document, by their places."""

    def __init__(self) -> None:
        self._texts: dict[str, int] = {}
        self._assumed: dict[tuple[Any, ...], int] = {}

    def text(self, text: str | None) -> int | None:
        return None if text is None else self._texts.setdefault(text, len(self._texts))

    def assumed(self, found: Mapping[str, Any]) -> int:
        return self._assumed.setdefault(tuple(found.items()), len(self._assumed))

    def parts(self) -> Iterator[bytes]:
        """The members `assumed` and `texts` of the document."""
        assumed = [
            dict(items) | {"text": self.text(dict(items)["text"])} for items in self._assumed
        ]
        yield b",\n" + _member("assumed", assumed)
        yield b",\n" + _member("texts", list(self._texts))


def analysis_parts(document: AnalysisDocument) -> Iterator[bytes]:
    """An analysis as "looplaw-analysis/2", part by part."""
    table = _Table()
    yield from _members(document, table)
    yield from table.parts()
    yield b"}\n"


def project_parts(head: Mapping[str, Any], analyses: Sequence[AnalysisDocument]) -> Iterator[bytes]:
    """Several analyses with one table, part by part.

    Args:
        head: the members that come before `analyses`.
    """
    table = _Table()
    yield b"{" + b",\n".join(_member(key, value) for key, value in head.items())
    yield b',\n"analyses": ['
    for k, document in enumerate(analyses):
        yield b",\n" * bool(k)
        yield from _members(document, table)
        yield b"}"
    yield b"]"
    yield from table.parts()
    yield b"}\n"


def _members(document: AnalysisDocument, table: _Table) -> Iterator[bytes]:
    """What an analysis holds, without the table and the brace at the end."""
    yield b"{" + _member("format", SHARED)
    for field in document.__struct_fields__[1:]:
        value = getattr(document, field)
        if value is msgspec.UNSET:
            continue
        if field not in _ONE_A_LINE:
            yield b",\n" + _member(field, value)
            continue
        yield b",\n" + _json(field) + b": ["
        for k, row in enumerate(value):
            plain = _changed(msgspec.to_builtins(row), lambda count: _shared(count, table))
            yield b",\n" * bool(k) + _json(plain)
        yield b"]"


def _member(key: str, value: object) -> bytes:
    return _json(key) + b": " + _json(value)


def _json(value: object) -> bytes:
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:  # half of a pair: what `json` writes as an escape
        return json.dumps(msgspec.to_builtins(value)).encode()


def _shared(count: Mapping[str, Any], table: _Table) -> dict[str, Any]:
    """A count whose texts are in the table."""
    found = {
        **count,
        "opaque": [o | {"meaning": table.text(o["meaning"])} for o in count["opaque"]],
        "assumptions": [table.text(a) for a in count["assumptions"]],
        "reason": table.text(count["reason"]),
    }
    if "assumed" in count:
        found["assumed"] = [table.assumed(a) for a in count["assumed"]]
    return found


def expanded(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The members of a "looplaw-analysis/2" as those of a "looplaw-analysis/1".

    Args:
        name: of the file, for messages.

    Raises:
        DataError: a count names a text that the table does not have.
    """
    texts, table = _list(data, "texts", name), _list(data, "assumed", name)

    def text(place: Any) -> Any:
        return None if place is None else _at(texts, place, "texts", name)

    assumed = [a | {"text": text(a.get("text"))} if isinstance(a, dict) else a for a in table]

    def of_count(count: Mapping[str, Any]) -> dict[str, Any]:
        opaque = count.get("opaque", ())
        found = {
            **count,
            "opaque": [o | {"meaning": text(o.get("meaning"))} for o in opaque],
            "assumptions": [text(a) for a in count.get("assumptions", ())],
            "reason": text(count.get("reason")),
        }
        if "assumed" in count:
            found["assumed"] = [_at(assumed, a, "assumed", name) for a in count["assumed"]]
        return found

    try:
        members = {k: v for k, v in data.items() if k not in ("texts", "assumed")}
        return {**_changed(members, of_count), "format": ANALYSIS}
    except (TypeError, AttributeError):
        raise DataError(f"{name}: a count is not as {SHARED} has it") from None


def _list(data: Mapping[str, Any], key: str, name: str) -> list[Any]:
    found = data.get(key, [])
    if not isinstance(found, list):
        raise DataError(f"{name}: {key}: expected a list")
    return found


def _at(table: Sequence[Any], place: Any, key: str, name: str) -> Any:
    if type(place) is not int or not 0 <= place < len(table):
        raise DataError(f"{name}: {key} has no place {place!r:.40}: it has {len(table)}")
    return table[place]


def _changed(data: Any, change: Callable[[Mapping[str, Any]], dict[str, Any]]) -> Any:
    """Plain data with each of its counts changed."""
    if isinstance(data, dict):
        if "kind" in data and "formula" in data and data.keys() <= _OF_COUNT:
            return change(data)
        return {key: _changed(value, change) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_changed(value, change) for value in data]
    return data
