"""The rooms of the packages as a table: what each holds, its modules and lines, what it imports.

    python -m tools.rooms

A room is a folder with Python files; the first sentence of its docstring says what it holds. The
page "Design" of the site shows the table (`docs/hooks.py`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGES = ("looplaw", "runtime", "staticana", "modeling", "looplaw_common")
_SHARED = "looplaw_common"
_SENTENCE = re.compile(r"\.(?:\s|$)")


@dataclass(frozen=True)
class Room:
    """A folder of modules.

    Attributes:
        name: its path, with dots.
        modules: number of files, the `__init__` not among them.
        lines: of all files.
        imports: names of the rooms that it imports.
    """

    name: str
    holds: str
    modules: int
    lines: int
    imports: tuple[str, ...]


def rooms(root: Path) -> list[Room]:
    """The rooms of a tree, package by package."""
    folders = [p.parent for package in PACKAGES for p in (root / package).rglob("__init__.py")]
    names = {_name(root, folder) for folder in folders}
    return [_room(root, folder, names) for folder in sorted(folders, key=lambda f: _order(root, f))]


def _name(root: Path, folder: Path) -> str:
    return ".".join(folder.relative_to(root).parts)


def _order(root: Path, folder: Path) -> tuple[int, str]:
    name = _name(root, folder)
    return PACKAGES.index(name.split(".")[0]), name


def _room(root: Path, folder: Path, names: set[str]) -> Room:
    files = sorted(folder.glob("*.py"))
    own = _name(root, folder)
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    imported = {
        room
        for path, text in texts.items()
        if path.name != "__init__.py"  # a package's face imports what it shows
        for module in _imports(ast.parse(text), own)
        if (room := _room_of(module, names)) and room != own
    }
    docstring = ast.get_docstring(ast.parse(texts[folder / "__init__.py"])) or ""
    return Room(
        own,
        _SENTENCE.split(" ".join(docstring.split()), maxsplit=1)[0],
        sum(path.name != "__init__.py" for path in files),
        sum(text.count("\n") for text in texts.values()),
        tuple(sorted(imported)),
    )


def _imports(tree: ast.Module, package: str) -> Iterator[str]:
    """Absolute names of what a module of a package imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")
            base = ".".join(above[: len(above) - node.level + 1]) if node.level else ""
            origin = ".".join(part for part in (base, node.module) if part)
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def _room_of(module: str, names: set[str]) -> str | None:
    """The room that a module, or a name in it, belongs to."""
    parts = module.split(".")
    heads = (".".join(parts[:k]) for k in range(len(parts), 0, -1))
    return next((head for head in heads if head in names), None)


def table(found: list[Room]) -> str:
    """The rooms as Markdown. Imported rooms of the same package are named without it; the package
    that all share is left out."""
    rows = [
        "| room | what it holds | modules | lines | imports |",
        "| --- | --- | --: | --: | --- |",
    ]
    for room in found:
        package = room.name.split(".")[0]
        imports = ", ".join(
            f"`{name.removeprefix(f'{package}.')}`" for name in room.imports if name != _SHARED
        )
        row = (f"`{room.name}`", room.holds, str(room.modules), f"{room.lines:,}", imports)
        rows.append(f"| {' | '.join(row)} |")
    modules, lines = sum(r.modules for r in found), sum(r.lines for r in found)
    rows.append(f"| {len(found)} rooms | | {modules} | {lines:,} | |")
    return "\n".join(rows)


def main() -> None:
    """Print the table."""
    print(table(rooms(Path(__file__).resolve().parent.parent)))


if __name__ == "__main__":
    main()
