"""Every attack of the table is tried; `make attacks` prints it."""

from __future__ import annotations

from pathlib import Path

import pytest

from .attack import Attack, held
from .table import ATTACKS

pytestmark = pytest.mark.usefixtures("forks_for_passes")


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda a: f"{a.untrusted}: {a.tried}"[:90])
def test_it_holds(attack: Attack, tmp_path: Path) -> None:
    assert held(attack, tmp_path) is None


def test_the_table_is_long_and_says_each_thing_once() -> None:
    names = [(attack.untrusted, attack.tried) for attack in ATTACKS]
    assert len(names) >= 150
    assert len(set(names)) == len(names)
