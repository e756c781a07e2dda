"""How fast laws come back while one types: `looplaw lsp` on files of 1,000 lines.

    python -m benchmarks.bench_editor [--lines 1000] [--edits 5] [--seed 1] [SOURCE...]

A server is started as editors start it. Each file (a generated program in C and one in C++, or the
sources named) is opened, and then changed at a random line, again and again; after each change the
hints of the whole file are asked for. Printed are, without the wait for a pause in typing, the
seconds until they are there and the seconds of CPU time that the server, its worker and the
compilers took, the median over the changes; and those of the first answer, the start included.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.looplaw.editor.client import Client

_TICKS = os.sysconf("SC_CLK_TCK")
_C = """\
/* {k}: a triangular update and a search */
static double update{k}(double *a, const double *b, int n, int m) {{
  double sum = 0;
  if (n > m)
    n = m;
  for (int i = 0; i < n; i++) {{
    for (int j = {start}; j < {end}; j += {step}) {{
      a[i * m + j] -= b[j] * a[j];
      if (a[i * m + j] > sum)
        sum = a[i * m + j];
    }}
    sum += b[i];
  }}
  return sum;
}}

int find{k}(const double *a, int n, double x) {{
  int k = 0;
  while (k < n && a[k] < x)
    k++;
  return k;
}}

double sweep{k}(double *a, double *b, int n, int steps) {{
  double last = 0;
  for (int t = 0; t < steps; t++) {{
    for (int i = 1; i + 1 < n; i++)
      b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
    for (int i = 1; i + 1 < n; i++)
      a[i] = b[i];
    last = update{k}(a, b, n, steps) + find{k}(a, n, last);
  }}
  return last;
}}

"""
_CXX = """\
// {k}: containers and a matrix
static double total{k}(const std::vector<double> &v) {{
  double sum = 0;
  for (double x : v)
    sum += x;
  return sum;
}}

double product{k}(const std::vector<std::vector<double>> &a, std::vector<double> &y) {{
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); i++)
    for (std::size_t j = {start}; j < y.size(); j += {step})
      sum += a[i][j] * y[j];
  return sum + total{k}(y);
}}

int count{k}(const int *first, int n, int m) {{
  int found = 0;
  for (int i = 0; i < n; i++)
    for (int j = i; j < m; j++)
      if (first[i] == first[j])
        found++;
  return found;
}}

"""
_HEADS = {"c": "#include <math.h>\n\n", "cpp": "#include <cstddef>\n#include <vector>\n\n"}


@dataclass(frozen=True)
class Result:
    """One file. Seconds: until the first answer, and the median until the answer to a change."""

    file: str
    lines: int
    loops: int
    first_s: float
    first_cpu_s: float
    change_s: float
    change_cpu_s: float


def program(suffix: str, lines: int, seed: int) -> str:
    """A source of at least so many lines."""
    chance, text = random.Random(seed), _HEADS[suffix]
    part = _C if suffix == "c" else _CXX
    k = 0
    while text.count("\n") < lines:
        start, end = chance.choice(("0", "1")), chance.choice(("i", "m", "n - i"))
        text += part.format(k=k, start=start, end=end, step=chance.choice((1, 2)))
        k += 1
    return text


def _cpu_s(pid: int) -> float:
    """CPU time of a process, of those that it waited for, and of those below it."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    total = sum(map(int, fields[11:15])) / _TICKS
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        total += sum(_cpu_s(int(child)) for child in task.read_text().split())
    return total


def measure(path: Path, edits: int, seed: int) -> Result:
    """One file with a server of its own."""
    chance, text = random.Random(seed), path.read_text()
    started = time.perf_counter()
    client = Client(path.parent)
    try:
        client.initialize(debounce=0.0)
        uri = client.open(path)
        loops = len(client.hints(uri))
        first, first_cpu = time.perf_counter() - started, _cpu_s(client.process.pid)
        walls, cpus = [], []
        for _ in range(edits):
            lines = text.split("\n")
            lines.insert(chance.choice([k for k, line in enumerate(lines) if not line]), "int;")
            text = "\n".join(lines)
            cpu, begin = _cpu_s(client.process.pid), time.perf_counter()
            client.change(uri, text)
            assert len(client.hints(uri)) == loops
            walls.append(time.perf_counter() - begin)
            cpus.append(_cpu_s(client.process.pid) - cpu)
        client.leave()
    finally:
        client.process.kill()
        client.process.wait()
    return Result(
        path.name,
        text.count("\n"),
        loops,
        first,
        first_cpu,
        statistics.median(walls),
        statistics.median(cpus),
    )


def main() -> None:
    """Print the table, and write it where asked."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sources", nargs="*", type=Path)
    parser.add_argument("--lines", type=int, default=1000)
    parser.add_argument("--edits", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    results = []
    with tempfile.TemporaryDirectory(prefix="looplaw-") as folder:
        sources = [path.resolve() for path in given.sources]
        for suffix in _HEADS if not sources else ():
            path = Path(folder) / f"generated.{suffix}"
            path.write_text(program(suffix, given.lines, given.seed))
            sources.append(path)
        print(f"{'file':24}  lines  loops  first s  CPU s  change s  CPU s")
        for path in sources:
            r = measure(path, given.edits, given.seed)
            results.append(r)
            print(
                f"{r.file:24}{r.lines:7}{r.loops:7}{r.first_s:9.2f}{r.first_cpu_s:7.2f}"
                f"{r.change_s:10.2f}{r.change_cpu_s:7.2f}",
                flush=True,
            )
    if given.json is not None:
        given.json.write_text(json.dumps([asdict(r) for r in results], indent=2) + "\n")


if __name__ == "__main__":
    main()
