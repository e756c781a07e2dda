"""The IR of a file as an editor holds it, saved or not.

A text that is not saved is compiled from a temporary copy of the same name, with the flags that let
it include what lies beside the file. Nothing is linked and nothing is run.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from looplaw_common.errors import LooplawWarning
from looplaw_common.scratch import scratch_folder
from staticana import canonical, compile_sources
from staticana.frontend.registry import CLANG, front_end_of

_RUST_MAIN = re.compile(r"(?m)^\s*(?:pub\s+)?fn\s+main\s*\(")
_CRATE_TYPE = "#![crate_type"


@dataclass(frozen=True)
class Source:
    """A file, and where it was compiled: `compiled` is `path`, or a copy with the editor's text."""

    path: Path
    compiled: Path
    text: str

    def is_this(self, name: str) -> bool:
        """Is a file, as a compiler or debug information calls it, this one?"""
        return any(
            Path(name) == p or (not name.startswith("/") and str(p).endswith(f"/{plain(name)}"))
            for p in (self.compiled, self.path)
        )


def plain(name: str) -> str:
    """A relative name without a leading ./"""
    return name.removeprefix("./")


@contextmanager
def laid_out(path: Path, text: str | None) -> Iterator[Source]:
    """A file ready to be compiled.

    Raises:
        OSError: it cannot be read.
    """
    if text is None:
        yield Source(path, path, path.read_text(encoding="utf-8", errors="replace"))
        return
    with scratch_folder("edited") as folder:
        copy = folder / path.name
        copy.write_text(text, encoding="utf-8", errors="replace", newline="")
        if path.suffix == ".rs" and path.parent.is_dir():
            _show_siblings(path, folder)
        yield Source(path, copy, text)


def _show_siblings(path: Path, folder: Path) -> None:
    """Links to what lies beside a file: `mod name;` has no search path."""
    for sibling in path.parent.iterdir():
        if sibling.name != path.name:
            (folder / sibling.name).symlink_to(sibling)


def canonical_ir(source: Source, given: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The IR of a file in canonical form, and warnings, one line each.

    Raises:
        DoesNotCompile: it has errors. InputError: another reason why there is no IR.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", LooplawWarning)
        text = canonical(compile_sources([source.compiled], flags=[*_beside(source), *given]))
    said = (str(w.message) for w in caught if issubclass(w.category, LooplawWarning))
    return text, tuple(dict.fromkeys(said))


def _beside(source: Source) -> list[str]:
    """Flags that make a copy include what its file does."""
    front_end = front_end_of(source.path)
    if source.path.suffix == ".rs":
        is_library = not _RUST_MAIN.search(source.text) and _CRATE_TYPE not in source.text
        return ["--crate-type=lib"] if is_library else []
    if source.compiled == source.path or source.path.suffix in (".ll", ".bc"):
        return []
    folder = str(source.path.parent)
    return ["-iquote", folder] if front_end is CLANG else [f"-I{folder}"]
