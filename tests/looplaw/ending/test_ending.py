"""However looplaw ends, and whatever it is doing: nothing that it started is left, its lock is
released, no finished run is lost, and one line says why (`make bench-signals` tries all)."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from benchmarks.hardening.bench_signals import STATES, WAYS, outcome

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs a subreaper")

ALL = [(way, state) for way in WAYS for state in STATES]
SAMPLE = random.Random(19).sample(ALL, 4)
"""Tried each time, and so are all ways while a program runs; the others are slow together."""


@pytest.mark.parametrize(
    ("way", "state"),
    [
        pytest.param(
            way,
            state,
            marks=() if (way, state) in SAMPLE or state == "running" else pytest.mark.slow,
        )
        for way, state in ALL
    ],
)
def test_nothing_is_left(way: str, state: str, tmp_path: Path) -> None:
    # the benchmark holds it to 3 s; here it may be a busy machine
    found = outcome(way, state, tmp_path, resume=(way, state) in SAMPLE[:2], within=60)
    assert (found.faults, found.survivors, found.lost) == ((), 0, 0)
