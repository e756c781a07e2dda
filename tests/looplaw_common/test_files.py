"""A file is what it was or all that is new; devices and pipes are written to as they are."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from looplaw_common.errors import InputError
from looplaw_common.files import replacing, write_new, write_whole


def test_a_failure_leaves_the_old_content_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    write_whole(target, "old")
    with pytest.raises(UnicodeEncodeError), replacing(target) as temporary:
        temporary.write_text("half \ud800", encoding="utf-8")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_stays_a_link_and_rights_stay(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_whole(link, "new")
    assert (link.is_symlink(), real.read_text()) == (True, "new")
    assert real.stat().st_mode & 0o7777 == 0o640


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
