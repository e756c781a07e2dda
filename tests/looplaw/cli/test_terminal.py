"""What people see in a terminal: progress that ends, and an answer as wide as the terminal."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

from tests.command_line import looplaw
from tests.places import ROOT

_PROGRAM = """#include <stdlib.h>
double x[4096];
void sweep(int n) {
    for (int k = 0; k < 500; k++)
        for (int i = 0; i < n; i++) x[i] = x[i] * 0.5 + k; }
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    sweep(n);
    return x[0] == 7; }
"""


def in_terminal(words: list[str], folder: Path, columns: int) -> tuple[int, str]:
    """Exit code and all that a command wrote to a terminal of so many columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    kept = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
    environment = {**kept, "PYTHONPATH": str(ROOT), "TERM": "xterm", "PYTHONUTF8": "1"}
    child = subprocess.Popen(
        [sys.executable, "-m", "looplaw", *words],
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
    )
    os.close(theirs)
    read = bytearray()
    with contextlib.suppress(OSError):  # EIO: the other end is closed
        while part := os.read(ours, 65536):
            read += part
    os.close(ours)
    return child.wait(timeout=60), read.decode()


def test_a_study_in_a_terminal_ends_and_is_as_wide_as_it(tmp_path: Path) -> None:
    (tmp_path / "sweep.c").write_text(_PROGRAM)
    words = ["study", "sweep.c", "--vary", "n=256,512,1024,2048,4096", "--machine", "none"]
    code, text = in_terminal(words, tmp_path, 100)
    assert code == 0, text
    assert "compiling and analysing" in text
    assert "\x1b[?25h" in text  # the cursor is there again
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r\n", "\n")
    answer = plain[plain.rindex("\rAt n = ") if "\rAt n = " in plain else plain.rindex("At n = ") :]
    lines = [line for line in answer.strip().splitlines() if not line.startswith("report:")]
    assert "sweep.c:4" in answer
    assert 70 < max(map(len, lines)) <= 100
    code, text = in_terminal(["compare", "looplaw-out/sweep", "--all"], tmp_path, 70)
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r\n", "\n")
    assert code == 0
    assert max(map(len, plain.splitlines())) <= 70


def test_nothing_of_a_table_is_cut_in_a_pipe(tmp_path: Path) -> None:
    name = "->".join(f"a_rather_long_function_{k}" for k in range(9))
    rows = "".join(f"{name},{n},{2.0 * n}\n" for n in (1, 2, 4, 8, 16, 32))
    (tmp_path / "m.csv").write_text(f"callpath,n,time_s\n{rows}")
    done = looplaw("fit", "m.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (line,) = [line for line in done.stdout.splitlines() if name in line]
    assert "2*n" in line
