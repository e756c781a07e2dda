"""Finished studies as users name them: a directory, or the study.json in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .common import load

FORMAT = "looplaw-study/1"


def study_file(path: str) -> Mapping[str, Any]:
    """study.json, or the directory it is in.

    Raises:
        InputError: no such file.
        DataError: not a study.
    """
    folder = Path(path)
    return load(str(folder / "study.json") if folder.is_dir() else path, FORMAT)
