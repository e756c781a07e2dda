"""The fields of the JSON and TOML documents, from their types.

    python -m tools.formats

The site shows them as the page "Formats" (`docs/hooks.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import msgspec
from msgspec import Struct, UnsetType

from looplaw.cli.analysis_json import ProjectDocument
from looplaw.documents.analysis import AnalysisDocument
from looplaw.documents.laws import LawsFile
from looplaw.documents.models import FittedDocument
from looplaw.documents.speedups import SpeedupsDocument
from looplaw.documents.study import StudyDocument
from looplaw.documents.study_file import StudyFile
from looplaw.documents.verification import VerificationDocument
from runtime.machine.description import Machine

DOCUMENTS: dict[str, type[Struct]] = {
    "looplaw-analysis/1": AnalysisDocument,
    "looplaw-project/1": ProjectDocument,
    "looplaw-study/1": StudyDocument,
    "looplaw-models/1": FittedDocument,
    "looplaw-speedups/1": SpeedupsDocument,
    "looplaw-verification/1": VerificationDocument,
    "looplaw-machine/1": Machine,
    "laws.toml": LawsFile,
    "study.toml": StudyFile,
}
"""Format -> the type of the document."""
_PREFIX = re.compile(r"\b(?:\w+\.)+(?=\w)")


def page() -> str:
    """All formats in Markdown: a heading for each, below it a table for each of its types."""
    parts = [
        "# Formats\n\nReaders ignore unknown keys of JSON; files that people write refuse them."
    ]
    shown: set[type[Struct]] = set()
    for name, document in DOCUMENTS.items():
        parts.append(f"## {name}")
        for struct in _types(document):
            if struct not in shown:
                shown.add(struct)
                parts.append(_table(struct))
    return "\n\n".join(parts) + "\n"


def _types(document: type[Struct]) -> list[type[Struct]]:
    """A type and those of its fields, each before those that it holds."""
    found = [document]
    for struct in found:
        hints = get_type_hints(struct, include_extras=True)
        found += [t for hint in hints.values() for t in _inside(hint) if t not in found]
    return list(dict.fromkeys(found))


def _inside(hint: Any) -> Iterator[type[Struct]]:
    if isinstance(hint, type) and issubclass(hint, Struct):
        yield hint
    for part in get_args(hint):
        yield from _inside(part)


def _table(struct: type[Struct]) -> str:
    about = " ".join((struct.__doc__ or "").split("Attributes:")[0].split())
    hints = get_type_hints(struct, include_extras=True)
    rows = "\n".join(
        f"| `{field.encode_name}` | `{_text(hints[field.name])}` |"
        for field in msgspec.structs.fields(struct)
    )
    return f"### {struct.__name__}\n\n{about}\n\n| field | type |\n| --- | --- |\n{rows}"


def _text(hint: Any) -> str:
    """A type as people write it, without modules and without what is about reading it."""
    if hasattr(hint, "__metadata__"):
        return _text(get_args(hint)[0])
    named = hint.__name__ if isinstance(hint, type) and not get_args(hint) else str(hint)
    text = _PREFIX.sub("", named).replace(f" | {UnsetType.__name__}", "")
    return text.replace("NoneType", "null").replace("None", "null").replace("|", "\\|")


if __name__ == "__main__":
    print(page(), end="")
