"""Damaged files of every kind, a small sample; `make fuzz-inputs` tries thousands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz import inputs

pytestmark = pytest.mark.usefixtures("as_users_have_it")


def test_damaged_files_end_in_a_result_or_one_line(tmp_path: Path) -> None:
    made = tmp_path / "good"
    made.mkdir()
    good = inputs.seeds(made)
    names = {seed.name for seed in good}
    assert {"data.jsonl", "data.csv", "models.json", "laws.toml", "a.stats"} <= names
    for number in range(12):
        folder = tmp_path / str(number)
        folder.mkdir()
        name, words, found = inputs.case(good, number, 19, folder, apart=number == 0)
        assert found.fault is None, (name, words, found.errors[-500:])
