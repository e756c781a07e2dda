"""Files replaced whole or not at all: the one place that writes what a user asked for.

Nothing is written through a symbolic link, which somebody may have left where output is known to
go: it is replaced by the file, and what it leads to stays as it is.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from .errors import InputError
from .owners import owned_name
from .scratch import remove_orphaned

_NO_RIGHTS = (errno.EACCES, errno.EPERM, errno.EROFS)
_FULL = ("No space left on device", "Disk quota exceeded", "not enough space on the disk")
"""What compilers and linkers say where their output does not fit."""
_LEAST_ROOM = 1 << 16
"""Bytes below which a disk is full: a linker that maps its output is ended by a signal there."""


@contextlib.contextmanager
def replacing(target: str | Path) -> Iterator[Path]:
    """A temporary path beside the target, which replaces it when the block ends without an error.

    The content is flushed to the disk before the rename, so that the target holds either what it
    held or all that is new, even after a crash. After an error the temporary file is removed and
    the target is as it was.

    Devices and pipes (/dev/stdout, a named pipe) are yielded themselves and written to as they are.

    Raises:
        InputError: the target's folder does not exist.
        OSError: the file cannot be written; `filename` is the target.
    """
    path = Path(os.path.abspath(target))
    if (path.exists() and not path.is_file()) or _is_stream(path):
        try:
            yield path
        except OSError as error:
            raise type(error)(error.errno, error.strerror, str(target)) from None
        return
    if not path.parent.is_dir():
        raise InputError(f"{target}: its directory does not exist: mkdir -p {path.parent}")
    remove_orphaned(path.parent)
    temporary = path.with_name(f".{path.name[:100]}.{owned_name()}.tmp")
    try:
        yield temporary
        if path.exists() and not path.is_symlink():
            os.chmod(temporary, path.stat().st_mode & 0o7777)
        with open(temporary, "rb") as written:
            os.fsync(written.fileno())
        os.replace(temporary, path)
    except OSError as error:
        why = error.strerror or str(error)
        if error.errno in _NO_RIGHTS and not os.access(path.parent, os.W_OK):
            why += f": its folder {path.parent} cannot be written to"
        raise type(error)(error.errno, why, str(target)) from None
    finally:
        with contextlib.suppress(OSError):  # on a read-only disk even what is not there
            temporary.unlink()


def _is_stream(path: Path) -> bool:
    """Is it a name of the system's for an open file, such as /dev/stdout? These are links."""
    return str(path.parent) in ("/dev", "/dev/fd") or path.parts[1:2] == ("proc",)


def write_new(target: str | Path, content: str) -> None:
    """Write a file that must not be there yet; nobody sees half of it.

    Raises:
        FileExistsError: it is there.
        InputError: its folder does not exist.
        OSError: it cannot be written.
    """
    path = Path(target)
    if path.exists() or path.is_symlink():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
    whole = path.with_name(f".{path.name[:100]}.{owned_name()}.new")
    try:
        write_whole(whole, content)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(target)) from None
    try:
        os.link(whole, path)  # unlike a rename, this replaces nothing
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        os.replace(whole, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            whole.unlink()


def write_whole(target: str | Path, content: str | bytes | Iterable[bytes]) -> None:
    """Replace a file by this content; text is written as UTF-8, parts one after the other.

    Raises:
        InputError: the target's folder does not exist.
        OSError: the file cannot be written; the old content stays.
    """
    data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    with replacing(target) as temporary, temporary.open("wb") as file:
        file.writelines((data,) if isinstance(data, bytes) else data)


def own_folder(path: Path) -> Path:
    """A folder with a name of ours in a folder that a user named; made where it is missing.

    Raises:
        InputError: a link or a file is in its place.
        OSError: it cannot be made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        path.mkdir()
    except FileExistsError:
        if path.is_symlink():
            raise InputError(
                f"{path}: is a symbolic link, and what belongs there would be written elsewhere:"
                f" rm {path}"
            ) from None
        if not path.is_dir():
            raise InputError(f"{path}: is a file where a folder is needed: rm {path}") from None
    remove_orphaned(path)
    return path


def without_room(said: str, *folders: Path) -> str | None:
    """That a disk is full, if that is why a command failed: it says so, or one of the folders that
    it writes to has no room. None where there is another reason."""
    full = next((folder for folder in folders if _room(folder) < _LEAST_ROOM), None)
    if full is None and not any(words in said for words in _FULL):
        return None
    where = folders if full is None else (full,)
    return f"{_FULL[0]}: make room in {' or '.join(map(str, where))}"


def _room(folder: Path) -> int:
    """Bytes that may still be written there."""
    try:
        at = os.statvfs(folder)
    except (OSError, AttributeError):
        return _LEAST_ROOM
    return at.f_bavail * at.f_frsize if at.f_blocks else _LEAST_ROOM
