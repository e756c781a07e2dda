"""Read files, folders and texts into measurements or single observations."""

from __future__ import annotations

import sys
import warnings
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TextIO

from looplaw_common.errors import InputError, LooplawWarning

from ..data.columns import Columns
from ..data.measurements import Measurements
from ..data.observations import Observation
from .choice import NOTHING, Choice
from .collect import collect
from .containers import opened, suffix_of
from .placed import NamePattern, placed
from .registry import file_reader_of, file_readers, reader_of, text_readers

_MOST = 2 << 30
"""Bytes or characters of a file that is held as a whole."""
_PART = 1 << 24
"""Characters of a file that are held at once, where its reader needs no more."""
_LONGEST_LINE = 1 << 26
"""Characters of a line beyond a part; where there are more, the rest is taken for another line,
which is in no format."""
_MOST_WARNINGS = 10


def read(path: str | Path, *, strict: bool = False, choice: Choice = NOTHING) -> Measurements:
    """Read measurements; "-" is standard input, a folder holds profiles, or files of one run each.

    Args:
        strict: refuse a file where a series cannot be used; otherwise a `LooplawWarning` says which
            ones are left out.
        choice: what the user says of parameters, values and labels.

    Raises:
        InputError: no such file, or of a kind that no reader knows, or without what is chosen.
        DataError: the file's content is wrong; the message names file and line.
    """
    if str(path) == "-":
        columns, _ = _columns(_parts(sys.stdin), "<stdin>", "", choice)
        return _warned(collect(columns, "<stdin>", strict=strict))
    path = Path(path)
    if path.is_dir():
        return read_files([path], strict=strict, choice=choice)
    binary = file_reader_of(path)
    if binary is not None and binary.read_file is not None and path.is_file():
        return binary.read_file(path)
    columns, _ = _columns(_parts_of_file(path), str(path), suffix_of(path), choice)
    return _warned(collect(columns, str(path), strict=strict))


def read_files(
    paths: Sequence[str | Path],
    pattern: str | None = None,
    *,
    strict: bool = False,
    choice: Choice = NOTHING,
) -> Measurements:
    """Read files that belong together, and all in folders, into one set of measurements.

    A file whose observations have no parameters is one run. Its parameters are those in its path
    as the pattern says, else those in its name or its folder's name (run.p64.n8.r1), else the
    numbers in the file's metadata that differ between the files.

    Args:
        pattern: such as "run_n{n}_p{p}": the text in place of {n} and {p} is the value of that
            parameter.
        strict, choice: as for `read`.

    Raises:
        InputError: no such file, or of a kind that no reader knows; a folder without any; a path
            unlike the pattern.
        DataError: a file's content is wrong, or nothing says where it was measured.
    """
    named = NamePattern.parse(pattern) if pattern else None
    folders = [Path(p) for p in paths if Path(p).is_dir()]
    profiles = next((r for r in file_readers() if any(map(r.is_in, folders))), None)
    if profiles is not None:
        if len(paths) > 1 or named:
            raise InputError(
                f"{folders[0]}: a folder of {profiles.pattern} is read alone, and without a pattern"
            )
        return profiles.read_folder(folders[0])
    suffixes = sorted({r.suffix for r in text_readers()})
    files = [p for path in paths for p in _below(Path(path), suffixes)]
    if not files:
        raise InputError(
            f"{', '.join(map(str, paths))}: without profiles"
            f" ({', '.join(r.pattern for r in file_readers())}) and other measurements"
            f" ({', '.join(suffixes)})"
        )
    if len(files) == 1 and named is None:
        return read(files[0], strict=strict, choice=choice)
    columns = placed(files, partial(_run, choice=choice), named)
    found = collect(columns, f"{len(files)} files", strict=strict)
    return _warned(found)


def read_text(text: str, name: str, suffix: str = "", *, strict: bool = False) -> Measurements:
    """Measurements from the content of a file; `strict` as for `read`.

    Raises:
        InputError: no reader knows it.
        DataError: the content is wrong, or there is none.
    """
    text = text.removeprefix("\ufeff")
    return _warned(collect(reader_of(text, name, suffix).columns(text, name), name, strict=strict))


def _warned(found: Measurements) -> Measurements:
    """The measurements, after warnings of what was left out of them."""
    for message in found.left_out[:_MOST_WARNINGS]:
        warnings.warn(f"{message}; the series is left out", LooplawWarning, stacklevel=3)
    if (more := len(found.left_out) - _MOST_WARNINGS) > 0:
        warnings.warn(f"{more} more series are left out", LooplawWarning, stacklevel=3)
    return found


