"""TOML files that people write: checked against a schema that refuses unknown keys."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TypeVar

from looplaw_common.documents import convert
from looplaw_common.errors import InputError

T = TypeVar("T")
_MAX_BYTES = 4 << 20


def load_toml(path: Path, kind: type[T], missing: str = "no such file") -> T:
    """A file as an object of a schema.

    Args:
        missing: what the message says where there is no such file.

    Raises:
        InputError: no such file, not TOML, or unlike the schema; the message names the key.
    """
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise InputError(f"{path}: larger than {_MAX_BYTES >> 20} MiB")
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: {missing}") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{path}: not TOML: {error}") from None
    return convert(data, kind, str(path), error=InputError)
