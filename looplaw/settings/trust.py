"""Whether a study file may be obeyed: it chooses programs, flags and commands, so it is code.

As git does for repositories and sshd for keys, a file is trusted if nobody but its reader and root
could have written it, or have put another one in its place.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from looplaw_common.errors import InputError


def expect_trusted(path: Path) -> None:
    """That a study file, its folder and the folders above are this user's or root's.

    Groups may write: on clusters, a project shares its folders. A folder that everybody may write
    to but where files are kept from others (/tmp) may stand above, but not hold the file: sources
    and headers beside it may be anybody's.

    Raises:
        InputError: they are another user's, or everybody may write there; the message says what to
            type where that is meant. A file that does not exist is for its reader to refuse.
    """
    if not hasattr(os, "getuid"):
        return
    try:
        real = Path(os.path.realpath(path))
        why = _doubt(real, os.getuid()) or next(
            (found for place in real.parents if (found := _doubt(place, os.getuid()))), None
        )
        if why is None and real.parent.stat().st_mode & stat.S_IWOTH:
            why = f"everybody may write to {real.parent}"
    except OSError:
        return
    if why is not None:
        raise InputError(
            f"{path}: {why}, and a study file runs programs: read it, then add --trust"
        )


def _doubt(place: Path, user: int) -> str | None:
    """Why somebody else may have put a file or folder here; None if nobody could."""
    status = place.stat()
    if status.st_uid not in (user, 0):
        return f"{place} belongs to another user (number {status.st_uid})"
    writable, kept = status.st_mode & stat.S_IWOTH, status.st_mode & stat.S_ISVTX
    if writable and not (kept and stat.S_ISDIR(status.st_mode)):
        return f"everybody may write to {place}"
    return None
