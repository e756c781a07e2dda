"""A file is what it was or all that is new; devices and pipes are written to as they are."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from looplaw_common.errors import InputError
from looplaw_common.files import own_folder, replacing, without_room, write_new, write_whole
from looplaw_common.scratch import new_scratch_folder
from tests.places import ROOT


def test_a_failure_leaves_the_old_content_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    write_whole(target, "old")
    with pytest.raises(UnicodeEncodeError), replacing(target) as temporary:
        temporary.write_text("half \ud800", encoding="utf-8")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_rights_stay_and_a_link_is_replaced(tmp_path: Path) -> None:
    """Who knows where output goes may have left a link there; what it leads to is not written."""
    real, link, dangling = tmp_path / "real", tmp_path / "link", tmp_path / "dangling"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    dangling.symlink_to(tmp_path / "nowhere")
    for planted in (link, dangling):
        write_whole(planted, "new")
        assert (planted.is_symlink(), planted.read_text()) == (False, "new")
    assert real.read_text() == "old"
    assert not (tmp_path / "nowhere").exists()
    write_whole(real, "newer")
    assert (real.read_text(), real.stat().st_mode & 0o7777) == ("newer", 0o640)


@pytest.mark.parametrize("name", ["/dev/stdout", "/proc/self/fd/1"])
def test_a_stream_that_is_a_file_is_written_to(name: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    code = f"from looplaw_common.files import write_whole; write_whole({name!r}, 'text')"
    with out.open("w") as stream:
        subprocess.run([sys.executable, "-c", code], stdout=stream, check=True, cwd=ROOT)
    assert out.read_text() == "text"
    assert [p.name for p in tmp_path.iterdir()] == ["out"]
    assert os.path.islink("/dev/stdout")


def test_a_folder_of_ours_is_no_link(tmp_path: Path) -> None:
    elsewhere, study = tmp_path / "elsewhere", tmp_path / "study"
    elsewhere.mkdir()
    assert own_folder(study / "runs").is_dir()
    assert own_folder(study / "runs").is_dir()
    (study / "locks").symlink_to(elsewhere)
    (study / "slurm").symlink_to(tmp_path / "nowhere")
    (study / "file").write_text("")
    for name, why in (
        ("locks", "a symbolic link"),
        ("slurm", "a symbolic link"),
        ("file", "a file"),
    ):
        with pytest.raises(InputError, match=f"{name}: is {why}"):
            own_folder(study / name)
    assert not list(elsewhere.iterdir())


def test_a_folder_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also for root, whom a read-only file system refuses."""

    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(Path, "unlink", refused)
    with pytest.raises(OSError, match="Read-only") as error, replacing(tmp_path / "out.json"):
        refused()
    assert error.value.filename == str(tmp_path / "out.json")
    assert f"its folder {tmp_path} cannot be written to" in str(error.value)
    monkeypatch.setattr(Path, "mkdir", refused)
    with pytest.raises(InputError, match=f"^{tmp_path}: nothing can be written there: Read-only"):
        new_scratch_folder("build", tmp_path)


def test_a_full_disk_is_told_from_other_reasons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bfd = "/usr/bin/ld: final link failed: No space left on device\nclang: error: linker failed"
    for said in (bfd, "LLVM ERROR: IO failure on output stream: Disk quota exceeded"):
        assert str(tmp_path) in str(without_room(said, tmp_path))
    assert without_room("ld: error: undefined symbol: f", tmp_path) is None
    full = os.statvfs_result((4096, 4096, 100, 0, 0, 9, 9, 9, 0, 255))
    monkeypatch.setattr(os, "statvfs", lambda _: full)
    said = without_room("linker command failed due to signal", tmp_path)
    assert said == f"No space left on device: make room in {tmp_path}"


def test_a_missing_folder_is_named_with_what_makes_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="its directory does not exist: mkdir -p"):
        write_whole(tmp_path / "none" / "out", "x")


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found: list[str] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_text()))
    reader.start()
    with replacing(pipe) as place:
        place.write_text("through")
    reader.join()
    assert found == ["through"]
    assert pipe.is_fifo()


def test_a_new_file_replaces_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a file nor a link that leads nowhere, also where there are no hard links."""
    file, link, new = tmp_path / "file", tmp_path / "link", tmp_path / "new"
    file.write_text("old")
    link.symlink_to(tmp_path / "nowhere")

    def no_links(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    for target in (new, tmp_path / "newer"):
        write_new(target, "x")
        assert target.read_text() == "x"
        for known in (file, link, target):
            with pytest.raises(FileExistsError, match=known.name):
                write_new(known, "y")
        monkeypatch.setattr(os, "link", no_links)
    assert (file.read_text(), link.is_symlink(), new.read_text()) == ("old", True, "x")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "link", "new", "newer"]
