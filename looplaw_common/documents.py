"""JSON and TOML documents decoded once, into typed objects, with errors that a user can act on.

A document's schema is a tree of frozen `msgspec.Struct` types. `decode` and `convert` check a
document against it and raise one line that names the file, the path inside the document and what
is expected there: `x.json: loops[3].total.kind: expected one of exact, bounded, not 'exakt'`.
Documents are untrusted input, so their size and nesting are limited.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from .errors import DataError, LooplawError
from .text import in_one_line, shortened

MAX_BYTES = 2 << 30
"""Largest document that is read; the models of a million kernels take about 1 GiB."""
MAX_CHECKED = 256 << 20
"""Largest document of which each key is looked at: it takes as long again as to read it, and more
memory. Larger ones hold what we wrote."""
MAX_DEPTH = 100
"""Deepest nesting of lists and objects; our own documents nest to 10."""

T = TypeVar("T")
_WORDS = {
    "object": "an object",
    "array": "a list",
    "str": "a text",
    "int": "an integer",
    "float": "a number",
    "bool": "true or false",
    "null": "null",
    "datetime": "a date",
    "date": "a date",
    "time": "a time of day",
}
_AT = re.compile(r"^(?P<what>.*?)(?: - at (?:the key in )?`(?P<path>\$.*)`)?$", re.DOTALL)
_EXPECTED = re.compile(r"Expected `(?P<wanted>[^`]+)`, got `(?P<found>[^`]+)`")
_LENGTH = re.compile(r"Expected `array` of length (\d+)")
_LIMIT = re.compile(r"Expected `(\w+)` ([<>]=? \S+)")
_MISSING = re.compile(r"Object missing required field `(?P<field>[^`]+)`")
_UNKNOWN = re.compile(r"Object contains unknown field `(?P<field>[^`]*)`")
_TOKEN = re.compile(r"\.(?P<field>[^.\[\]]+)|\[(?P<index>\d+|\.\.\.)\]")
_MOST_SHOWN = 40


def decode(text: str | bytes, kind: type[T], name: str, form: str | None = None) -> T:
    """A JSON text as an object of a schema; keys that the schema does not know are ignored.

    Args:
        name: of the file, for messages.
        form: what the key "format" must say; None where the document has none.

    Raises:
        DataError: the text is not JSON, has a key twice in one object, or does not follow the
            schema; the message names the path.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(data) > MAX_BYTES:
        raise DataError(f"{name}: larger than {MAX_BYTES >> 30} GiB")
    try:
        if form is not None:
            _expect_form(msgspec.json.decode(data, type=_Head), name, form)
        found = msgspec.json.decode(data, type=kind)
        if len(data) <= MAX_CHECKED:
            _parsed(data, name, _expect_each_once)
        return found
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        # slower, but knows the line of a syntax error, and reads the NaN that Python writes
        return convert(plain(data, name), kind, name, form)


def convert(
    data: object,
    kind: type[T],
    name: str,
    form: str | None = None,
    *,
    error: type[LooplawError] = DataError,
) -> T:
    """Plain data (of JSON or TOML) as an object of a schema.

    Args:
        error: what is raised: DataError for documents that we wrote, InputError for those that
            people write.

    Raises:
        LooplawError: `error`; the data do not follow the schema; the message names the path.
    """
    if not isinstance(data, Mapping):
        raise error(f"{name}: not an object")
    if form is not None:
        found = data.get("format")
        _expect_form(_Head(found if isinstance(found, str) else None), name, form)
    if _too_deep(data):
        raise error(f"{name}: nested more than {MAX_DEPTH} levels deep")
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as problem:
        raise error(in_one_line(_explained(str(problem), data, kind, name))) from None
    except UnicodeEncodeError as problem:
        raise error(f"{name}: {problem.object!a} is not text that UTF-8 can hold") from None


def plain(text: str | bytes, name: str) -> Any:
    """JSON as dictionaries and lists.

    Raises:
        DataError: it is not JSON, nested too deeply, has a key twice in one object, or a number
            that is too long or too large.
    """
    return _parsed(text, name, once)


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The members of a JSON object, as `object_pairs_hook` of `json.loads`. Readers differ in which
    of two members with one key they take; we take neither.

    Raises:
        ValueError: a key stands there twice.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        _expect_each_once(pairs)
    return found


