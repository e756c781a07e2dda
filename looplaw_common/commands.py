"""What looplaw starts: where tools and its own interpreter are found, and in which environment.

The one place that does so, since what is found must not depend on the working folder, which holds
what others wrote. Tools are looked up in the absolute entries of PATH alone. Interpreters do not
look into the working folder for modules (`-P`). A test holds that no other module asks PATH, names
the interpreter or starts a bare name.
"""

from __future__ import annotations

import errno
import os
import resource
import shutil
import site
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from importlib.machinery import PathFinder
from pathlib import Path

from .keeper import die_with_parent
from .limits import lift_limits

SAFE_PATH = "PYTHONSAFEPATH"
"""The variable that keeps an interpreter from the working folder, as `-P` does; multiprocessing
starts interpreters without our words."""
_HOME = Path(__file__).resolve().parents[1]
_GIT_SETTINGS = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "log.showSignature=false",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
)
"""A repository's own settings name commands that git runs: a monitor of files, hooks, a program
that checks signatures, and what fetches missing objects."""


def tool(name: str, path: str | None = None) -> str | None:
    """The absolute path of a command, None where there is none.

    Args:
        name: looked up in PATH, of which empty and relative entries are left out; one with a slash
            is a file, from the working folder.
        path: a value of PATH; that of this process where None.
    """
    if os.path.dirname(name):
        return os.path.abspath(name) if shutil.which(name) else None
    if not name:
        return None
    searched = absolute_entries(os.environ.get("PATH", os.defpath) if path is None else path)
    return shutil.which(name, path=searched) if searched else None


def absolute_entries(path: str) -> str:
    """A search path without its empty and relative entries, which are the working folder's."""
    return os.pathsep.join(p for p in path.split(os.pathsep) if os.path.isabs(p))


def tool_words(words: Sequence[str]) -> list[str]:
    """A command with its first word as an absolute path.

    Raises:
        FileNotFoundError: no such command.
    """
    found = tool(words[0]) if words else None
    if found is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), words[0] if words else "")
    return [found, *words[1:]]


def git_words(folder: str | Path, *words: str) -> list[str]:
    """A command of git in a folder, by which the folder's repository runs no command of its own.

    Raises:
        FileNotFoundError: there is no git.
    """
    settings = (word for setting in _GIT_SETTINGS for word in ("-c", setting))
    return tool_words(["git", *settings, "-C", str(folder), *words])


def own_python(*words: str) -> list[str]:
    """The command of this interpreter; it finds no module in the working folder. Run it in
    `own_environment`."""
    return [sys.executable, "-P", *words]


def own_environment() -> dict[str, str]:
    """This process's environment for interpreters of ours: our packages are found wherever they
    are found here, and PYTHONPATH has no entry that depends on the working folder."""
    known = absolute_entries(os.environ.get("PYTHONPATH", "")).split(os.pathsep)
    installed = {os.path.realpath(p) for p in (*site.getsitepackages(), site.getusersitepackages())}
    own = [] if str(_HOME) in installed else [str(_HOME)]
    entries = os.pathsep.join(dict.fromkeys(p for p in (*own, *known) if p))
    found = {**tool_environment(), SAFE_PATH: "1"}
    return {**found, "PYTHONPATH": entries} if entries else _without(found, "PYTHONPATH")


def tool_environment() -> dict[str, str]:
    """This process's environment for tools: what they look up themselves, such as a compiler its
    linker, is not found in the working folder either."""
    return {**os.environ, "PATH": absolute_entries(os.environ.get("PATH", os.defpath))}


def _without(environment: Mapping[str, str], name: str) -> dict[str, str]:
    return {key: value for key, value in environment.items() if key != name}


def package_folder(name: str) -> Path | None:
    """The folder of an installed package, None where there is none; one in the working folder is
    not installed."""
    here = os.path.realpath(os.curdir)
    places = [p for p in sys.path if os.path.isabs(p) and os.path.realpath(p) != here]
    found = PathFinder.find_spec(name, places)
    if found is None or found.origin is None:
        return None
    return Path(found.origin).resolve().parent


def as_argument(path: str | Path) -> str:
    """A file's name that no command takes for an option, or for a file of options."""
    text = str(path)
    return os.path.join(os.curdir, text) if text.startswith(("-", "@", "+")) else text


def answered(
    words: Sequence[str],
    *,
    timeout_s: float | None = None,
    given: bytes = b"",
    environment: Mapping[str, str] | None = None,
    most: int | None = None,
    memory: int | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run a short command for what it prints; it ends when this process does.

    Args:
        words: the first one is an absolute path (`tool_words`, `git_words`, `own_python`).
        given: its standard input.
        environment: `tool_environment` where None.
        most: bytes of its output beyond which it is killed; None for no bound.
        memory: bytes that it may have; None for what this process may have.

    Raises:
        OSError: it cannot be started.
        subprocess.TimeoutExpired: it took too long.
    """
    with tempfile.TemporaryFile() if most is not None else nullcontext() as out:
        done = subprocess.run(
            _checked(words),
            input=given,
            stdout=subprocess.PIPE if out is None else out,
            stderr=subprocess.PIPE,
            timeout=timeout_s,
            check=False,
            env=tool_environment() if environment is None else environment,
            preexec_fn=partial(_within, most, memory),
        )
        if out is not None:
            out.seek(0)
            done.stdout = out.read()
    return done


def _within(most: int | None, memory: int | None) -> None:
    """In a child: let it write files, or have memory, of so many bytes only, and end with us."""
    die_with_parent()
    if most is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    if memory is not None:
        lift_limits(memory)


def passed_on(words: Sequence[str], environment: Mapping[str, str] | None = None) -> int:
    """Run a command with our input and output; returns its exit code. As `answered` otherwise."""
    return subprocess.run(
        _checked(words),
        check=False,
        env=tool_environment() if environment is None else environment,
        preexec_fn=die_with_parent,
    ).returncode


def with_messages(words: Sequence[str]) -> tuple[int, str]:
    """Run a command with our input and output; returns its exit code and what it wrote to stderr,
    which holds names of others. As `answered` otherwise."""
    done = subprocess.run(
        _checked(words),
        check=False,
        stderr=subprocess.PIPE,
        env=tool_environment(),
        preexec_fn=die_with_parent,
    )
    return done.returncode, text_of(done.stderr)


def _checked(words: Sequence[str]) -> list[str]:
    if not os.path.isabs(words[0]):
        raise ValueError(f"{words[0]}: a command is started by its absolute path")
    return list(words)


def text_of(output: bytes) -> str:
    """What a command printed; bytes that are no text stay recognisable."""
    return output.decode("utf-8", errors="backslashreplace")
