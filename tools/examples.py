"""Files of measurements in examples/, as the tools of their names write them: the commands of the
documentation read them (python -m tools.examples).

The numbers are made up: laws with some noise from a fixed seed, so that every run writes the same.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import log2
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "examples"
_SEED, _NOISE = 21, 0.01
_SIZES = (64, 128, 256, 512, 1024)
Json = dict[str, object]


def texts() -> dict[str, str]:
    """Name of a file -> what is in it."""
    rng = random.Random(_SEED)
    return {
        "bench.json": json.dumps(_google_benchmark(rng), indent=1) + "\n",
        "pytest-benchmark.json": json.dumps(_pytest_benchmark(rng), indent=1) + "\n",
        "hyperfine.json": json.dumps(_hyperfine(rng), indent=1) + "\n",
        "extrap.txt": _extrap(rng),
        "table.csv": "n,callpath,metric,value\n"
        + "".join(f"{n},main,time,{_noisy(rng, 2e-6 * n)}\n" for n in _SIZES),
        "measurements.jsonl": _lines(_measurements(rng)),
        "times.jsonl": _lines(_times(rng)),
        "nodes.jsonl": _lines(_nodes(rng)),
        "spmv.jsonl": _lines(_products()),
        "ranks.jsonl": _lines(_ranks(rng)),
        "ranks.csv": _rank_table(),
        "sorts.csv": _sorts(rng),
        "before.csv": _version(rng, lambda n: 1e-7 * n * n),
        "after.csv": _version(rng, lambda n: 0.9 + 1.6e-4 * n),
        "go.txt": _go(rng),
        **{
            f"runs/size_{n}x{p}.json": _lines([_row("main", "time", n * n / p)])
            for n in (64, 128, 256, 512)
            for p in (1, 2, 4)
        },
    }


def _noisy(rng: random.Random, value: float) -> float:
    return float(f"{value * (1 + rng.gauss(0, _NOISE)):.6g}")


def _lines(rows: Iterable[Mapping[str, object]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def _row(callpath: str, metric: str, value: float, **params: int) -> Json:
    return {"params": params, "callpath": callpath, "metric": metric, "value": value}


def _google_benchmark(rng: random.Random) -> Json:
    """Three functions over n, three repetitions each."""
    laws = {
        "BM_Sort": lambda n: 4.1 * n * log2(n),
        "BM_Insert": lambda n: 900 + 0.31 * n * n,
        "BM_Lookup": lambda n: 21.0,
    }
    rows = [
        {
            "name": f"{name}/{n}",
            "run_name": f"{name}/{n}",
            "run_type": "iteration",
            "repetitions": 3,
            "repetition_index": k,
            "threads": 1,
            "iterations": 1000,
            "real_time": (value := _noisy(rng, law(n))),
            "cpu_time": value,
            "time_unit": "ns",
        }
        for name, law in laws.items()
        for n in (256, 512, 1024, 2048, 4096, 8192)
        for k in range(3)
    ]
    return {"context": {"num_cpus": 2, "library_build_type": "release"}, "benchmarks": rows}


def _pytest_benchmark(rng: random.Random) -> Json:
    def stats(n: int) -> Json:
        data = [_noisy(rng, 1.2e-7 * n * log2(n)) for _ in range(5)]
        return {"data": data, "mean": sum(data) / 5, "min": min(data), "rounds": 5}

    rows = [
        {
            "name": f"test_sort[{n}]",
            "fullname": f"tests/test_sort.py::test_sort[{n}]",
            "params": {"n": n},
            "stats": stats(n),
        }
        for n in _SIZES
    ]
    return {"machine_info": {}, "version": "5.1.0", "benchmarks": rows}


def _hyperfine(rng: random.Random) -> Json:
    rows = [
        {
            "command": f"./solver {n}",
            "parameters": {"n": str(n)},
            "times": [_noisy(rng, 0.012 + 3e-8 * n * n) for _ in range(5)],
        }
        for n in _SIZES
    ]
    return {"results": rows}


def _extrap(rng: random.Random) -> str:
    points = (4, 8, 16, 32, 64)
    data = "".join(
        f"DATA {' '.join(str(_noisy(rng, 1.5 + 0.2 * p * log2(p))) for _ in range(3))}\n"
        for p in points
    )
    return (
        "PARAMETER p\nPOINTS " + " ".join(map(str, points)) + "\nREGION main->exchange\n"
        f"METRIC time\n{data}"
    )


def _measurements(rng: random.Random) -> Iterator[Json]:
    """Two kernels over size and processes: time, bytes and memory."""
    kernels = (
        ("main->solve", "time", lambda n, p: 1e-9 * n**3 / p),
        ("main->io", "time", lambda n, p: 1e-6 * n * n),
        ("main->solve", "bytes", lambda n, p: 8.0 * n * n / p),
        ("main->solve", "memory", lambda n, p: 24.0 * n * n / p),
    )
    for n in _SIZES:
        for p in (1, 2, 4, 8, 16):
            for callpath, metric, law in kernels:
                value = law(n, p) if metric != "time" else _noisy(rng, law(n, p))
                yield _row(callpath, metric, value, n=n, p=p)


def _times(rng: random.Random) -> Iterator[Json]:
    for n in (64, 128, 256):
        for p in (1, 2, 4, 8, 16):
            for k in range(2):
                value = _noisy(rng, 1e-8 * n**3 / p + 1e-5 * p + 1e-6 * n)
                yield _row("main", "time", value, p=p, n=n) | {"repetition": k}


def _nodes(rng: random.Random) -> Iterator[Json]:
    for n in (64, 128, 256):
        for nodes in (1, 2, 4):
            for ppn in (1, 2, 4):
                value = _noisy(rng, 1e-8 * n**3 / (nodes * ppn) + 1e-5 * nodes)
                yield _row("main", "time", value, nodes=nodes, ppn=ppn, n=n)


def _products() -> Iterator[Json]:
    for rows, mean in ((1000, 9.5), (1000, 14.0), (2000, 11.2), (4000, 10.1), (8000, 12.7)):
        params = {"rows": rows, "nnz_mean": mean}
        yield _row("spmv", "time", 1e-9 * rows * mean) | {"params": params}


def _ranks(rng: random.Random) -> Iterator[Json]:
    """A square of processes: those at the edge have more to do."""
    for side in (3, 4, 5, 6, 8):
        for rank in range(side * side):
            work = 100 + 10 * sum(k in (0, side - 1) for k in divmod(rank, side))
            for metric, each in (("iterations", 1), ("time", 1e-6)):
                value = each * work if metric == "iterations" else _noisy(rng, each * work)
                row = _row("main->sweep", metric, value, p=side * side)
                yield row | {"rank": rank}


_MANY = tuple(1000 * 2**k for k in range(8))


def _sorts(rng: random.Random) -> str:
    laws: Mapping[str, Callable[[int], float]] = {
        "radix": lambda n: 2e-4 + 9e-9 * n,
        "std": lambda n: 1.1e-8 * n * n.bit_length(),
        "insertion": lambda n: 4e-11 * n * n,
    }
    rows = (
        f"{name},{n},{_noisy(rng, law(n)):.4g}\n"
        for name, law in laws.items()
        for n in _MANY
        for _ in range(3)
    )
    return "algo,n,time_s\n" + "".join(rows)


def _version(rng: random.Random, law: Callable[[int], float]) -> str:
    rows = (f"{n},4,{_noisy(rng, law(n)):.4g}\n" for n in _MANY for _ in range(3))
    return "n,threads,time_ms\n" + "".join(rows)


def _go(rng: random.Random) -> str:
    lines = (
        f"BenchmarkSort/n={n}-8\t{10**7 // n}\t{_noisy(rng, 4.1 * n * n.bit_length()):.0f} ns/op"
        f"\t{8 * n} B/op\t1 allocs/op\n"
        for n in _MANY
    )
    return "goos: linux\ngoarch: amd64\npkg: example.com/sort\n" + "".join(lines) + "PASS\n"


def _rank_table() -> str:
    rows = (
        f"{p},{size},{rank},CommSend,{1 + (0 < rank < p - 1)},"
        f"{1e-6 * size * (1 + (0 < rank < p - 1)):.6g}\n"
        for p in (4, 8, 16, 32)
        for size in (10, 20, 40)
        for rank in range(p)
    )
    return "p,size,rank,region,visits,time_s\n" + "".join(rows)


def main() -> None:
    """Write the files."""
    for name, text in texts().items():
        file = FOLDER / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
