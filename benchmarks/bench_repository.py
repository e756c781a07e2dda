"""The CPU time of `looplaw diff --base HEAD` in a repository of many files, one of which changed.

Two repositories: programs of the tests, each with its own main, and parts of one program. Each is
compared without a cache, with the cache of the versions before, and again. Time is that of the
process and all its children (getrusage). `make bench-repository ARGS='--files 20'`.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_PART = """\
#include <stddef.h>
{declared}
static double dot{k}(const double *a, const double *b, int n) {{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}}
void step{k}(double *a, const double *b, double *c, int n, int m) {{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[i * m + j] = a[i] * b[j] + dot{k}(a, b, n);
    {called}
}}
"""
_MAIN = """
#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    double *a = calloc(n, 8), *b = calloc(n, 8), *c = calloc(n, 8 * n);
    step0(a, b, c, n, n);
    return 0;
}
"""


def _programs(folder: Path, files: int) -> Path:
    """Test programs, each by itself; the file that changes."""
    found = sorted((ROOT / "tests" / "programs").glob("*.c"))
    plain = [f for f in found if "mpi.h" not in f.read_text() and "#pragma" not in f.read_text()]
    chosen = plain[:: max(len(plain) // files, 1)][:files]
    for file in chosen:
        (folder / file.name).write_text(file.read_text())
    return folder / chosen[files // 2].name


def _parts(folder: Path, files: int) -> Path:
    """One program in many files; the file that changes."""
    for k in range(files):
        other = f"step{k + 1}" if k + 1 < files else ""
        text = _PART.format(
            k=k,
            declared=f"void {other}(double *, const double *, double *, int, int);" * bool(other),
            called=f"{other}(a, b, c, n, m);" * bool(other),
        )
        (folder / f"part{k}.c").write_text(text + (_MAIN if k == 0 else ""))
    return folder / f"part{files // 2}.c"


def _git(folder: Path, *words: str) -> None:
    name = ("-c", "user.name=bench", "-c", "user.email=bench@localhost")
    command = ["git", "-C", str(folder), *name, *words]
    subprocess.run(command, check=True, capture_output=True)


def _diff(folder: Path, cache: Path) -> tuple[float, int]:
    """(CPU seconds of a comparison with HEAD, exit code)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "looplaw", "diff", "--base", "HEAD", str(folder)],
        env={**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, done.returncode


def _grown(text: str) -> str:
    """The text with another loop in its last one."""
    at = text.rindex("for (")
    return f"{text[:at]}for (int grown = 0; grown < 9 * (int)sizeof(int) + 1; grown++) {text[at:]}"


def measure(kind: str, files: int) -> dict[str, object]:
    """The CPU times of one repository."""
    with tempfile.TemporaryDirectory(prefix="looplaw-bench-") as scratch:
        folder, cache = Path(scratch) / "repository", Path(scratch) / "cache"
        folder.mkdir()
        changed = (_programs if kind == "programs" else _parts)(folder, files)
        _git(folder, "init", "-q")
        _git(folder, "add", ".")
        _git(folder, "commit", "-qm", "first")
        _diff(folder, Path(scratch) / "warm")  # modules of Python are compiled
        changed.write_text(_grown(changed.read_text()))
        first, code = _diff(folder, cache)
        again, _ = _diff(folder, cache)
        text = changed.read_text()
        changed.write_text(f"/* another version */\n{text}")
        other, _ = _diff(folder, cache)
    return {
        "repository": kind,
        "files": files,
        "no_cache_s": round(first, 2),
        "next_version_s": round(other, 2),
        "again_s": round(again, 2),
        "exit_code": code,
    }


def main() -> None:
    """Print the table; exit with 1 where it takes longer than it should."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--most", type=float, default=10.0, help="CPU s without a cache")
    parser.add_argument("--most-cached", type=float, default=3.0, help="CPU s with a cache")
    given = parser.parse_args()
    rows = [measure(kind, given.files) for kind in ("programs", "parts")]
    print(
        f"{'repository':12}{'files':>6}{'no cache, s':>13}{'next version, s':>17}{'again, s':>10}"
    )
    for row in rows:
        print(
            f"{row['repository']:12}{row['files']:6}{row['no_cache_s']:13}"
            f"{row['next_version_s']:17}{row['again_s']:10}"
        )
    if given.json is not None:
        given.json.write_text(json.dumps(rows, indent=1) + "\n")
    slow = any(
        float(str(r["no_cache_s"])) > given.most or float(str(r["again_s"])) > given.most_cached
        for r in rows
    )
    sys.exit(slow)


if __name__ == "__main__":
    main()
