"""A study file runs programs: it is obeyed only where nobody else could have written it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from looplaw.cli.main import main
from looplaw.settings.trust import expect_trusted
from looplaw_common.errors import InputError

ELSE = 12345


@pytest.fixture
def study(tmp_path: Path) -> Path:
    folder = tmp_path / "above" / "folder"
    folder.mkdir(parents=True)
    file = folder / "study.toml"
    file.write_text('program = "none.c"\n')
    return file


def test_ones_own_files_and_those_of_a_group_are_trusted(study: Path) -> None:
    study.chmod(0o664)
    study.parent.chmod(0o775)
    expect_trusted(study)
    (study.parent / "link.toml").symlink_to(study)
    expect_trusted(study.parent / "link.toml")
    expect_trusted(study.parent / "none.toml")


@pytest.mark.parametrize(
    ("place", "mode"), [("study.toml", 0o666), (".", 0o777), (".", 0o1777), ("..", 0o777)]
)
def test_what_everybody_may_write_is_not(study: Path, place: str, mode: int) -> None:
    (study.parent / place).chmod(mode)
    with pytest.raises(InputError, match=r"everybody may write to .*add --trust"):
        expect_trusted(study)


def test_folders_above_may_be_shared_where_files_are_kept_from_others(study: Path) -> None:
    study.parent.parent.chmod(0o1777)
    expect_trusted(study)


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("place", ["study.toml", ".", ".."])
def test_what_belongs_to_another_user_is_not(study: Path, place: str) -> None:
    try:
        os.chown(study.parent / place, ELSE, ELSE)
    except OSError:
        pytest.skip("this root has no other users, as in a user namespace")
    with pytest.raises(InputError, match=rf"belongs to another user .number {ELSE}"):
        expect_trusted(study)


@pytest.mark.parametrize("verb", ["study", "run", "verify"])
def test_commands_ask_for_trust(study: Path, verb: str) -> None:
    study.parent.chmod(0o777)
    refused = CliRunner().invoke(main, [verb, str(study)])
    assert refused.exit_code == 2
    assert "add --trust" in refused.stderr
    obeyed = CliRunner().invoke(main, [verb, str(study), "--trust"])
    assert obeyed.exit_code == 2
    assert "none.c" in obeyed.stderr
