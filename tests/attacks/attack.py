"""One attack: files, what is done with them, and what must hold afterwards."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.inputs import Outcome, in_a_fork, in_a_process

CANARY = "canary"
"""The file that hostile content tries to make."""
RUN = f"__import__('pathlib').Path('{CANARY}').touch()"
"""Python that makes it, as an expression."""
_FORGED = re.compile(
    "^::|^##\\[|[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", re.M
)
"""Commands of a runner of jobs, and characters that move a cursor or turn the direction of text."""

Content = bytes | str | Callable[[], bytes | str]
Action = tuple[str, ...] | Callable[[], object]
REFUSED = (2, 3)
ANSWERED = (0, 1)
EITHER = (0, 1, 2, 3)


@dataclass(frozen=True)
class Attack:
    """untrusted: what somebody else wrote. tried: what it tries.

    Attributes:
        files: name -> content, or a function that makes it; a name that ends in a slash is a
            folder, one with " -> " a symbolic link.
        action: a command line of looplaw, or a function that is called in the folder.
        codes: exit codes that are right.
        says: a regular expression that stderr must match.
        never: texts that stand in no output and in no file that is written.
        prepare: called in the folder before the action, for what is no content of a file.
    """

    untrusted: str
    tried: str
    files: Mapping[str, Content]
    action: Action
    codes: tuple[int, ...] = REFUSED
    says: str = ""
    never: tuple[str, ...] = ()
    prepare: Callable[[], object] | None = None
    alone: bool = False
    """Is it tried in a new process, since a fork has what tests have loaded?"""
    beside: Mapping[str, Content] = field(default_factory=dict)
    """Files outside of the folder, which must stay as they are."""


def held(attack: Attack, folder: Path) -> str | None:
    """What did not hold; None if all did. The folder is empty."""
    work = folder / "work"
    work.mkdir()
    _write(attack.beside, folder)
    _write(attack.files, work)
    before, own = _contents(folder, work), set(_files(work))
    if attack.alone and not callable(attack.action):
        found = in_a_process(attack.action, work)
    else:
        found = in_a_fork(attack.action, work, attack.prepare)
    written = {p for p in _files(work) if p not in own and p.name not in (".stdout", ".stderr")}
    return (
        found.fault
        or _wrong_answer(attack, found)
        or _forged(work)
        or (f"made {CANARY}" if (work / CANARY).exists() or (folder / CANARY).exists() else None)
        or ("changed what is outside" if _contents(folder, work) != before else None)
        or _left(attack, written, work)
    )


def _wrong_answer(attack: Attack, found: Outcome) -> str | None:
    errors = found.errors.strip()
    if found.code not in attack.codes:
        return f"exit code {found.code}: {errors[-300:]}"
    if attack.says and not re.search(attack.says, errors):
        return f"does not say {attack.says!r}: {errors[-300:]}"
    if found.code in REFUSED and len(errors.splitlines()) > 1 and not callable(attack.action):
        return f"more than one line: {errors[-300:]}"
    return None


def _forged(work: Path) -> str | None:
    for name in (".stdout", ".stderr"):
        text = (work / name).read_text(encoding="utf-8", errors="replace")
        if match := _FORGED.search(text):
            around = text[max(match.start() - 30, 0) : match.end() + 30]
            return f"forged output: {around!a}"
    return None


def _left(attack: Attack, written: set[Path], work: Path) -> str | None:
    for path in (*written, work / ".stdout", work / ".stderr"):
        text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
        for each in attack.never:
            if each in text:
                return f"{path.name} holds {each!a}"
    return None


def _write(files: Mapping[str, Content], folder: Path) -> None:
    for name, content in files.items():
        if " -> " in name:
            link, _, target = name.partition(" -> ")
            (folder / link).parent.mkdir(parents=True, exist_ok=True)
            (folder / link).symlink_to(target)
            continue
        path = folder / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content() if callable(content) else content
        path.write_bytes(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data)


def _files(folder: Path) -> list[Path]:
    return [Path(at) / name for at, _, names in os.walk(folder) for name in names]


def _contents(folder: Path, without: Path) -> dict[str, bytes]:
    return {
        str(path): path.read_bytes()
        for path in _files(folder)
        if without not in path.parents and path.is_file()
    }
