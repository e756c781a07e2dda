"""Files replaced whole or not at all: the one place that writes what a user asked for."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

from .errors import InputError


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
    path = Path(os.path.realpath(target))
    if path.exists() and not path.is_file():
        try:
            yield path
        except OSError as error:
            raise type(error)(error.errno, error.strerror, str(target)) from None
        return
    if not path.parent.is_dir():
        raise InputError(f"{target}: its directory does not exist: mkdir -p {path.parent}")
    # Processes on several machines may share the folder, and have the same number.
    temporary = path.with_name(f".{path.name[:100]}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
    try:
        yield temporary
        if path.exists():
            os.chmod(temporary, path.stat().st_mode & 0o7777)
        with open(temporary, "rb") as written:
            os.fsync(written.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(target)) from None
    finally:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()


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
    whole = path.with_name(f".{path.name[:100]}.{os.getpid()}-{os.urandom(4).hex()}.new")
    write_whole(whole, content)
    try:
        os.link(whole, path)  # unlike a rename, this replaces nothing
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        os.replace(whole, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            whole.unlink()


def write_whole(target: str | Path, content: str | bytes) -> None:
    """Replace a file by this content; text is written as UTF-8.

    Raises:
        InputError: the target's folder does not exist.
        OSError: the file cannot be written; the old content stays.
    """
    data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    with replacing(target) as temporary:
        temporary.write_bytes(data)
