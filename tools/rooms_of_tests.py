"""The tests of each room by themselves, in one process, and how long they take.

    make test-rooms ARGS='--only tests/looplaw --json FILE'

What a programmer waits for after changing a room: `pytest -x` of its folder. A folder with files
of tests is a room, and so is each file that stands beside such folders.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from looplaw_common.files import write_whole

_NOTHING_COLLECTED = 5
"""pytest's exit code where every test of a room has a marker that is not asked for."""


@dataclass(frozen=True)
class Took:
    """What the tests of a room took, in seconds.

    Attributes:
        room: its folder, or its file.
        wall: between start and end.
        cpu: of pytest and all processes that have ended in it.
        passed: whether no test failed.
    """

    room: str
    wall: float
    cpu: float
    passed: bool


def rooms_of_tests(root: Path) -> list[Path]:
    """What is handed to pytest for each room below a folder."""
    folders = {file.parent for file in root.rglob("test_*.py")}
    with_rooms = {parent for folder in folders for parent in folder.parents}
    files = [file for folder in folders & with_rooms for file in folder.glob("test_*.py")]
    return sorted([*(folders - with_rooms), *files])


def timed(room: Path) -> Took:
    """Run the tests of a room, and say on stderr what fails."""
    before, began = os.times(), time.monotonic()
    command = [sys.executable, "-m", "pytest", "-x", "-q", str(room)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after, wall = os.times(), time.monotonic() - began
    passed = done.returncode in (0, _NOTHING_COLLECTED)
    if not passed:
        print(done.stdout, done.stderr, sep="\n", file=sys.stderr)
    cpu = sum(after[2:4]) - sum(before[2:4])
    return Took(str(room), wall, cpu, passed)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="make test-rooms ARGS=...",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", type=Path, default=Path("tests"), help="Rooms below this folder.")
    parser.add_argument("--json", type=Path, help="Write the figures to this file.")
    given = parser.parse_args(argv)
    all_took = []
    for room in rooms_of_tests(given.only):
        took = timed(room)
        all_took.append(took)
        said = "" if took.passed else "  FAILED"
        print(f"{took.wall:7.1f} s {took.cpu:7.1f} CPU s  {room}{said}", flush=True)
    if given.json:
        write_whole(given.json, json.dumps([asdict(took) for took in all_took], indent=2) + "\n")
    if not all_took:
        print(f"error: {given.only} holds no tests", file=sys.stderr)
        return 2
    worst = max(all_took, key=lambda took: took.wall)
    print(f"longest: {worst.room}, {worst.wall:.1f} s")
    return 0 if all(took.passed for took in all_took) else 1


if __name__ == "__main__":
    sys.exit(main())
