"""File operations that fail, a small sample; `make bench-faults` lets each fail in every way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT


@pytest.mark.skipif(sys.platform != "linux", reason="needs a preloaded library")
def test_no_output_is_damaged_when_an_operation_fails(tmp_path: Path) -> None:
    words = ["--verbs", "merge", "export", "check", "--number", "4", "--seed", "19"]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.hardening.bench_faults", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split() for line in done.stdout.splitlines()[1:]]
    assert [row[0] for row in rows] == ["merge", "export", "check"]
    assert all(row[4:7] == ["0", "0", "0"] for row in rows), "lost, doubled, damaged"
