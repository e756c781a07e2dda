"""Commands that other tools answer."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path


def call(command: Sequence[str], cwd: Path | None = None) -> str:
    done = subprocess.run(
        list(command),
        capture_output=True,
        text=True,
        errors="replace",
        cwd=cwd,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode:
        raise RuntimeError(f"{shlex.join(command)[:200]}: {done.stderr.strip()[-300:]}")
    return done.stderr
