"""The environment of a measurement: machine, compiler, revision of the source."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
from collections.abc import Mapping
from pathlib import Path

from looplaw_common.commands import answered, git_words, text_of

_GIT_TIMEOUT_S = 10
_GOVERNOR = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")

Environment = Mapping[str, str | int | bool | None]


def describe(*, source: Path, compiler: str, flags: str, version: str) -> Environment:
    """The environment of runs made here and now; what cannot be determined is None.

    Args:
        source: a file of the program; the git revision of its folder is recorded, and whether
            files there have changed since.
        compiler, flags: the compiler's version and its flags.
        version: of looplaw.
    """
    revision, dirty = _revision(source)
    return {
        **machine(),
        "compiler": compiler,
        "flags": flags,
        "looplaw": version,
        "revision": revision,
        "dirty": dirty,
    }


def machine() -> Environment:
    """The part of the environment that describes this machine."""
    return {
        "host": platform.node(),
        "cpu": _cpu(),
        "governor": _governor(),
        "cores": os.cpu_count(),
        "os": platform.platform(),
        "python": platform.python_version(),
    }


def digest(data: object) -> str:
    """A digest that identifies a JSON object."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.machine()


def _governor() -> str | None:
    """The frequency governor of the first processor."""
    try:
        return _GOVERNOR.read_text().strip()
    except OSError:
        return None


def _revision(source: Path) -> tuple[str | None, bool | None]:
    folder = str(source.resolve().parent)
    revision = _git(folder, "rev-parse", "--short=12", "HEAD")
    changed = (
        None
        if revision is None
        else _git(folder, "status", "--porcelain", "--untracked-files=no", "--", ".")
    )
    return revision or None, None if changed is None else bool(changed)


def _git(folder: str, *words: str) -> str | None:
    try:
        done = answered(git_words(folder, *words), timeout_s=_GIT_TIMEOUT_S)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return text_of(done.stdout).strip() if done.returncode == 0 else None
