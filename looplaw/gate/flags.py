"""Flags of compilers: compile_commands.json, and folders that each version has for itself."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

from looplaw_common.documents import plain
from looplaw_common.errors import InputError, LooplawError

from .revisions import HEADERS, git_says

ROOT = "{root}"
"""What stands for the folder of a version in flags."""
_INCLUDE = re.compile(r"""(?m)^\s*#\s*include\s*["<]([^">\n]+)[">]""")
_FOLDERS = ("-I", "-isystem", "-iquote", "-idirafter")
_PATHS = (*_FOLDERS, "-include", "-imacros")
_MOST_GENERATED = 2000


def with_included(files: Sequence[Path], root: Path, flags: Sequence[str]) -> list[Path]:
    """The files and all that they include from inside `root`, however deep; conditions around an
    #include are not looked at."""
    folders = [root / f[2:] for f in flags if f.startswith("-I")]
    folders += [root / b for a, b in pairwise(flags) if a in _FOLDERS]
    found, todo = dict.fromkeys(files), [f for f in files if f.suffix != ".bc"]
    top, seen = root.resolve(), {f.resolve() for f in files}
    given = [root / b for a, b in pairwise(flags) if a in ("-include", "-imacros")]
    todo += [f for f in given if f.is_relative_to(root)]
    while todo:
        file = todo.pop()
        try:
            names = _INCLUDE.findall(file.read_text(errors="replace"))
        except OSError:
            continue
        found[file] = None
        for name in names:
            for folder in (file.parent, *folders, root):
                inside = Path(os.path.normpath(folder / name))
                if inside.is_file() and (real := inside.resolve()).is_relative_to(top):
                    if real not in seen:
                        seen.add(real)
                        todo.append(inside)
                    break
    return sorted(found)


def known_commands(root: Path) -> Path | None:
    """The newest compile_commands.json of a project, at its top or in a build folder."""
    found = [*root.glob("compile_commands.json"), *root.glob("*build*/compile_commands.json")]
    return max(found, key=lambda f: f.stat().st_mtime, default=None)


def compile_commands(path: Path, root: Path) -> dict[str, tuple[str, ...]]:
    """File, relative to `root` -> the flags that matter for the meaning of its text (-I, -D, -U,
    -std, -include); folders inside `root` are written as {root}/...

    Raises:
        InputError: no such file, or not a compilation database.
    """
    try:
        entries = plain(path.read_bytes(), str(path))
        found = {}
        for entry in entries:
            folder = Path(entry["directory"])
            words = entry.get("arguments") or shlex.split(entry["command"])
            file = _relative(folder / entry["file"], root)
            if file is not None:
                found[file] = tuple(_flags(words, folder, root))
        return found
    except FileNotFoundError:
        raise InputError(
            f"{path}: no such file; cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON writes it"
        ) from None
    except (LooplawError, ValueError, KeyError, TypeError, AttributeError) as error:
        why = str(error).removeprefix(f"{path}: ")
        raise InputError(f"{path}: no compilation database: {why}") from None


def _relative(file: Path, root: Path) -> str | None:
    try:
        return file.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        return None


def _flags(words: Sequence[str], folder: Path, root: Path) -> Iterator[str]:
    """The flags that matter, of the words of a command."""
    todo = list(words[1:])
    kept: list[str] = []
    while todo:
        word = todo.pop(0)
        if word in (*_PATHS, "-D", "-U"):
            kept += [word, todo.pop(0)] if todo else []
        elif word.startswith(("-I", "-D", "-U", "-std=", "-m", "-iquote", "-isystem")):
            kept.append(word)
    yield from in_versions(_joined(kept), folder, (root,))


def with_values(flags: Sequence[str]) -> list[tuple[str, ...]]:
    """Flags, each with the value that stands apart from it."""
    found = list[tuple[str, ...]]()
    for flag in flags:
        if found and found[-1][-1] in _PATHS and len(found[-1]) == 1:
            found[-1] = (*found[-1], flag)
        else:
            found.append((flag,))
    return found


def _joined(flags: Sequence[str]) -> list[str]:
    """Flags with their values behind them where clang takes them so."""
    found = list[str]()
    for flag in flags:
        if found and found[-1] in ("-I", "-D", "-U"):
            found[-1] += flag
        else:
            found.append(flag)
    return found


def in_versions(flags: Sequence[str], folder: Path, roots: Sequence[Path]) -> list[str]:
    """Flags whose folders and files are looked for in each version: paths inside of one of
    `roots`, as seen from `folder`, are written as {root}/...; others are absolute."""

    def placed(path: str, is_file: bool) -> str:
        here = folder / path
        if path.startswith(ROOT) or (is_file and not here.exists()):
            return path  # a name that is looked for in the folders
        inside = (_relative(here, root) for root in roots)
        found = next((i for i in inside if i is not None), None)
        return str(here) if found is None else f"{ROOT}/{found}"

    found = list[str]()
    for flag in _joined(flags):
        if found and found[-1] in _PATHS:
            found.append(placed(flag, found[-1] not in _FOLDERS))
        elif flag.startswith("-I"):
            found.append(f"-I{placed(flag[2:], False)}")
        else:
            found.append(flag)
    return found


@dataclass(frozen=True)
class Generated:
    """Headers that git does not know, such as those that a build writes: all versions use them,
    after their own. digest: of their content."""

    folder: Path = field(repr=False)
    names: tuple[str, ...]
    digest: str

    @property
    def flags(self) -> list[str]:
        """Where they are found, each folder after all that versions have."""
        return [w for name in self.names for w in ("-idirafter", str(self.folder / name))]


def generated_headers(top: Path, flags: Sequence[str], target: Path) -> Generated | None:
    """The headers in the folders of flags that git does not know, copied under `target`; None
    where there are none."""
    inside = (f.removeprefix("-I") for f in flags if f.removeprefix("-I").startswith(f"{ROOT}/"))
    names = [n for n in dict.fromkeys(f[len(ROOT) + 1 :] for f in inside) if (top / n).is_dir()]
    digest, used = sha256(), list[str]()
    for name in names:
        listed = git_says(top, "ls-files", "--others", "-z", "--", name).split("\0")
        headers = sorted(f for f in listed if f.endswith(HEADERS))[:_MOST_GENERATED]
        for file in headers:
            content = (top / file).read_bytes()
            digest.update(f"\0{file}\0".encode() + content)
            copy = target / file
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content)
        used += [name] * bool(headers)
    return Generated(target, tuple(used), digest.hexdigest()) if used else None
