"""Accuracy and speed of the fitter on random functions with one parameter.

    python benchmarks/bench_modeling.py [--functions 200] [--noise 0.02] [--repetitions 1] [--seed 1] [--json FILE]

Five points 4 .. 64; a function is c0 + c1 n**i log2(n)**j with random coefficients (the protocol of Reisert et al.,
Euro-Par 2017, section 4.1, for its one-term classes) or a constant. "lead exact": the exponents of the leading term;
"within 2 %": the prediction at four times the largest point. Beside it stand two naive rules.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np

from modeling import Measurements, Series, fit
from modeling.terms import Term

CLASSES = {"constant": [], "powers": [(i, 0) for i in ("1/2", "1", "3/2", "2", "5/2", "3")],
           "logarithms": [("0", 1), ("0", 2)], "both": [(i, j) for i in ("1/2", "1", "2", "3") for j in (1, 2)]}
POINTS = np.array([4.0, 8.0, 16.0, 32.0, 64.0])


def main() -> None:
    """Run and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--functions", type=int, default=200)
    parser.add_argument("--noise", type=float, default=0.02)
    parser.add_argument("--repetitions", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    generator = np.random.default_rng(options.seed)
    rows = {}
    print(f"noise +-{options.noise:.0%}, {options.repetitions} repetition(s), {options.functions} functions a class")
    print(f"{'class':<14}{'lead exact':>12}{'within 2 %':>12}{'last value':>12}{'log-log line':>14}{'negative':>10}"
          f"{'models/s':>10}")
    for name, shapes in CLASSES.items():
        series, truths = [], []
        for k in range(options.functions):
            term = Term.of({"n": shapes[generator.integers(len(shapes))]}) if shapes else Term(())
            c0, c1 = generator.uniform(1, 1000), generator.uniform(1, 1000)

            def truth(x: np.ndarray, c0: float = c0, c1: float = c1, term: Term = term) -> np.ndarray:
                return c0 + (c1 * term.evaluate({"n": x}) if term.factors else np.zeros_like(x))
            noise = 1 + generator.uniform(-options.noise, options.noise, (len(POINTS), options.repetitions))
            series.append(Series.from_values(str(k), "time", ("n",), POINTS[:, None], truth(POINTS)[:, None] * noise))
            truths.append((term, truth))
        started = time.process_time()
        models = fit(Measurements(tuple(series))).models
        elapsed = time.process_time() - started
        far = np.array(POINTS[-1] * 4)
        exact = close = last = line = negative = 0
        for model, (term, truth), s in zip(models, truths, series, strict=True):
            expected, predicted = float(truth(far)), float(model.evaluate({"n": far}))
            exact += model.lead == term
            close += abs(predicted - expected) <= 0.02 * expected
            negative += predicted < 0
            last += abs(s.means[-1] - expected) <= 0.02 * expected
            slope = np.log(s.means[-1] / s.means[-2]) / np.log(2)
            line += abs(s.means[-1] * 4**slope - expected) <= 0.02 * expected
        n = options.functions
        rows[name] = {"lead_exact": exact / n, "within_2_percent": close / n, "last_value": last / n,
                      "log_log_line": line / n, "negative": negative, "models_per_second": n / elapsed}
        print(f"{name:<14}{exact / n:>12.0%}{close / n:>12.0%}{last / n:>12.0%}{line / n:>14.0%}{negative:>10}"
              f"{n / elapsed:>10.0f}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
