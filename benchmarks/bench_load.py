"""CPU seconds to read ten thousand profiles, one for each run, in every format.

make bench-load ARGS='--profiles 10000 --callpaths 20'
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from modeling import Measurements, read_files

Paths = Sequence[tuple[str, float]]


def our_lines(params: dict[str, int], paths: Paths) -> str:
    """JSON Lines; every line has the parameters."""
    return "".join(
        json.dumps({"params": params, "callpath": c, "metric": "time", "value": v}) + "\n"
        for c, v in paths
    )


def caliper(params: dict[str, int], paths: Paths) -> str:
    """Caliper's json-split; the parameters are global attributes."""
    nodes: list[dict[str, object]] = [{"label": "main", "column": "path"}]
    nodes += [{"label": c.partition("->")[2], "column": "path", "parent": 0} for c, _ in paths]
    return json.dumps(
        {
            "data": [[k + 1, v, 1] for k, (_, v) in enumerate(paths)],
            "columns": ["path", "time", "visits"],
            "column_metadata": [{"is_value": False}, {"is_value": True}, {"is_value": True}],
            "nodes": nodes,
            "cluster": "example",
            "launchdate": 1600990151,
            **params,
        }
    )


def google(params: dict[str, int], paths: Paths) -> str:
    """Google Benchmark, the parameters in its context."""
    rows = [
        {
            "name": c,
            "run_name": c,
            "run_type": "iteration",
            "real_time": v,
            "cpu_time": v,
            "time_unit": "s",
        }
        for c, v in paths
    ]
    return json.dumps(
        {
            "context": {
                "num_cpus": 8,
                "mhz_per_cpu": 2000,
                **{n: str(x) for n, x in params.items()},
            },
            "benchmarks": rows,
        },
        indent=1,
    )


def pytest(params: dict[str, int], paths: Paths) -> str:
    """pytest-benchmark; the parameters are in the name of the file."""
    rows = [
        {
            "fullname": c,
            "params": None,
            "extra_info": {},
            "stats": {"mean": v, "data": [v, v * 1.01]},
        }
        for c, v in paths
    ]
    return json.dumps({"machine_info": {"cpu": {"count": 8}}, "benchmarks": rows}, indent=1)


def extrap(params: dict[str, int], paths: Paths) -> str:
    """Extra-P's JSON."""
    return json.dumps(
        {
            "parameters": list(params),
            "measurements": {
                c: {"time": [{"point": list(params.values()), "values": [v]}]} for c, v in paths
            },
        }
    )


FORMATS: dict[str, Callable[[dict[str, int], Paths], str]] = {
    "JSON Lines": our_lines,
    "Caliper JSON": caliper,
    "Google Benchmark": google,
    "pytest-benchmark": pytest,
    "Extra-P JSON": extrap,
}


def write(folder: Path, form: str, profiles: int, callpaths: int, seed: int) -> None:
    """Write a file for each run: 20 values of n, 5 of p, the rest repetitions."""
    generator = random.Random(seed)
    suffix = ".jsonl" if form == "JSON Lines" else ".json"
    for k in range(profiles):
        n, p, repetition = 64 * (1 + k % 20), 2 ** (k // 20 % 5), k // 100
        paths = [
            (f"main->f{c}", 1e-9 * (c + 1) * n * n / p * generator.uniform(0.98, 1.02))
            for c in range(callpaths)
        ]
        (folder / f"run.n{n}.p{p}.r{repetition}{suffix}").write_text(
            FORMATS[form]({"n": n, "p": p}, paths)
        )


def check(data: Measurements, profiles: int, callpaths: int) -> None:
    """Check that nothing was lost."""
    times = [s for s in data.series if s.metric in ("time", "cpu_time")]
    seen = sum(s.counts.sum() for s in times) / callpaths
    if data.parameters != ("n", "p") or len(times) != callpaths or seen % profiles:
        raise SystemExit(
            f"{len(times)} call paths, {seen:g} observations of each, parameters {data.parameters}"
        )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--profiles", type=int, default=10_000)
    parser.add_argument("--callpaths", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(
        f"{given.profiles} profiles of {given.callpaths} call paths\n"
        f"{'format':<20}{'CPU s':>8}{'us a value':>12}{'peak MB':>10}"
    )
    for form in FORMATS:
        with tempfile.TemporaryDirectory() as scratch:
            write(Path(scratch), form, given.profiles, given.callpaths, given.seed)
            started = time.process_time()
            data = read_files([scratch])
            spent = time.process_time() - started
        check(data, given.profiles, given.callpaths)
        values = sum(s.counts.sum() for s in data.series)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{form:<20}{spent:>8.2f}{spent / values * 1e6:>12.1f}{peak:>10.0f}", flush=True)


if __name__ == "__main__":
    main()
