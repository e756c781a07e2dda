"""Revisions of a git repository: their trees, ranges of commits, and what git knows of a folder.

A revision is read object by object (`git cat-file`), into a temporary folder; the user's checkout,
index and worktrees are never touched.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from looplaw_common.commands import answered, git_words, text_of
from looplaw_common.errors import InputError

from .judging import Change

T_co = TypeVar("T_co")
SOURCES = (".c", ".cc", ".cpp", ".cxx", ".C", ".ll", ".bc", ".f90", ".F90", ".rs")
KERNELS = (".cl", ".cu", ".hip")
HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inc", ".ipp", ".inl", ".def", ".tpp")


@contextmanager
def revision(rev: str, folder: Path, scratch: Path) -> Iterator[Path]:
    """The tree of a git revision in a temporary folder, which is removed afterwards.

    Raises:
        InputError: no repository, or no such revision.
    """
    target = Path(tempfile.mkdtemp(dir=scratch))
    try:
        commit = git_says(folder, "rev-parse", "--verify", "--quiet", f"{rev}^{{commit}}", name=rev)
        listed = git_says(folder, "ls-tree", "-r", "-z", "--full-tree", commit.strip())
        wanted = []
        for entry in filter(None, listed.split("\0")):
            meta, _, path = entry.partition("\t")
            mode, kind, blob = meta.split()
            if kind == "blob" and mode != "120000" and path.endswith((*SOURCES, *HEADERS)):
                if ".." in path.split("/") or path.startswith("/"):  # no checkout has such a name
                    raise InputError(f"{rev}: its tree has a file outside of it: {path}")
                wanted.append((blob, path))
        _write_blobs(folder, wanted, target)
        yield target
    finally:
        shutil.rmtree(target, ignore_errors=True)


def _write_blobs(folder: Path, wanted: Sequence[tuple[str, str]], target: Path) -> None:
    if not wanted:
        return
    asked = "".join(f"{blob}\n" for blob, _ in wanted).encode()
    done = answered(git_words(folder, "cat-file", "--batch"), given=asked)
    if done.returncode:
        raise InputError(f"{folder}: git cat-file: {text_of(done.stderr).strip()}")
    said = done.stdout
    start = 0
    for _, path in wanted:
        end = said.index(b"\n", start)
        what = said[start:end].split()[-1]
        if what == b"missing":  # of a clone that does not have all files
            start = end + 1
            continue
        size = int(what)
        file = target / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(said[end + 1 : end + 1 + size])
        start = end + 1 + size + 1


def commits(folder: Path, span: str) -> tuple[tuple[str, str], ...]:
    """(hash, subject) of the commits of a range A..B that touch sources or headers, the oldest
    first, along first parents; the first one is A, with which they are compared.

    Raises:
        InputError: no repository, or no such range.
    """
    first, dots, last = span.partition("..")
    if not dots or not first or last.startswith("."):
        raise InputError(f"--log {span}: write a range of git revisions, as in v1.0..HEAD")
    last = last or "HEAD"
    kinds = [f"*{suffix}" for suffix in (*SOURCES, *HEADERS)]
    ends = [
        git_says(folder, "rev-parse", "--verify", "--quiet", f"{rev}^{{commit}}", name=rev).strip()
        for rev in (first, last)
    ]
    listed = git_says(
        folder,
        "log",
        "--reverse",
        "--first-parent",
        "--format=%H %s",
        f"{ends[0]}..{ends[1]}",
        "--",
        *kinds,
        name=span,
    )
    pairs = (line.partition(" ") for line in listed.splitlines())
    return ((ends[0], ""), *((commit, subject) for commit, _, subject in pairs))


def bisected(
    steps: Sequence[T_co], compare: Callable[[T_co, T_co], Sequence[Change]]
) -> Iterator[tuple[T_co, Sequence[Change]]]:
    """The versions of a series that differ from the one before, and how. Where the ends of a part
    do not differ, nothing in between is looked at, as `git bisect` does."""
    if len(steps) < 2:
        return
    found = compare(steps[0], steps[-1])
    if not found:
        return
    if len(steps) == 2:
        yield steps[-1], found
        return
    middle = len(steps) // 2
    yield from bisected(steps[: middle + 1], compare)
    yield from bisected(steps[middle:], compare)


def top_of(folder: Path) -> Path:
    """The top of the repository a folder is in.

    Raises:
        InputError: it is in none.
    """
    return Path(git_says(folder, "rev-parse", "--show-toplevel").strip())


def git_says(folder: Path, *words: str, name: str | None = None) -> str:
    """What git answers.

    Args:
        name: of a revision that may not exist.

    Raises:
        InputError: no git, no repository, or no such revision.
    """
    try:
        done = answered(git_words(folder, *words))
    except FileNotFoundError:
        raise InputError("--base needs git: install it, or compare two folders") from None
    if done.returncode:
        if name is not None and (folder / ".git").exists():
            raise InputError(f"{name}: no such revision; git log --oneline lists them")
        said = text_of(done.stderr).strip().splitlines()
        raise InputError(f"{name or folder}: {said[-1] if said else 'not known to git'}")
    return os.fsdecode(done.stdout)


def sources_in(folder: Path, root: Path) -> list[Path]:
    """The sources in a folder of a version; in a checkout, not those that git ignores, such as what
    a build writes."""
    if (root / ".git").exists():
        listed = git_says(root, "ls-files", "-z", "-co", "--exclude-standard", "--", str(folder))
        found: Iterable[Path] = (root / name for name in listed.split("\0"))
    else:
        found = folder.rglob("*")
    return sorted(f for f in found if f.suffix in SOURCES and f.is_file())


def kernel_files(root: Path, paths: Sequence[str]) -> tuple[str, ...]:
    """The files with kernels among files and folders of a version, relative to its root."""
    found: list[Path] = []
    for path in paths or (".",):
        file = root / path
        if file.is_dir():
            found += sorted(f for f in file.rglob("*") if f.suffix in KERNELS)
        elif file.suffix in KERNELS and file.is_file():
            found.append(file)
    return tuple(dict.fromkeys(f.relative_to(root).as_posix() for f in found))
