"""Machines: levels are found again in curves made of them, descriptions survive files, and what is
damaged is named."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from looplaw.cli.commands.machine import machine_table
from looplaw.cli.main import main
from looplaw.laws.machine_costs import costs_of
from looplaw_common.errors import DataError, InputError
from runtime.machine import known
from runtime.machine.description import Curve
from runtime.machine.known import read_machine, this_machine, write_machine
from runtime.machine.levels import levels
from runtime.machine.measure import nominal_caches, working_sets
from runtime.machine.system import system
from tests.runtime.machine.made_up import NOMINAL, SIZES, curve, made_up_machine, streamed


@settings(max_examples=12, deadline=None)
@given(st.floats(3e6, 6e7), st.floats(0.6, 1.0), st.integers(0, 99))
def test_levels_are_found_again(l3: float, share: float, seed: int) -> None:
    capacities = [48e3 * 0.95, 2.0 * (1 << 20) * share, max(l3, 3.0 * (1 << 20))]
    found = levels(
        NOMINAL,
        read=streamed(capacities, [0.3, 0.6, 1.5, 5]),
        written=streamed(capacities, [0.3, 0.8, 2, 8]),
        updated=streamed(capacities, [0.4, 0.8, 2, 7]),
        dependent=curve(capacities, [1.4, 4, 30, 150], 0.05, seed),
        independent=curve(capacities, [1, 1.2, 2, 12], 0.05, seed + 1),
    )
    assert [level.level for level in found] == ["L1", "L2", "L3", "memory"]
    for level, size in zip(found, capacities, strict=False):
        assert level.bytes == pytest.approx(size, rel=0.3)
    assert found[-1].bytes is None
    assert found[-1].ns_per_line_read == pytest.approx(5, rel=0.1)
    assert found[0].ns_per_dependent_load == pytest.approx(1.4, rel=0.15)
    reads = [level.ns_per_line_read for level in found]
    assert reads == sorted(reads)


def test_a_cache_that_has_little_effect_keeps_an_order() -> None:
    flat = Curve(SIZES, tuple(1.0 for _ in SIZES))
    found = levels(NOMINAL, read=flat, written=flat, updated=flat, dependent=flat, independent=flat)
    sizes = [level.bytes or 0 for level in found[:-1]]
    assert sizes == sorted(sizes)
    assert {level.ns_per_line_read for level in found} == {1.0}


def test_the_curve_is_read_between_its_points() -> None:
    line = Curve((1024, 4096), (1.0, 3.0))
    assert line.at(2048) == pytest.approx(2.0)
    assert line.at(1) == 1.0
    assert line.at(1 << 40) == 3.0


def test_a_description_survives_its_file(tmp_path: Path) -> None:
    file = tmp_path / "machine.json"
    write_machine(made_up_machine(), file)
    assert read_machine(file) == made_up_machine()
    assert json.loads(file.read_text())["format"] == "looplaw-machine/1"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "looplaw-study/1"}, "not a file of the format looplaw-machine/1"),
        ({"cores": "many"}, "cores: expected an integer, not 'many'"),
        ({"caches": []}, "the last of the caches must be memory"),
        ({"read": {"bytes": [2, 1], "ns": [1, 1]}}, "must ascend"),
    ],
)
def test_what_is_wrong_in_a_description_is_named(
    change: dict[str, object], said: str, tmp_path: Path
) -> None:
    file = tmp_path / "machine.json"
    file.write_text(json.dumps(msgspec.to_builtins(made_up_machine()) | change))
    with pytest.raises(DataError, match=said):
        read_machine(file)
    with pytest.raises(InputError, match="no such file"):
        read_machine(tmp_path / "none.json")


def test_a_machine_is_measured_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(known, "measure", functools.partial(known.measure, budget_s=0.3))
    first = this_machine(again=True)
    assert first.caches[-1].level == "memory"
    assert first.ns_per_timestamp > 0
    assert first.branches is not None
    assert min(first.branches.ns) > 0
    assert len(first.operations) == 5
    assert first.operations["dependent division"] > first.operations["dependent addition"]
    assert min(first.operations.values()) > 0
    assert this_machine() == first
    shown = CliRunner().invoke(main, ["machine"])
    assert shown.exit_code == 0
    assert "memory" in shown.stdout
    (file,) = (tmp_path / "looplaw").glob("machine-*.json")
    file.write_text("{}")
    monkeypatch.setattr(known, "measure", lambda **_: first)
    assert this_machine() == first
    monkeypatch.setattr(known, "measured_by", lambda: "another probe")
    assert not known.cached_file().is_file(), "what another version measured is not taken"


def test_sizes_that_the_system_does_not_tell(tmp_path: Path) -> None:
    assert nominal_caches(tmp_path)[0] == ("L1", 32 << 10)
    folder = tmp_path / "index0"
    folder.mkdir()
    for name, text in (("type", "Data"), ("level", "1"), ("size", "64K")):
        (folder / name).write_text(f"{text}\n")
    assert nominal_caches(tmp_path) == (("L1", 64 << 10),)
    assert max(working_sets(NOMINAL, 1 << 30)) <= (1 << 30) // 8


def test_a_machine_without_a_curve_of_new_pages_takes_what_mapping_and_writing_one_does() -> None:
    machine = made_up_machine()
    assert machine.fresh is None
    costs = costs_of(machine)
    assert costs.fresh_ns == tuple(700 / 64 + ns for ns in machine.written.ns)
    told = msgspec.structs.replace(machine, fresh=Curve((1 << 20, 1 << 24), (12.0, 25.0)))
    assert costs_of(told).fresh_ns == (12.0, 25.0)


def test_a_machine_without_a_curve_of_branches_loses_none() -> None:
    machine = made_up_machine()
    assert float(costs_of(machine).branch(np.array(1e6))) == 0.0
    known = Curve((512, 8192, 16384, 65536), (0.6, 0.5, 3.0, 2.9))
    costs = costs_of(msgspec.structs.replace(machine, branches=known))
    shown = machine_table(msgspec.structs.replace(machine, branches=known)).note
    assert shown.startswith("a branch on random data takes 0.5 ns, or 3 ns if the data repeat")
    assert shown.endswith(" only after more than 8,192 branches")
    lost = costs.branch(np.array([1.0, 512.0, 8192.0, 16384.0, 1e9]))
    assert lost.tolist() == pytest.approx([0.0, 0.0, 0.0, 2.4, 2.4])
    flat = msgspec.structs.replace(machine, branches=Curve((512, 1024), (0.6, 0.6)))
    assert machine_table(flat).note == "a branch on random data takes 0.6 ns at most"


def test_what_the_system_tells_is_kept_and_what_it_does_not_is_left_out(tmp_path: Path) -> None:
    for k, (kind, level, ways) in enumerate(
        (("Data", 1, 12), ("Instruction", 1, 8), ("Unified", 2, 16))
    ):
        folder = tmp_path / "caches" / f"index{k}"
        folder.mkdir(parents=True)
        for name, value in (("type", kind), ("level", level), ("ways_of_associativity", ways)):
            (folder / name).write_text(f"{value}\n")
    (tmp_path / "cpuinfo").write_text("model name : x\nflags\t\t: fpu sse2 hypervisor\n")
    (tmp_path / "huge").write_text("always [madvise] never\n")
    found = system(tmp_path / "caches", tmp_path / "cpuinfo", tmp_path / "huge")
    assert found.ways == {"L1": 12, "L2": 16}
    assert (found.huge_pages, found.is_virtual) == ("madvise", True)
    nothing = system(tmp_path / "a", tmp_path / "b", tmp_path / "c")
    assert (nothing.ways, nothing.huge_pages, nothing.is_virtual) == ({}, None, None)
