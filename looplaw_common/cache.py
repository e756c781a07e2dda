"""The user's cache folder: what can be made again but takes time to make."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def cache_folder() -> Path:
    """The folder `looplaw` in XDG_CACHE_HOME, else in ~/.cache; made where it is missing.

    What is in it is run. A relative XDG_CACHE_HOME, which would lie in the working folder, does not
    count (XDG Base Directory Specification).

    Where it cannot be made (a read-only home), a new temporary folder: the cache is then empty and
    lasts as long as the machine keeps such folders.
    """
    given = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(given) if os.path.isabs(given) else Path.home() / ".cache"
    folder = base / "looplaw"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return folder
    except OSError:
        return Path(tempfile.mkdtemp(prefix="looplaw-cache-"))
