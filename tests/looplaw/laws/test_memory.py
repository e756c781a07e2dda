"""The memory law on a machine that does not exist."""

from __future__ import annotations

from pathlib import Path

import pytest

from looplaw.laws.memory import memory_document, memory_text
from runtime.machine.description import MACHINE, Curve, Level, Machine
from staticana import canonical, compile_sources
from staticana.traffic import TrafficLaw, traffic_of

SUM = """double total(int n, double A[n][n]) { double s = 0;
  for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) s += A[i][j];
  return s; }
"""


def machine(first: int) -> Machine:
    """A machine with one cache of this size."""
    curve = Curve((1024,), (1.0,))
    sizes = (("L1", first), ("memory", None))
    levels = tuple(Level(k, b, b, 1.0, 1.0, 1.0, 1.0, 1.0) for k, b in sizes)
    return Machine(MACHINE, "h", "c", "", 1, levels, *[curve] * 7, 1.0, 1.0)


@pytest.fixture
def law(tmp_path: Path) -> TrafficLaw:
    source = tmp_path / "sum.c"
    source.write_text(SUM)
    return traffic_of(canonical(compile_sources((str(source),))), entry="total")


def test_a_column_fits_or_not(law: TrafficLaw) -> None:
    small = memory_document(law, machine(64 * 64), {"n": 128})
    large = memory_document(law, machine(64 * 512), {"n": 128})
    assert small.loops[0].fits == {"L1": "n <= 64"}
    assert large.loops[0].fits == {"L1": "n <= 512"}
    assert small.traffic[0].lines == pytest.approx(128 * 128, rel=0.05)
    assert large.traffic[0].lines == pytest.approx(128 * 128 / 8, rel=0.05)


def test_lines_need_every_parameter(law: TrafficLaw) -> None:
    found = memory_document(law, machine(4096), {})
    assert found.traffic == ()
    assert "--at NAME=VALUE" in memory_text(found)
