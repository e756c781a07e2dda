"""Folders for what is only needed meanwhile: gone when the work ends, and when it was killed, gone
at the next start.

The owner's machine, process and start stand in the name. Whoever makes such a folder removes those
beside it whose owner has died, where they are this user's; folders of live processes, other users
and other machines stay.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from .errors import InputError
from .owners import is_orphaned, owned_name

_OWNER = r"[0-9a-f]{8}-\d+-\d+-[0-9a-f]{8}"
_OWNED = re.compile(rf"\.?looplaw-(?:[a-z]+-)?({_OWNER})|\..+\.({_OWNER})\.(?:tmp|new)")
_PREFIX = "looplaw-"
_HIDDEN = ".looplaw-"
"""What names begin with, in the folder for temporary files and in one that users look into."""


@contextlib.contextmanager
def scratch_folder(kind: str = "", folder: Path | None = None) -> Iterator[Path]:
    """A new folder of this user alone, removed when the block ends.

    Args:
        kind: a word for its name.
        folder: where; the system's folder for temporary files (TMPDIR) where None.

    Raises:
        InputError: nothing can be written there.
    """
    made = new_scratch_folder(kind, folder)
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def new_scratch_folder(kind: str = "", folder: Path | None = None) -> Path:
    """As `scratch_folder`; whoever asks removes it."""
    try:
        parent = Path(tempfile.gettempdir()) if folder is None else folder
    except FileNotFoundError as error:  # none of the usual places can be written to
        raise InputError(f"{error.strerror}; set TMPDIR to a folder with room") from None
    prefix = _PREFIX if folder is None else _HIDDEN
    remove_orphaned(parent)
    made = parent / f"{prefix}{f'{kind}-' * bool(kind)}{owned_name()}"
    try:
        made.mkdir(mode=0o700)
    except OSError as error:
        raise InputError(
            f"{parent}: nothing can be written there: {error.strerror or error}"
        ) from None
    return made


_SEEN: set[tuple[int, Path]] = set()
"""Folders that this process has looked through; a fork looks again."""


def remove_orphaned(folder: Path) -> None:
    """Remove what killed processes of this user have left in a folder, folders as well as files
    that were to replace others (`files.replacing`); once in a process."""
    here = (os.getpid(), folder)
    if here in _SEEN:
        return
    _SEEN.add(here)
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            found = _OWNED.fullmatch(entry.name)
            if found is None or not is_orphaned(found[1] or found[2]):
                continue
            with contextlib.suppress(OSError):
                if entry.stat(follow_symlinks=False).st_uid != os.geteuid():
                    continue
                if found[1] and entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
                elif found[2] and entry.is_file(follow_symlinks=False):
                    os.unlink(entry.path)