def read_observations(
    text: str, name: str, suffix: str = "", *, strict: bool = False
) -> Iterable[Observation]:
    """Single observations from the content of a file, with ranks, threads and repetitions; for
    `strict` see `Reader.observations`.

    Raises:
        InputError: no reader knows it.
        DataError: the content is wrong.
    """
    text = text.removeprefix("\ufeff")
    return reader_of(text, name, suffix).observations(text, name, strict=strict)


def _run(path: Path, choice: Choice) -> tuple[Columns, Callable[[], Mapping[str, object]]]:
    """The observations of a file, and what it says of the run."""
    columns, text = _columns(_parts_of_file(path), str(path), path.suffix, choice)
    return columns, lambda: reader_of(text, str(path), path.suffix).metadata(text, str(path))


def _columns(parts: Iterator[str], name: str, suffix: str, choice: Choice) -> tuple[Columns, str]:
    """The observations of a text, and the text, or its beginning where it was read in parts.

    A large text is read in parts where its reader needs no more, so that it may be larger than
    memory.
    """
    text = next(parts, "").removeprefix("\ufeff")
    following = next(parts, None)
    if following is not None:
        rest = chain((following,), parts)
        known = next((r for r in text_readers() if r.matches(text)), None)
        if known is not None and known.observe_parts is not None and not choice:
            return known.observe_parts(chain((text,), rest), name), text
        text = _joined(text, rest, name)
    return reader_of(text, name, suffix).columns(text, name, choice), text


def _joined(text: str, rest: Iterable[str], name: str) -> str:
    """All parts of a text whose reader needs all of it."""
    found, size = [text], len(text)
    for part in rest:
        size += len(part)
        if size > _MOST:
            raise InputError(f"{name}: larger than {_MOST >> 30} GiB")
        found.append(part)
    return "".join(found)


def _parts_of_file(path: Path) -> Iterator[str]:
    """The content of a file in parts of whole lines.

    Raises:
        InputError: there is no such file, or it is not text.
    """
    _check_is_file(path)
    try:
        size = 0
        with opened(path) as file:
            for part in _parts(file):
                size += len(part)
                if size > _MOST and path.suffix == ".gz":
                    raise InputError(f"{path}: larger than {_MOST >> 30} GiB unpacked")
                yield part
    except UnicodeDecodeError:
        raise InputError(f"{path}: not text in UTF-8 (byte {_first_fault(path)})") from None


def _parts(file: TextIO) -> Iterator[str]:
    while part := file.read(_PART):
        yield part + file.readline(_LONGEST_LINE)


def _first_fault(path: Path) -> int:
    """The first byte of a file that is no UTF-8."""
    decoder = getincrementaldecoder("utf-8")()
    before = 0
    with path.open("rb") as file:
        while part := file.read(_PART):
            kept = len(decoder.getstate()[0])
            try:
                decoder.decode(part)
            except UnicodeDecodeError as error:
                return before - kept + error.start
            before += len(part)
    return before - len(decoder.getstate()[0])


def text_of(source: str) -> tuple[str, str]:
    """(content, name for messages) of a file of measurements; "-" is standard input.

    Raises:
        InputError: there is no such file, or it is too large, or not text.
    """
    return (sys.stdin.read(), "<stdin>") if source == "-" else (file_text(Path(source)), source)


def file_text(path: Path) -> str:
    """The content of a file.

    Raises:
        InputError: there is no such file, or it is too large, or not text.
    """
    _check_is_file(path)
    if path.stat().st_size > _MOST:
        raise InputError(f"{path}: larger than {_MOST >> 30} GiB")
    try:
        with opened(path) as file:
            text = file.read(_MOST + 1)
        if len(text) > _MOST:
            raise InputError(f"{path}: larger than {_MOST >> 30} GiB unpacked")
        return text
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not text in UTF-8 (byte {error.start})") from None


def _check_is_file(path: Path) -> None:
    if not path.is_file():
        raise InputError(
            f"{path}:"
            f" {'a directory; name a file of measurements' if path.is_dir() else 'no such file'}"
        )


def _below(path: Path, suffixes: Sequence[str]) -> Iterator[Path]:
    """The file, or the text files in a folder that are not hidden."""
    if not path.is_dir():
        yield path
        return
    yield from sorted(
        p
        for p in path.rglob("*")
        if p.suffix in suffixes
        and p.is_file()
        and not any(part.startswith(".") for part in p.relative_to(path).parts)
    )
