"""Finished studies as users name them: a directory, or the study.json in it."""

from __future__ import annotations

import re
from pathlib import Path

from looplaw_common.errors import InputError
from modeling.readers import file_reader_of

from .documents.observations import measured, title_of
from .documents.reading import load
from .documents.study import STUDY, StudyDocument

_NAMED = re.compile(r'\s*\{\s*"format":\s*"([\w/-]+)"')
_INSTEAD = {
    "looplaw-models/1": "predict {} --at NAME=VALUE evaluates it",
    STUDY: "report {} shows it",
}
"""What takes our own formats."""
_MEASUREMENTS = ("", ".jsonl", ".csv", ".json", ".txt", ".tsv", ".md", ".gz", ".xlsx", ".ods")
"""Suffixes that no program has."""
_NESTED = ("*/study.json", "looplaw-out/*/study.json")


def study_file(path: str) -> StudyDocument:
    """study.json, or the directory it is in.

    Raises:
        InputError: no such file.
        DataError: not a study.
    """
    folder = Path(path)
    if not folder.is_dir():
        return load(path, StudyDocument, STUDY)
    if not (folder / "study.json").is_file():
        inside = sorted(str(f.parent) for pattern in _NESTED for f in folder.glob(pattern))
        known = (
            f"name one of those in it: {', '.join(inside[:5])}"
            if inside
            else (
                "name the directory that looplaw study wrote (looplaw-out/PROGRAM), or make one: "
                "looplaw study PROGRAM --vary n=64,128,256"
            )
        )
        raise InputError(f"{path}: holds no study.json; {known}")
    return load(folder / "study.json", StudyDocument, STUDY)


def study_or_measurements(path: str) -> StudyDocument:
    """A finished study, or that which `measured_study` makes of a file of measurements.

    Raises:
        InputError: no such file, or of a kind that no reader knows.
        DataError: what is in it is wrong.
    """
    if (Path(path).is_dir() and not _profiles(Path(path))) or _is_study(path):
        return study_file(path)
    expect_measurements(path)
    from modeling.fitter.fit import fit

    from .report.measured import measured_study

    measurements, ranks = measured(path)
    return measured_study(measurements, fit(measurements), title=title_of(path), ranked=ranks)


def expect_measurements(path: str, verb: str = "fit") -> None:
    """That a path is not one of our own files or a program, which people try first.

    Args:
        path: what was named; "-" is none of these.
        verb: what was to read it.

    Raises:
        InputError: it is; the message says what takes it.
    """
    file = Path(path)
    if (file / "study.json").is_file() or (file / "runs").is_dir():
        raise InputError(
            f"{path}: the directory of a study: looplaw report {path} shows it, "
            f"looplaw export {path} | looplaw {verb} - models its measurements"
        )
    if file.suffix not in _MEASUREMENTS and is_program(file):
        raise InputError(
            f"{path}: a program, not measurements: looplaw study {path} --vary n=64,128,256"
            " measures and models it"
        )
    if file.suffix == ".json" and (kind := _format(file)) in _INSTEAD:
        raise InputError(
            f"{path}: no measurements but {kind}: looplaw {_INSTEAD[kind].format(path)}"
        )


def is_measured(path: str) -> bool:
    """Is it a file of measurements by its suffix, which neither studies nor models have?"""
    suffix = Path(path).suffix
    return suffix in _MEASUREMENTS and suffix not in ("", ".json") and Path(path).is_file()


def is_program(file: Path) -> bool:
    """Is it a file that can be analysed?"""
    from staticana.frontend import registry  # which loads the compiler's library

    return registry.is_program(file)


def _is_study(path: str) -> bool:
    return path.endswith(".json") and _format(Path(path)) == STUDY


def _profiles(folder: Path) -> bool:
    return file_reader_of(folder) is not None


def _format(file: Path) -> str:
    """What one of our files says that it is, from its beginning; empty for others."""
    try:
        with file.open("rb") as opened:
            found = _NAMED.match(opened.read(200).decode("utf-8", "replace"))
    except OSError:
        return ""
    return found[1] if found else ""
