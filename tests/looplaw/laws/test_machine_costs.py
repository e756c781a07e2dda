"""What memory costs where a study is run: which machine is taken, and what is read from it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from looplaw.laws.machine_costs import costs_for, costs_of
from looplaw_common.errors import InputError
from modeling.pmnf.machine_costs import KINDS
from runtime.machine.description import MACHINE, Curve, Level, Machine
from runtime.machine.known import write_machine

_KIB, _MIB = 1 << 10, 1 << 20


def machine() -> Machine:
    """Random loads cost 1 ns in L1 and 5 ns beyond; pages cost 2 ns more each beyond L1 of their
    translations, and 12 ns more beyond 8 MiB."""
    flat = Curve((_KIB, 1 << 30), (1.0, 1.0))
    dependent = Curve((32 * _KIB, 33 * _KIB, 1 << 30), (1.0, 5.0, 5.0))
    pages = Curve((256 * _KIB, _MIB, 2 * _MIB, 8 * _MIB, 16 * _MIB), (1.0, 3.0, 3.0, 7.0, 17.0))
    levels = (
        Level("L1", 32 * _KIB, None, 0.5, 0.5, 0.5, 1.0, 1.0),
        Level("L2", _MIB, None, 0.8, 1.0, 1.0, 6.0, 1.2),
        Level("memory", None, None, 5.0, 8.0, 7.0, 100.0, 10.0),
    )
    return Machine(
        MACHINE, "h", "c", "", 1, levels, flat, flat, flat, dependent, flat, pages, flat, 1.0, 1.0
    )


def test_none_leaves_the_machine_out() -> None:
    assert costs_for("none") is None


def test_the_environment_chooses_where_nothing_else_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_machine(machine(), tmp_path / "machine.json")
    monkeypatch.setenv("LOOPLAW_MACHINE", str(tmp_path / "machine.json"))
    found = costs_for(None)
    assert found is not None
    assert [level.name for level in found.levels] == ["L1", "L2", "memory"]


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match=r"missing\.json"):
        costs_for("missing.json")


def test_translation_costs_what_is_left_without_caches_and_hidden_buffers() -> None:
    found = costs_of(machine()).paged(np.array([_MIB, 8.0 * _MIB, 16.0 * _MIB]))
    assert found.tolist() == pytest.approx([0.0, 0.0, 10.0])


def test_each_level_costs_more_than_the_one_before() -> None:
    assert (costs_of(machine()).steps > 0).all()


def test_a_line_that_is_updated_comes_and_goes_back_as_a_written_one_does() -> None:
    levels = costs_of(machine()).levels
    written = [level.ns[KINDS.index("written")] for level in levels]
    updated = [level.ns[KINDS.index("updated")] for level in levels]
    assert (np.diff(updated) >= np.diff(written) - 1e-12).all()


def test_a_line_that_is_far_from_the_last_one_costs_more_from_each_level() -> None:
    far = [level.ns[KINDS.index("strided")] for level in costs_of(machine()).levels]
    assert far == sorted(far)
    assert far[-1] == 10.0  # as independent loads, whatever short strides cost
