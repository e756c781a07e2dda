"""Files of CUDA and HIP whose host needs libraries that are not there: their device's side alone.

Where the compiler stumbles in code of the host, that code is blanked: an #include whose header is
missing, a statement, the whole function where that does not help. Launches stay as names of their
kernels, so that templates have their instances. Code of the device is never touched: an error there
is the file's.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...ir.system_files import is_system_file

_ERROR = re.compile(
    r"^(?P<file>\S[^\n]*?):(?P<line>\d+):(?P<column>\d+): (?P<kind>\w[\w ]*): ", re.M
)
_HIDDEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)"|"(?:[^"\\\n]|\\.)*"'
    r"|(?<!\w)'(?:[^'\\\n]|\\.)+'|^[ \t]*#(?:[^\n\\]|\\.)*",
    re.S | re.M,
)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\[^\n]|\\\n)*", re.M)
_INCLUDE = re.compile(r"\s*#\s*(?:include|error)\b")
_OF_DEVICE = re.compile(r"__(?:global|device|constant|shared|managed)__|\btexture\s*<")
_TRANSPARENT = re.compile(r"(?:\bnamespace\b[\w\s:]*|\bextern\s*)$")
_NAME = r"[A-Za-z_][\w:]*\s*(?:<(?!<)[^;{}()]*?>)?"
_LAUNCH = re.compile(
    rf"(?P<kernel>{_NAME})\s*<<<"
    rf"|\b(?:cuda|hip)Launch\w*Kernel\w*\(\s*(?:\((?:const\s+)?void\s*\*\)\s*)?&?(?P<handed>{_NAME})\s*,"
)
_WHOLE_FROM = 4
"""The round from which whole functions go."""


@dataclass(frozen=True)
class _Item:
    """Something that a file declares: from `start` to `end`; its body begins at `body`."""

    start: int
    end: int
    body: int | None


class ErrorOfDevice(Exception):
    """A compiler complains of code of the device; the text is its complaint."""


def without_host_errors(said: str, known: Mapping[Path, str], attempt: int) -> dict[Path, str]:
    """Files in which the host's code that a compiler complained of is blanked.

    Args:
        said: what the compiler wrote.
        known: the files as they were compiled, where not as they stand on disk.
        attempt: how often it was tried before.

    Raises:
        ErrorOfDevice: an error is in code of the device, or nothing is left to blank.
    """
    texts = dict(known)
    for file, line, column, error in _places(said):
        if not file.is_file():
            raise ErrorOfDevice(error)
        compiled = known.get(file) or file.read_text(encoding="utf-8", errors="replace")
        text = texts.get(file, compiled)
        after = _blanked(compiled, text, line, column, attempt >= _WHOLE_FROM)
        if after is None:
            raise ErrorOfDevice(error)
        texts[file] = after
    if texts == dict(known):
        raise ErrorOfDevice(next((e for *_, e in _places(said)), said[:300]))
    return texts


def overlay(texts: Mapping[Path, str], folder: Path) -> tuple[str, ...]:
    """The flags by which a compiler reads other texts for files; they are written to a folder."""
    roots = []
    for number, (file, text) in enumerate(texts.items()):
        copy = folder / f"{number}{file.suffix}"
        copy.write_text(text, encoding="utf-8")
        contents = [{"name": file.name, "type": "file", "external-contents": str(copy)}]
        roots.append({"name": str(file.parent), "type": "directory", "contents": contents})
    description = {"version": 0, "use-external-names": "false", "roots": roots}
    listed = folder / "overlay.yaml"
    listed.write_text(json.dumps(description), encoding="utf-8")
    return ("-ivfsoverlay", str(listed))


def _places(said: str) -> Iterator[tuple[Path, int, int, str]]:
    """Where the errors are, and what they say: of one in a system's header, where it is
    instantiated."""
    pending, error = False, ""
    for m in _ERROR.finditer(said):
        is_error = m["kind"] in ("error", "fatal error")
        file = Path(m["file"]).absolute()
        if not is_error and not (pending and m["kind"] == "note"):
            continue
        if is_error:
            error = said[m.start() : said.find("\n", m.end())]
        pending = is_system_file(str(file))
        if not pending:
            yield file, int(m["line"]), int(m["column"]), error


def _blanked(base: str, text: str, line: int, column: int, whole: bool) -> str | None:
    """The text without what is at a place of `base`, which has the same lines and columns."""
    rows = base.split("\n")
    if line > len(rows):
        return None
    at = sum(len(row) + 1 for row in rows[: line - 1]) + min(column - 1, len(rows[line - 1]))
    if _INCLUDE.match(rows[line - 1]):
        begin = at - min(column - 1, len(rows[line - 1]))
        return text[:begin] + " " * len(rows[line - 1]) + text[begin + len(rows[line - 1]) :]
    masked = _HIDDEN.sub(_spaces, base)
    item = next((i for i in _items(masked) if i.start <= at <= i.end), None)
    if item is None or not _is_of_host(masked, item):
        return None
    if item.body is None or not item.body < at < item.end:
        start, end = item.start, item.end + 1
        return text[:start] + _without(text[start:end], launches=False) + text[end:]
    start, end = _statement(masked, item, at)
    if whole or not masked[start:end].strip():
        start, end = item.body + 1, item.end
    return text[:start] + _without(text[start:end], launches=True) + text[end:]


def _without(part: str, *, launches: bool) -> str:
    """Spaces for a part of a file, except for its directives and the kernels that it launches."""
    blank = list(_spaces_of(part))
    for m in _DIRECTIVE.finditer(part):
        blank[m.start() : m.end()] = part[m.start() : m.end()]
    for m in _LAUNCH.finditer(part) if launches else ():
        kept = f"&{m['kernel'] or m['handed']};"
        blank[m.start() : m.start() + len(kept)] = kept
    return "".join(blank)


def _spaces(m: re.Match[str]) -> str:
    return _spaces_of(m[0])


def _spaces_of(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _items(masked: str) -> Iterator[_Item]:
    """What a file declares, namespaces seen through."""
    depth, start, body = 0, 0, None
    for m in re.finditer(r"[{};]", masked):
        sign, at = m[0], m.start()
        if sign == "{":
            if depth == 0 and _TRANSPARENT.search(masked[start:at].rstrip() + " "):
                start = at + 1
                continue
            if depth == 0:
                body = at
            depth += 1
        elif sign == "}":
            depth = max(0, depth - 1)
            if depth == 0:
                yield _Item(start, at, body)
                start, body = at + 1, None
        elif depth == 0:
            yield _Item(start, at, body)
            start, body = at + 1, None


def _is_of_host(masked: str, item: _Item) -> bool:
    """Is it none of the device's? Of a function, what stands before its body tells."""
    head = masked[item.start : item.end if item.body is None else item.body]
    if "(" not in head:
        head = masked[item.start : item.end]
    return _OF_DEVICE.search(head) is None


def _statement(masked: str, item: _Item, at: int) -> tuple[int, int]:
    """The statement at a place in a body, or the head of one with a block."""
    assert item.body is not None
    depth, ends = 0, [item.body]
    for m in re.finditer(r"[(){};]", masked[item.body + 1 : item.end]):
        if m[0] == "(":
            depth += 1
        elif m[0] == ")":
            depth = max(0, depth - 1)
        elif depth == 0:
            ends.append(item.body + 1 + m.start())
    ends.append(item.end)
    number = bisect_right(ends, at - 1) if masked[at : at + 1] in "{};" else bisect_right(ends, at)
    last = ends[min(number, len(ends) - 1)]
    return ends[number - 1] + 1, last + (masked[last] == ";")
