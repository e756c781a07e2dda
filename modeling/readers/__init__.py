"""Readers of measurement files: each is a function in one file and one entry in `READERS`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from looplaw_common.errors import DataError, InputError

from ..data.checks import load_json
from ..data.columns import Columns, Observation
from ..data.measurements import Measurements
from .benchmarks import (
    google_context,
    is_google_benchmark,
    is_hyperfine,
    is_pytest_benchmark,
    read_google_benchmark,
    read_hyperfine,
    read_pytest_benchmark,
)
from .caliper_json import caliper_globals, is_caliper_json, read_caliper_json
from .collect import collect
from .extrap_json import is_extrap_json, read_extrap_json
from .extrap_text import is_extrap_text, read_extrap_text
from .jsonlines import is_json_lines, read_json_lines
from .perf_stat import is_perf_stat, read_perf_stat
from .placed import NamePattern, placed
from .profiles import read_caliper, read_cube
from .statistics import read_statistics, read_statistics_folder
from .tidy_csv import is_csv, read_csv

Observe = Callable[[str, str], Iterable[Observation]]


@dataclass(frozen=True)
class Reader:
    """A format: what it is called, whether text looks like it, (text, name for messages) ->
    observations, and what the text says of the whole run, for files that are one run each."""

    name: str
    matches: Callable[[str], bool]
    read: Observe
    metadata: Callable[[str, str], Mapping[str, object]] | None = None


READERS: tuple[Reader, ...] = (
    Reader("perf stat -j", is_perf_stat, read_perf_stat),
    Reader("JSON Lines", is_json_lines, read_json_lines),
    Reader("Google Benchmark", is_google_benchmark, read_google_benchmark, google_context),
    Reader("pytest-benchmark", is_pytest_benchmark, read_pytest_benchmark),
    Reader("hyperfine", is_hyperfine, read_hyperfine),
    Reader("Caliper JSON", is_caliper_json, read_caliper_json, caliper_globals),
    Reader("Extra-P JSON", is_extrap_json, read_extrap_json),
    Reader("Extra-P text", is_extrap_text, read_extrap_text),
    Reader("CSV", is_csv, read_csv),
)
"""Formats of text, told apart by content; the first that matches reads."""

FOLDERS: dict[str, Callable[[Path], Measurements]] = {
    "*.cubex": read_cube,
    "*.cali": read_caliper,
    "*.stats": read_statistics_folder,
}
"""Formats of which each run is a file that is no text: pattern -> reader of a folder."""

BINARY: dict[str, Callable[[Path], Measurements]] = {".stats": read_statistics}
"""Formats that are no text, told by the end of the file's name."""

_MAX_BYTES = 2 << 30
_LINE = '{"params": {"n": 64}, "callpath": "solve", "metric": "time", "value": 1.5}'
_BY_SUFFIX = {".jsonl": "JSON Lines", ".csv": "CSV"}
_SUFFIXES = (".json", ".jsonl", ".csv", ".txt")


def read(path: str | Path) -> Measurements:
    """Read measurements; "-" is standard input, a folder holds profiles, or files of one run each.

    Raises:
        InputError: no such file, or of a kind that no reader knows.
        DataError: the file's content is wrong; the message names file and line.
    """
    if str(path) == "-":
        return read_text(sys.stdin.read(), "<stdin>")
    path = Path(path)
    if path.is_dir():
        return read_files([path])
    if path.suffix in BINARY and path.is_file():
        return BINARY[path.suffix](path)
    return read_text(file_text(path), str(path), path.suffix)


def read_files(paths: Sequence[str | Path], pattern: str | None = None) -> Measurements:
    """Read files that belong together, and all in folders, into one set of measurements.

    A file whose observations have no parameters is one run. Where it was made is said by the
    pattern, else by its name or that of its folder (run.p64.n8.r1), else by what the files say of
    themselves, as far as that differs.

    Args:
        pattern: such as "run_n{n}_p{p}": what stands for {n} and {p} in the path is the value of a
            parameter.

    Raises:
        InputError: no such file, or of a kind that no reader knows; a folder without any; a path
            unlike the pattern.
        DataError: a file's content is wrong, or nothing says where it was measured.
    """
    named = NamePattern.parse(pattern) if pattern else None
    folders = [Path(p) for p in paths if Path(p).is_dir()]
    profiles = next(
        (p for p in FOLDERS for folder in folders if next(folder.rglob(p), None) is not None), None
    )
    if profiles is not None:
        if len(paths) > 1 or named:
            raise InputError(
                f"{folders[0]}: a folder of {profiles} is read alone, and without a pattern"
            )
        return FOLDERS[profiles](folders[0])
    files = [p for path in paths for p in _below(Path(path))]
    if not files:
        raise InputError(
            f"{', '.join(map(str, paths))}: without profiles ({', '.join(FOLDERS)}) and other"
            f" measurements ({', '.join(_SUFFIXES)})"
        )
    if len(files) == 1 and named is None:
        return read(files[0])
    return collect(placed(files, _run, named), f"{len(files)} files")


def read_text(text: str, name: str, suffix: str = "") -> Measurements:
    """Measurements from the content of a file.

    Raises:
        InputError: no reader knows it.
        DataError: the content is wrong, or there is none.
    """
    text = text.removeprefix("\ufeff")
    return collect(reader_of(text, name, suffix).read(text, name), name)


def reader_of(text: str, name: str, suffix: str = "") -> Reader:
    """The reader that knows the content.

    Raises:
        InputError: none does.
    """
    for reader in READERS:
        if reader.matches(text):
            return reader
    if text.startswith("# started on") or "Performance counter stats for" in text[: 1 << 12]:
        raise InputError(
            f"{name}: perf stat without -j; run perf stat -j -o FILE and write a line '# n=64'"
            " before each run, since perf does not know the parameters"
        )
    if not text.strip():
        raise DataError(f"{name}: is empty")
    fallback = _BY_SUFFIX.get(suffix, "JSON Lines" if '"value"' in text.split("\n", 1)[0] else None)
    if fallback is None and suffix == ".json":
        load_json(text, name)  # says where it is none
    if fallback is None:
        raise InputError(
            f"{name}: no reader knows this content; known are {', '.join(r.name for r in READERS)},"
            f" and JSON Lines are easily written: {_LINE}"
        )
    return next(r for r in READERS if r.name == fallback)


def _run(path: Path) -> tuple[Columns, Callable[[], Mapping[str, object]]]:
    """The observations of a file, and what it says of the run."""
    text, name = file_text(path), str(path)
    reader = reader_of(text, name, path.suffix)
    told = reader.metadata
    return Columns.of(reader.read(text, name)), (lambda: told(text, name)) if told else dict


def file_text(path: Path) -> str:
    """The content of a file.

    Raises:
        InputError: there is no such file, or it is too large, or no text.
    """
    if not path.is_file():
        raise InputError(
            f"{path}:"
            f" {'a directory; name a file of measurements' if path.is_dir() else 'no such file'}"
        )
    if path.stat().st_size > _MAX_BYTES:
        raise InputError(f"{path}: larger than {_MAX_BYTES >> 30} GiB")
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not text in UTF-8 (byte {error.start})") from None


def _below(path: Path) -> Iterator[Path]:
    """The file, or the files of text in a folder."""
    if not path.is_dir():
        yield path
        return
    yield from sorted(
        p
        for p in path.rglob("*")
        if p.suffix in _SUFFIXES
        and p.is_file()
        and not any(part.startswith(".") for part in p.relative_to(path).parts)
    )
