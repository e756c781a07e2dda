"""A sample of the laws that `make fuzz-checks` holds by the thousand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.checks import run


def test_no_verdict_on_a_sample_of_laws_is_false(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    tally = run(40, 5)
    assert not tally.false
    assert len(tally.said) > 1