def _expect_each_once(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for k, key in enumerate(keys) if key in keys[:k])
        raise ValueError(f"the key {shortened(twice)!a} stands twice in one object")


def finite(text: str) -> float:
    """A number of JSON, as `parse_float` of `json.loads`.

    Raises:
        ValueError: it is larger than floating point can hold, such as 1e400.
    """
    value = float(text)
    if value - value != 0:
        raise ValueError(f"the number {shortened(text, _MOST_SHOWN)} is too large")
    return value


def what_is_wrong(error: ValueError | RecursionError) -> str:
    """Why `json.loads` refuses a text, with `once` and `finite` among its hooks."""
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON: {error}"
    if "set_int_max_str_digits" in str(error):
        return f"an integer of more than {sys.get_int_max_str_digits()} digits"
    return str(error)


def _parsed(text: str | bytes, name: str, members: Callable[[list[tuple[str, Any]]], Any]) -> Any:
    try:
        return json.loads(text, object_pairs_hook=members, parse_float=finite)
    except UnicodeDecodeError as error:
        raise DataError(f"{name}: not text in UTF-8 (byte {error.start})") from None
    except RecursionError:
        raise DataError(f"{name}: nested more than {MAX_DEPTH} levels deep") from None
    except ValueError as error:
        raise DataError(f"{name}: {what_is_wrong(error)}") from None


def form_of(text: str | bytes, name: str) -> str | None:
    """What the key "format" of a JSON object says; None where it has none.

    Raises:
        DataError: the text is not a JSON object.
    """
    try:
        return msgspec.json.decode(text, type=_Head).format
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        data = plain(text, name)
        if not isinstance(data, Mapping):
            raise DataError(f"{name}: not a JSON object") from None
        return data["format"] if isinstance(data.get("format"), str) else None


def builtins(document: msgspec.Struct) -> dict[str, Any]:
    """A document as the dictionaries and lists that `json.dumps` writes, keys in their order."""
    found: dict[str, Any] = _with_lists(msgspec.to_builtins(document))
    return found


def json_text(document: msgspec.Struct) -> str:
    """A document without floats as `json.dumps(builtins(document), indent=1)` writes it."""
    try:
        found = msgspec.json.format(msgspec.json.encode(document), indent=1)
    except UnicodeEncodeError:  # half of a pair: what `json` writes as an escape
        found = b""
    return found.decode() if found and found.isascii() else json.dumps(builtins(document), indent=1)


def _with_lists(data: Any) -> Any:
    """Lists where msgspec leaves tuples, as if it had been read from JSON."""
    if isinstance(data, dict):
        return {key: _with_lists(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_with_lists(value) for value in data]
    return data


class _Head(msgspec.Struct):
    """The one key that all our formats have."""

    format: str | None = None


def _expect_form(head: _Head, name: str, form: str) -> None:
    if head.format != form:
        found = "without a format" if head.format is None else f"{head.format!s:.{_MOST_SHOWN}}"
        raise DataError(f"{name}: not a file of the format {form}, but {found}")


def _too_deep(data: object) -> bool:
    level: list[object] = [data]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, Mapping) else outer)  # type: ignore[attr-defined]
            if isinstance(inner, (Mapping, list, tuple))
        ]
        if not level:
            return False
    return True


# -- messages
def _explained(problem: str, data: object, kind: Any, name: str) -> str:
    """msgspec's message as a line of ours: file, path, what is expected and what stands there."""
    match = _AT.match(problem)
    assert match is not None, "the pattern matches every text"
    what, path = match["what"], list(_tokens(match["path"] or "$"))
    path = _with_keys(path, problem, data, kind)
    if missing := _MISSING.fullmatch(what):
        return f"{name}: {_text([*path, missing['field']])}: is missing"
    if unknown := _UNKNOWN.fullmatch(what):
        known = _fields(_schema(kind, path))
        near = get_close_matches(unknown["field"], known, n=1, cutoff=0.55)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
        return f"{name}: {_text([*path, unknown['field']])}: unknown field; {hint}"
    where = f"{name}: {_text(path)}: " if path else f"{name}: "
    found = _shown(_value(data, path))
    if choices := _choices(kind, path):
        return f"{where}expected one of {', '.join(map(str, choices))}, not {found}"
    if (said := _described(_schema(kind, path))) is not None and "matching regex" in what:
        return f"{where}expected {said}, not {found}"
    if limit := _LIMIT.fullmatch(what):
        return f"{where}expected {_worded(limit[1])} {limit[2]}, not {found}"
    if length := _LENGTH.match(what):
        return f"{where}expected a list of {length[1]}, not {found}"
    if match := _EXPECTED.fullmatch(what):
        return f"{where}expected {_worded(match['wanted'])}, not {found}"
    return f"{where}{what[:1].lower()}{what[1:].replace('`', '')}"


