"""What a killed process leaves, the next one removes; nothing else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from looplaw_common import owners, scratch
from looplaw_common.owners import is_orphaned, owned_name
from looplaw_common.scratch import remove_orphaned, scratch_folder
from tests.places import ROOT

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
LEAVES = """
import os, sys, time
from pathlib import Path
from looplaw_common.files import replacing
from looplaw_common.scratch import scratch_folder
place = Path(sys.argv[1])
with scratch_folder("run") as a, scratch_folder("build", place) as b:
    with replacing(place / "out.json") as temporary:
        for made in (a / "cells", b / "program", temporary):
            made.write_text("half")
        print("there", flush=True)
        time.sleep(600)
"""


def started(folder: Path) -> subprocess.Popen[str]:
    """A process that has scratch of all kinds in a folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", LEAVES, str(folder)],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "there\n"
    return process


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


@linux
def test_what_a_killed_process_leaves_is_removed_and_what_lives_stays(tmp_path: Path) -> None:
    other = (
        "looplaw-notes",
        "looplaw-out",
        ".looplaw-build-x",
        "study.json",
        ".study.json.1-2.tmp",
    )
    for name in other:
        (tmp_path / name).mkdir()
    (tmp_path / f"looplaw-run-{owned_name()}x").mkdir()
    (tmp_path / f"looplaw-{owned_name()}").symlink_to(tmp_path / "looplaw-notes")
    before = names(tmp_path)
    killed, living = started(tmp_path), started(tmp_path)
    assert len(names(tmp_path)) == len(before) + 6
    killed.kill()
    killed.communicate()
    remove_orphaned(tmp_path)
    assert len(names(tmp_path)) == len(before) + 3
    assert all(f"-{living.pid}-" in name for name in {*names(tmp_path)} - {*before})
    living.send_signal(signal.SIGINT)
    living.communicate()
    assert names(tmp_path) == before


@linux
def test_scratch_of_others_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of other machines, which share the folder, and of other users."""
    digest, pid, start, unique = owned_name().split("-")
    dead = f"{digest}-{pid}-{int(start) - 1}-{unique}"
    assert is_orphaned(dead)
    assert not is_orphaned(owned_name())
    for foreign in (
        f"{'0' * 8}-{pid}-1-{unique}",
        "",
        "a-b",
        f"{digest}-{'9' * 30}-x",
        f"{dead}-1",
    ):
        assert not is_orphaned(foreign)
    assert is_orphaned(f"{digest}-{2**22 + 1}-1-{unique}"), "no process has this number"
    monkeypatch.setattr(owners, "start_of", {int(pid): "", 5: None}.get)  # where none is told
    assert [is_orphaned(f"{digest}-{n}-0-{unique}") for n in (pid, 5)] == [False, True]
    monkeypatch.undo()
    (tmp_path / f"looplaw-{dead}").mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    remove_orphaned(tmp_path)
    assert len(names(tmp_path)) == 1
    monkeypatch.undo()
    remove_orphaned(tmp_path / ".")
    assert len(names(tmp_path)) == 1, "it is looked through once"
    scratch._SEEN.clear()
    remove_orphaned(tmp_path)
    assert not names(tmp_path)


def _failing(folder: Path) -> None:
    with scratch_folder("x", folder) as made:
        (made / "file").write_text("")
        assert made.stat().st_mode & 0o777 == 0o700
        raise ValueError("stop")


def test_scratch_is_gone_after_an_error_and_belongs_to_its_user_alone(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="stop"):
        _failing(tmp_path)
    assert not names(tmp_path)
