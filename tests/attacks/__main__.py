"""`make attacks`: the table of attacks and faults, each tried now; 1 if one did not hold."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from .attack import held
from .table import ATTACKS


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="make attacks ARGS=...", description=__doc__)
    parser.add_argument("--only", default="", help="Those whose line contains this text.")
    only = parser.parse_args().only
    held_by: Counter[bool] = Counter()
    start = time.monotonic()
    for attack in ATTACKS:
        line = f"{attack.untrusted:24} {attack.tried[:70]}"
        if only not in line:
            continue
        with tempfile.TemporaryDirectory(prefix="looplaw-attack-") as folder:
            wrong = held(attack, Path(folder))
        held_by[wrong is None] += 1
        print(f"{line:96} {'held' if wrong is None else f'NOT HELD: {wrong}'}", flush=True)
    print(
        f"{held_by.total()} attacks and faults, {held_by[False]} not held;"
        f" {time.monotonic() - start:.0f} s"
    )
    return 1 if held_by[False] else 0


if __name__ == "__main__":
    sys.exit(main())
