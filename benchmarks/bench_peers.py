"""The same question to several tools: how do three functions scale, and what do they take at four
times the largest size that was measured?

    EXTRAP_PYTHON=VENV/bin/python python -m benchmarks.bench_peers [--json FILE]

hyperfine measures the program; looplaw and Extra-P fit what it wrote; Google Benchmark times the
function alone and fits its own complexity; looplaw's study runs the program itself. Tools that are
not there are named and left out.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from looplaw_common.formula.formula import parse_formula
from modeling import Measurements, Series, fit

from .modeling_peer import extra_p

SOURCE = Path(__file__).with_name("peers.c")
FUNCTIONS = {
    "inversions": ((1_000, 2_000, 4_000, 8_000, 16_000), "n**2"),
    "merged": ((50_000, 100_000, 200_000, 400_000, 800_000), "n*log(n)"),
    "smoothed": ((50_000, 100_000, 200_000, 400_000, 800_000), "n"),
}
"""Name -> the sizes measured, how it grows."""
_BIG_O = {"N": "n", "N^2": "n**2", "NlgN": "n*log(n)", "lgN": "log(n)", "(1)": "1", "N^3": "n**3"}
_MICRO = """
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <vector>
extern "C" {{ long inversions(const int *, int); long merged(int *, int *, int);
long smoothed(const int *, int *, int); }}
static void timed(benchmark::State &state)
{{
    int n = state.range(0);
    std::vector<int> a(n), b(n), c(n);
    for (int &x : a) x = std::rand() & 0xffff;
    for (auto _ : state) {{ c = a; benchmark::DoNotOptimize({call}); }}
    state.SetComplexityN(n);
}}
BENCHMARK(timed){arguments}->Complexity();
BENCHMARK_MAIN();
"""
_CALLS = {
    "inversions": "inversions(c.data(), n)",
    "merged": "merged(c.data(), b.data(), n)",
    "smoothed": "smoothed(c.data(), b.data(), n)",
}


@dataclass(frozen=True)
class Told:
    """What a tool says of a function: its growth, and seconds at the target; what these were; how
    long it took from the program to the answer."""

    tool: str
    function: str
    growth: str
    is_right: bool
    foretold: float
    measured: float
    seconds: float

    @property
    def error(self) -> float:
        """Percent by which the foretold time is off."""
        return 100 * abs(self.foretold / self.measured - 1)


def _run(words: Sequence[str], folder: Path) -> str:
    return subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True).stdout


def _hyperfine(program: Path, name: str, sizes: Sequence[int], folder: Path) -> list[list[float]]:
    """(P, R) elapsed seconds of the program at each size."""
    out = folder / "times.json"
    options = ["--shell=none", "--runs", "5", "--warmup", "1", "--export-json", str(out)]
    varied = ["--parameter-list", "n", ",".join(map(str, sizes))]
    _run(["hyperfine", *options, *varied, f"{program} {name} {{n}}"], folder)
    return [r["times"] for r in json.loads(out.read_text())["results"]]


def _fits(
    name: str, target: int, times: Sequence[list[float]], sizes: Sequence[int]
) -> Iterator[tuple[str, str, float, float]]:
    """What is fitted to these times: tool, growth, seconds at the target, seconds of the fit."""
    points = [[float(n)] for n, values in zip(sizes, times, strict=True) for _ in values]
    series = Series.from_values(name, "time", ("n",), points, [v for t in times for v in t])
    started = time.perf_counter()
    model = fit(Measurements((series,))).models[0]
    foretold = float(np.asarray(model.evaluate({"n": float(target)})))
    yield (
        "hyperfine + looplaw fit",
        _named(str(model.lead)),
        foretold,
        time.perf_counter() - started,
    )
    started = time.perf_counter()
    found = extra_p([series])
    if found is not None:
        ((peer,), _) = found
        at: Any = {"n": float(target)}
        lead = max(peer.terms, key=lambda t: abs(t[0] * float(t[1].evaluate(at))), default=None)
        growth = "1" if lead is None else _named(str(lead[1]))
        seconds = time.perf_counter() - started
        yield "hyperfine + Extra-P", growth, peer.evaluate({"n": float(target)}), seconds


def _named(growth: str) -> str:
    return growth.replace("log(n, 2)", "log(n)")


def _study(name: str, target: int, sizes: Sequence[int], folder: Path) -> tuple[str, float]:
    """The growth that a study proves of the function, and the seconds of a run that it foretells,
    without the start of a process, which `hyperfine` measures, too."""
    looplaw = [sys.executable, "-m", "looplaw"]
    values = ",".join(map(str, sizes))
    words = ["study", str(SOURCE), "--vary", f"n={values}", "--args", f"{name} {{n}}"]
    _run([*looplaw, *words, "--at", f"n={target}", "--out", name], folder)
    answer = json.loads(_run([*looplaw, "predict", name, "--at", f"n={target}", "--json"], folder))
    study = json.loads((folder / name / "study.json").read_text())
    work = next(f["work"] for f in study["functions"] if f["name"] == name)
    text = work["formula"] or work["upper"]
    return "not known" if text is None else _growth_of(text), float(answer["value"])


def _growth_of(text: str) -> str:
    """The growth of a law of one parameter, by its values at 2**30 and 2**40."""
    law = parse_formula(text)
    if len(law.symbols) != 1:
        return "not known"
    (n,) = law.symbols
    near, far = (float(law.evaluate({n: 2**k})) for k in (30, 40))
    ratio = far / near
    known = {"1": 1.0, "n": 2.0**10, "n*log(n)": 2.0**10 * 4 / 3, "n**2": 2.0**20}
    return next((g for g, r in known.items() if abs(ratio / r - 1) < 0.01), text)


def _google(name: str, target: int, sizes: Sequence[int], folder: Path) -> tuple[str, float] | None:
    """The complexity that Google Benchmark names, and what its coefficient says of the target; None
    where it is not installed."""
    source = folder / f"{name}.cc"
    arguments = "".join(f"->Arg({n})" for n in sizes)
    source.write_text(_MICRO.format(call=_CALLS[name], arguments=arguments))
    compiler, cxx = (shutil.which(c) for c in ("cc", "c++"))
    if compiler is None or cxx is None:
        return None
    try:
        _run([compiler, "-O2", "-DNO_MAIN", "-c", str(SOURCE), "-o", "peers.o"], folder)
        linked = ["-lbenchmark", "-lpthread", "-o", f"{name}-micro"]
        _run([cxx, "-O2", str(source), "peers.o", *linked], folder)
    except subprocess.CalledProcessError:
        return None
    rows = json.loads(_run([f"./{name}-micro", "--benchmark_format=json"], folder))["benchmarks"]
    found = next(r for r in rows if r.get("aggregate_name") == "BigO")
    growth = _BIG_O.get(found["big_o"], found["big_o"])
    scale = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}[found["time_unit"]]
    n = float(target)
    steps = {"1": 1.0, "log(n)": np.log2(n), "n": n, "n*log(n)": n * np.log2(n), "n**2": n * n}
    return growth, scale * found["real_coefficient"] * float(steps.get(growth, n**3))


def _told(folder: Path) -> Iterator[Told]:
    program = folder / "peers"
    _run([shutil.which("cc") or "cc", "-O2", "-o", str(program), str(SOURCE)], folder)
    for name, (sizes, grows) in FUNCTIONS.items():
        target = 4 * sizes[-1]
        started = time.perf_counter()
        times = _hyperfine(program, name, sizes, folder)
        measuring = time.perf_counter() - started
        truth = float(np.median(_hyperfine(program, name, (target,), folder)[0]))
        for tool, growth, foretold, seconds in _fits(name, target, times, sizes):
            yield Told(tool, name, growth, growth == grows, foretold, truth, measuring + seconds)
        for tool, ask in (("Google Benchmark", _google), ("looplaw study", _study)):
            started = time.perf_counter()
            found = ask(name, target, sizes, folder)
            if found is not None:
                seconds = time.perf_counter() - started
                yield Told(tool, name, found[0], found[0] == grows, found[1], truth, seconds)


def main() -> None:
    """Print the table, and write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    if shutil.which("hyperfine") is None:
        raise SystemExit("hyperfine is missing: apt-get install hyperfine libbenchmark-dev")
    with tempfile.TemporaryDirectory() as folder:
        rows = list(_told(Path(folder)))
    print(f"{'tool':<24} {'function':<11} {'growth':<12} right  error  seconds")
    for r in rows:
        right = "yes" if r.is_right else "no"
        print(
            f"{r.tool:<24} {r.function:<11} {r.growth:<12} {right:<5} {r.error:5.0f} %"
            f"  {r.seconds:6.1f}"
        )
    if chosen.json is not None:
        rows_of = [{**asdict(r), "error_percent": r.error} for r in rows]
        chosen.json.write_text(json.dumps({"benchmark": "peers", "rows": rows_of}, indent=1))


if __name__ == "__main__":
    main()
