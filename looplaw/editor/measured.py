"""What a study measured of the loops of a file: times, nanoseconds an iteration, verdicts."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from looplaw_common.errors import LooplawError

from ..documents.count import Params
from ..documents.reading import load
from ..documents.study import STUDY, StudyDocument, StudyLoop
from .flags import folders_above
from .moved_lines import lines_of, moved_lines

_OUT = "looplaw-out"
_FILE = "study.json"
_LARGEST_BYTES = 64 << 20
"""Larger studies are not read while somebody types."""


@dataclass(frozen=True)
class Measured:
    """A loop in a study. line, column: where it is now. times: seconds at the largest point `at`;
    ns: nanoseconds an iteration there, of the loop of its kernel that runs most often. earlier: the
    file has changed since."""

    loop: StudyLoop
    line: int
    column: int
    folder: Path
    seconds: float | None
    at: Params
    ns: float | None
    earlier: bool


def measured_loops(
    path: Path, text: str, top: Path | None
) -> tuple[tuple[Measured, ...], tuple[str, ...]]:
    """The loops of a file in the newest study that has its source, and messages on studies that
    cannot be read."""
    said: list[str] = []
    for file in sorted(_studies(path, top), key=_modified, reverse=True):
        try:
            study = load(file, StudyDocument, STUDY)
        except LooplawError as error:
            said.append(str(error))
            continue
        for source in study.sources:
            if _is_same(source.file, path) and _is_program(study, source.file, file.parent, path):
                return tuple(_loops(study, source.file, source.text, text, file.parent)), ()
    return (), tuple(said)


def _studies(path: Path, top: Path | None) -> Iterator[Path]:
    for folder in folders_above(path, top):
        found = [folder / _FILE, *(folder / _OUT).glob(f"*/{_FILE}")]
        yield from (f for f in found if f.is_file() and f.stat().st_size <= _LARGEST_BYTES)


def _modified(file: Path) -> float:
    return file.stat().st_mtime


def _is_same(name: str, path: Path) -> bool:
    """May a name, as debug information has it, be that of this file?"""
    return Path(name) == path or str(path).endswith("/" + name.removeprefix("./").lstrip("/"))


def _is_program(study: StudyDocument, name: str, folder: Path, path: Path) -> bool:
    """Is it this file, and not one of the same name of another program? A name without a folder
    says too little: then the study has to lie beside the file or below the folder it is in."""
    if "/" in name.removeprefix("./"):
        return True
    return folder == path.parent or path.parent in folder.parents


def _loops(
    study: StudyDocument, file: str, before: str, text: str, folder: Path
) -> Iterator[Measured]:
    moved = moved_lines(before, text)
    earlier = lines_of(before) != lines_of(text)
    busiest = _busiest(study.loops)
    for loop in study.loops:
        name, _, place = loop.at.rpartition(":")
        name, _, number = name.rpartition(":")
        if name != file or not number.isdecimal() or not place.isdecimal():
            continue
        line = moved.get(int(number))
        if line is None:
            continue
        at, seconds = _largest(loop)
        kernel = loop.kernel or loop.at
        ns = None
        if loop.at == busiest.get(kernel):
            ns = _ns(next((x for x in study.loops if x.at == kernel), loop), loop)
        yield Measured(loop, line, int(place), folder, seconds, at, ns, earlier)


def _busiest(loops: Sequence[StudyLoop]) -> dict[str, str]:
    """Kernel -> the loop in it that runs most often."""
    found: dict[str, tuple[int, str]] = {}
    for loop in loops:
        kernel = loop.kernel or loop.at
        often = max((c.iterations for c in loop.counted), default=0)
        if often > found.get(kernel, (-1, ""))[0]:
            found[kernel] = often, loop.at
    return {kernel: at for kernel, (_, at) in found.items()}


def _largest(loop: StudyLoop) -> tuple[Params, float | None]:
    """The point that took longest, and the median time there."""
    timed = [(statistics.median(t.values), t.params) for t in loop.time or () if t.values]
    if not timed or loop.measured != "time":
        return {}, None
    seconds, at = max(timed, key=lambda pair: pair[0])
    return at, seconds


def _ns(kernel: StudyLoop, loop: StudyLoop) -> float | None:
    """Nanoseconds an iteration at the largest point of the kernel."""
    at, seconds = _largest(kernel)
    iterations = next((c.iterations for c in loop.counted if _same_point(c.params, at)), 0)
    return None if seconds is None or not iterations else 1e9 * seconds / iterations


def _same_point(a: Mapping[str, object], b: Mapping[str, object]) -> bool:
    return dict(a) == dict(b)