def _tokens(path: str) -> Iterator[str | int]:
    for match in _TOKEN.finditer(path):
        index = match["index"]
        yield match["field"] or (int(index) if index != "..." else index)


def _text(path: list[str | int]) -> str:
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    shown = "".join(parts).removeprefix(".")
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in shown)


def _worded(wanted: str) -> str:
    kinds = wanted.split(" | ")
    if "float" in kinds:  # an integer is a number
        kinds = [kind for kind in kinds if kind != "int"]
    *first, last = (_WORDS.get(kind, kind) for kind in kinds)
    return f"{', '.join(first)} or {last}" if first else last


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, (list, tuple)):
        return f"a list of {len(value)}"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    text = repr(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."


def _value(data: Any, path: list[str | int]) -> object:
    for part in path:
        data = data[part]
    return data


def _with_keys(path: list[str | int], problem: str, data: Any, kind: Any) -> list[str | int]:
    """The path with the keys of dictionaries, for which msgspec writes [...].

    Each key of the dictionary is tried alone: the one with which the same problem comes is named.
    """
    for place, part in enumerate(path):
        if part != "...":
            continue
        for key, inner in _value(data, path[:place]).items():  # type: ignore[attr-defined]
            alone = _replaced(data, path[:place], {key: inner})
            try:
                msgspec.convert(alone, kind)
            except msgspec.ValidationError as error:
                if str(error) == problem:
                    path = [*path[:place], key, *path[place + 1 :]]
                    break
        else:
            return path[:place]
    return path


def _replaced(data: Any, path: list[str | int], value: object) -> Any:
    if not path:
        return value
    head, *rest = path
    inner = _replaced(data[head], rest, value)
    if isinstance(head, int):
        return [*data[:head], inner, *data[head + 1 :]]
    return {**data, head: inner}


def _schema(kind: Any, path: list[str | int]) -> Any:
    """What the schema says of the value at a path."""
    found: Any = msgspec.inspect.type_info(kind)
    for part in path:
        options = found.types if isinstance(found, msgspec.inspect.UnionType) else (found,)
        found = next((inner for o in options if (inner := _inside(o, part)) is not None), None)
        if found is None:
            return None
    return found


def _inside(schema: Any, part: str | int) -> Any:
    match schema:
        case msgspec.inspect.StructType():
            return next((f.type for f in schema.fields if f.encode_name == part), None)
        case msgspec.inspect.DictType():
            return schema.value_type
        case msgspec.inspect.TupleType():
            return schema.item_types[part] if isinstance(part, int) else None
        case msgspec.inspect.CollectionType():
            return schema.item_type
    return None


def _choices(kind: Any, path: list[str | int]) -> tuple[object, ...]:
    """The values that a Literal at a path allows, in the order of the schema."""
    *above, field = path or [""]
    parent = _schema(kind, above)
    hints = [get_type_hints(o.cls) for o in _structs(parent)]
    return tuple(v for hint in hints for v in _literals(hint.get(str(field))))


def _structs(schema: Any) -> list[Any]:
    """The objects that a schema allows."""
    options = schema.types if isinstance(schema, msgspec.inspect.UnionType) else (schema,)
    return [o for o in options if isinstance(o, msgspec.inspect.StructType)]


def _literals(hint: Any) -> Iterator[object]:
    for argument in get_args(hint):
        if get_origin(hint) is Literal:
            yield argument
        else:
            yield from _literals(argument)


def _described(schema: Any) -> str | None:
    """What the schema says in words of texts that must follow a pattern."""
    known = schema.extra_json_schema if isinstance(schema, msgspec.inspect.Metadata) else None
    return known.get("description") if known else None


def _fields(schema: Any) -> list[str]:
    return [f.encode_name for o in _structs(schema) for f in o.fields]
