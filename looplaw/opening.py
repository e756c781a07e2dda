"""`looplaw.load`: files and folders of ours, whatever is in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from looplaw_common.errors import InputError

from .documents.reading import load as load_document
from .documents.reading import load_object


def load(path: str | Path) -> Any:
    """Open what looplaw wrote.

    Args:
        path: a JSON file, the directory of a study, or a file or folder of measurements, which are
            modeled.

    Returns:
        A `Study` for a study and for measurements, `Models` for models, an `AnalysisDocument` for
        an analysis (its loops and functions are found as those of an `Analysis`), and the JSON
        object itself for the other formats (plan, verification, check, ...).

    Raises:
        InputError: no such file, or of a kind that no reader knows.
        DataError: what is in it is wrong; the message names the place.
    """
    file = Path(path)
    if not file.exists():
        raise InputError(f"{file}: no such file")
    form = _format(file)
    if form is None or form == "looplaw-study/1":
        from .api import Study

        return Study.load(file)
    if form == "looplaw-models/1":
        from modeling.pmnf.documents import ModelsDocument
        from modeling.pmnf.model import Models

        return Models.of(load_document(file, ModelsDocument, form), str(file))
    if form == "looplaw-analysis/1":
        from .documents.analysis import AnalysisDocument

        return load_document(file, AnalysisDocument, form)
    return load_object(file)


def _format(file: Path) -> str | None:
    """What a JSON file of ours says that it is; None for everything else."""
    if file.is_dir() or file.suffix != ".json":
        return None
    with file.open("rb") as opened:
        start = opened.read(400)
    if b'"looplaw-' not in start:
        return None
    found = load_object(file).get("format")
    return found if isinstance(found, str) else None
