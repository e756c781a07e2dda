"""Readers of measurement files: each is a function in one file and one entry in `READERS`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..errors import DataError, InputError
from ..measurements import Measurements
from .benchmarks import (
    is_google_benchmark,
    is_hyperfine,
    is_pytest_benchmark,
    read_google_benchmark,
    read_hyperfine,
    read_pytest_benchmark,
)
from .collect import load_json
from .extrap_json import is_extrap_json, read_extrap_json
from .extrap_text import is_extrap_text, read_extrap_text
from .jsonlines import is_json_lines, read_json_lines
from .perf_stat import is_perf_stat, read_perf_stat
from .profiles import read_caliper, read_cube
from .tidy_csv import is_csv, read_csv


@dataclass(frozen=True)
class Reader:
    """A format: what it is called, whether text looks like it, and (text, name for messages) -> measurements."""

    name: str
    matches: Callable[[str], bool]
    read: Callable[[str, str], Measurements]


READERS: tuple[Reader, ...] = (
    Reader("perf stat -j", is_perf_stat, read_perf_stat),
    Reader("JSON Lines", is_json_lines, read_json_lines),
    Reader("Google Benchmark", is_google_benchmark, read_google_benchmark),
    Reader("pytest-benchmark", is_pytest_benchmark, read_pytest_benchmark),
    Reader("hyperfine", is_hyperfine, read_hyperfine),
    Reader("Extra-P JSON", is_extrap_json, read_extrap_json),
    Reader("Extra-P text", is_extrap_text, read_extrap_text),
    Reader("CSV", is_csv, read_csv),
)
"""Formats of text, told apart by content; the first that matches reads."""

FOLDERS: dict[str, Callable[[Path], Measurements]] = {"*.cubex": read_cube, "*.cali": read_caliper}
"""Formats of which each run is a file: pattern -> reader of a folder."""

_MAX_BYTES = 2 << 30
_LINE = '{"params": {"n": 64}, "callpath": "solve", "metric": "time", "value": 1.5}'
_BY_SUFFIX = {".jsonl": read_json_lines, ".csv": read_csv}


def read(path: str | Path) -> Measurements:
    """Read measurements; "-" is standard input, a folder holds profiles.

    Raises:
        InputError: no such file, or of a kind that no reader knows.
        DataError: the file's content is wrong; the message names file and line.
    """
    if str(path) == "-":
        return read_text(sys.stdin.read(), "<stdin>")
    path = Path(path)
    if path.is_dir():
        return _folder(path)
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    if path.stat().st_size > _MAX_BYTES:
        raise InputError(f"{path}: larger than {_MAX_BYTES >> 30} GiB")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not text in UTF-8 (byte {error.start})") from None
    return read_text(text, str(path), path.suffix)


def read_text(text: str, name: str, suffix: str = "") -> Measurements:
    """Measurements from the content of a file.

    Raises:
        InputError: no reader knows it.
        DataError: the content is wrong, or there is none.
    """
    for reader in READERS:
        if reader.matches(text):
            return reader.read(text, name)
    if text.startswith("# started on") or "Performance counter stats for" in text[:1 << 12]:
        raise InputError(f"{name}: perf stat without -j; run perf stat -j -o FILE and write a line '# n=64' before each run, "
                         f"since perf does not know the parameters")
    if not text.strip():
        raise DataError(f"{name}: is empty")
    fallback = _BY_SUFFIX.get(suffix, read_json_lines if '"value"' in text.split("\n", 1)[0] else None)
    if fallback is None and suffix == ".json":
        load_json(text, name)  # says where it is none
    if fallback is None:
        raise InputError(f"{name}: no reader knows this content; known are {', '.join(r.name for r in READERS)}, and JSON Lines "
                         f"are easily written: {_LINE}")
    return fallback(text, name)


def _folder(path: Path) -> Measurements:
    for pattern, reader in FOLDERS.items():
        if next(path.rglob(pattern), None) is not None:
            return reader(path)
    raise InputError(f"{path}: a folder without profiles ({', '.join(FOLDERS)})")
