"""How often tests of time are right: functions whose law is known against the law n*log2(n).

Functions of n*log2(n) steps must pass, those of n**2 must fail; n**1.2 is too near to tell at such
sizes and may do either. `make bench-scaling-tests ARGS='--runs 100'`. With `--suite`, a file of ten
such tests with the counter that is the default takes so long under pytest.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from looplaw.pytest_plugin import scaling

SIZES = [64, 128, 256, 512]
LAWS: dict[str, Callable[[int], float]] = {
    "n*log2(n)": lambda n: n * math.log2(n),
    "n**1.2": lambda n: n**1.2,
    "n**2": lambda n: float(n * n),
}


def _steps(law: Callable[[int], float]) -> Callable[[int], int]:
    def work(n: int) -> int:
        total = 0
        for k in range(round(law(n))):
            total += k & 3
        return total

    return work


_SUITE = """import random
import pytest
from looplaw.pytest_plugin import scaling

def data(n):
    return [random.Random(n).random() for _ in range(n)]

def merged(values):
    if len(values) < 2:
        return values
    middle = len(values) // 2
    left, right = merged(values[:middle]), merged(values[middle:])
    found = []
    while left and right:
        found.append((left if left[-1] > right[-1] else right).pop())
    return (left or right) + found[::-1]

@pytest.mark.parametrize("seed", range(10))
def test_sorting(seed):
    random.seed(seed)
    found = scaling(merged, make=data, n=[64, 128, 256, 512])
    assert found.grows_no_faster_than("n*log2(n)")
"""


def _time_suite() -> int:
    """CPU and wall time of ten tests with the default counter."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "test_ten.py").write_text(_SUITE)
        before, start = os.times(), time.perf_counter()
        code = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", folder], check=False
        ).returncode
        after = os.times()
    cpu = sum(after[2:4]) - sum(before[2:4])
    print(f"ten tests: {cpu:.1f} CPU s, {time.perf_counter() - start:.1f} s")
    return code


def main() -> None:
    """Print how often each law passed; exit with 1 for a false alarm or a miss."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--suite", action="store_true", help="time a file of ten tests instead")
    given = parser.parse_args()
    if given.suite:
        sys.exit(_time_suite())
    runs = given.runs
    columns = ("holds", "cannot tell", "broken")
    print(f"{'law':12}" + "".join(f"{c:>14}" for c in columns) + f"{'s a test':>10}")
    table = {}
    for name, law in LAWS.items():
        start, said = time.perf_counter(), Counter[str]()
        for _ in range(runs):
            found = scaling(_steps(law), n=SIZES, counter="time")
            said[found.grows_no_faster_than("n*log2(n)").status] += 1
        each = (time.perf_counter() - start) / runs
        print(f"{name:12}" + "".join(f"{said[c]:14}" for c in columns) + f"{each:10.2f}")
        table[name] = said
    sys.exit(bool(table["n*log2(n)"]["broken"] or table["n**2"]["broken"] < runs))


if __name__ == "__main__":
    main()
