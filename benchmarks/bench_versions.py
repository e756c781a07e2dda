"""Two versions of 40 kernels whose crossing is known: is the right one called faster, does the
interval hold the crossing, and how often can nobody tell?

    python -m benchmarks.bench_versions [--seed N] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from modeling.data.measurements import Series
from modeling.scaling.versions import Versions, compare

Law = Callable[[np.ndarray], np.ndarray]
SHAPES: tuple[tuple[str, Law, Law], ...] = (
    ("n^2 | n log n", lambda n: n**2, lambda n: n * np.log2(n)),
    ("n^2 | n", lambda n: n**2, lambda n: n),
    ("n | overhead + n/4", lambda n: n, lambda n: 0.25 * n),
    ("n log n | n", lambda n: n * np.log2(n), lambda n: n),
    ("n^3 | n^2.8", lambda n: n**3, lambda n: n**2.8),
    ("n^1.5 | n", lambda n: n**1.5, lambda n: n),
    ("log n | constant", lambda n: np.log2(n), lambda n: np.ones_like(n)),
    ("n^2 log n | n^2", lambda n: n**2 * np.log2(n), lambda n: n**2),
)


def kernels(
    random: np.random.Generator, number: int = 40
) -> list[tuple[str, Series, Series, float]]:
    """Pairs of series that cross within their sizes or up to twice beyond, and where."""
    found = []
    while len(found) < number:
        name, slow, quick = SHAPES[len(found) % len(SHAPES)]
        size = int(random.integers(6, 11))
        start = float(random.choice([16, 64, 100, 1000]))
        sizes = start * 2.0 ** np.arange(size)
        cross = float(np.exp(random.uniform(np.log(sizes[1]), np.log(2 * sizes[-1]))))
        at = np.array([cross])
        overhead = float(quick(at)[0]) * random.choice([0.0, 0.2, 1.0, 3.0])
        overhead = max(overhead, 0.3 * float(quick(at)[0])) if name.startswith("n |") else overhead
        scale = (overhead + float(quick(at)[0])) / float(slow(at)[0])
        noise = float(random.choice([0.01, 0.02, 0.05]))
        repeats = int(random.choice([1, 3, 5]))

        errors = noise * random.standard_normal((2, size, repeats))
        a, b = (
            Series.from_values(
                "kernel", "time", ("n",), [[n] for n in sizes], (v[:, None] * np.exp(e)).tolist()
            )
            for v, e in zip((scale * slow(sizes), overhead + quick(sizes)), errors, strict=True)
        )
        if random.random() < 0.5:
            a, b = b, a
        found.append((name, a, b, cross))
    return found


def judge(found: Versions, a: Series, b: Series, cross: float) -> dict[str, object]:
    """What was said of a pair, and whether it is right."""
    beyond = [c for c in found.crossings if c.low <= cross <= c.high]
    return {"faster": found.faster, "crossings": len(found.crossings), "inside": bool(beyond)}


def main() -> None:
    """Print the table, and write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    start = time.process_time()
    rows = []
    for name, a, b, cross in kernels(random):
        last = float(a.points[-1, 0])
        first = float(a.points[0, 0])
        asked = compare(a, b, {"n": last}), compare(a, b, {"n": first})
        truth = _truth(a, b, cross)
        told = [v.faster for v in asked]
        right = [t == w for t, w in zip(told, truth, strict=True)]
        row = judge(asked[0], a, b, cross)
        rows.append(
            {
                "kernel": name,
                "crossing": cross,
                "told": told,
                "truth": truth,
                "right": right,
                "found": [(c.at, c.low, c.high, c.then) for c in asked[0].crossings],
                **row,
            }
        )
    sides = [(t, r) for row in rows for t, r in zip(row["told"], row["right"], strict=True)]
    said = [r for t, r in sides if t != "cannot tell"]
    crossed = [row for row in rows if row["crossings"]]
    summary = {
        "pairs": len(rows),
        "side right of those said": sum(said) / max(1, len(said)),
        "cannot tell": 1 - len(said) / len(sides),
        "crossing told": len(crossed) / len(rows),
        "crossing in its interval": sum(bool(r["inside"]) for r in crossed) / max(1, len(crossed)),
        "more than one crossing": sum(r["crossings"] > 1 for r in rows),
        "seconds a pair": (time.process_time() - start) / len(rows) / 2,
    }
    for key, value in summary.items():
        print(f"{key:28} {value:.3g}")
    if options.json:
        options.json.write_text(json.dumps({"summary": summary, "rows": rows}, indent=1))


def _truth(a: Series, b: Series, cross: float) -> list[str]:
    """Which version is truly faster at the last and the first size: the side of the crossing tells,
    and at the size that is farther from it the values do."""
    sizes = a.points[:, 0]
    far = int(np.argmax(np.abs(np.log(sizes / cross))))
    faster_far = "A" if a.means[far] < b.means[far] else "B"
    other = "B" if faster_far == "A" else "A"
    return [
        faster_far if (sizes[k] > cross) == (sizes[far] > cross) else other
        for k in (len(sizes) - 1, 0)
    ]


if __name__ == "__main__":
    main()
