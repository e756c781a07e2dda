"""Files that runs find under a name of their own: the folder is afterwards as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from looplaw_common.errors import RunError
from runtime.launch.inputs import ASIDE, InputFile, placed


def _contents(folder: Path) -> dict[str, str]:
    return {p.name: p.read_text() for p in folder.iterdir()}


@pytest.mark.parametrize("mine", [None, "mine\n"])
def test_what_was_there_comes_back(mine: str | None, tmp_path: Path) -> None:
    path = tmp_path / "clover.in"
    if mine is not None:
        path.write_text(mine)
    before = _contents(tmp_path)
    for n in (8, 16):
        with placed([InputFile(str(path), f"n = {n}\n")]):
            assert path.read_text() == f"n = {n}\n"
        assert _contents(tmp_path) == before


def test_what_was_there_comes_back_after_an_error(tmp_path: Path) -> None:
    good, bad = tmp_path / "a.in", tmp_path / "none" / "b.in"
    good.write_text("mine\n")
    files = [InputFile(str(good), "run\n"), InputFile(str(bad), "run\n")]
    with pytest.raises(RunError, match=r"b\.in: its directory does not exist"), placed(files):
        pytest.fail("a file is missing")
    with pytest.raises(KeyboardInterrupt), placed(files[:1]):
        raise KeyboardInterrupt
    assert _contents(tmp_path) == {"a.in": "mine\n"}


def test_what_cannot_be_put_aside_stays(tmp_path: Path) -> None:
    path = tmp_path / ("a" * 250)  # with more behind it, no name any more
    path.write_text("mine\n")
    with pytest.raises(RunError, match="cannot be written"), placed([InputFile(str(path), "run")]):
        pytest.fail("it was put aside")
    assert _contents(tmp_path) == {path.name: "mine\n"}


def test_a_link_comes_back_as_a_link(tmp_path: Path) -> None:
    link = tmp_path / "a.in"
    link.symlink_to("nowhere")
    with placed([InputFile(str(link), "run\n")]):
        assert link.read_text() == "run\n"
    assert link.is_symlink()


def test_what_waits_since_a_kill_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "a.in"
    path.write_text("of a run that was killed\n")
    path.with_name(f"a.in{ASIDE}").write_text("mine\n")
    with placed([InputFile(str(path), "run\n")]):
        assert path.read_text() == "run\n"
    assert _contents(tmp_path) == {"a.in": "mine\n"}
