"""--metric: operations that follow from counts equal a count by hand, others have no value; events
of runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from looplaw.cli.main import main
from runtime import Store, unavailable
from runtime.launch import perf
from tests.places import SAMPLES

Looplaw = Callable[..., Any]
MATMUL = SAMPLES / "matmul" / "matmul.c"
COLLATZ = """#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    double s = 0;
    for (int i = 1; i <= n; i++) {
        for (long m = i; m != 1; m = m % 2 ? 3 * m + 1 : m / 2) {
            s *= 2;
            for (int k = 0; k < i; k++) {
                s += k;
            }
        }
    }
    return s < 0;
}
"""
ROWS = """#include <stdlib.h>
static double dot(int n, const int *p, const double *x) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        for (int k = p[i]; k < p[i + 1]; k++) {
            s += x[k] * x[k];
        }
    }
    return s;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int *p = calloc(n + 1, sizeof *p);
    double *x = calloc(4 * n, sizeof *x);
    for (int i = 0; i < n; i++) {
        p[i + 1] = p[i] + i * i % 4;
    }
    return dot(n, p, x) < 0;
}
"""
CASES = """#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    double s = 0;
    for (int i = 0; i < n; i++) {
        if (rand() % 3) {
            s += i;
        }
    }
    return s < 0;
}
"""


@pytest.fixture
def looplaw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Looplaw:
    monkeypatch.chdir(tmp_path)
    return lambda *line: CliRunner().invoke(main, [str(word) for word in line])


def steps(i: int) -> int:
    count = 0
    while i != 1:
        i = 3 * i + 1 if i % 2 else i // 2
        count += 1
    return count


def measured(
    looplaw: Looplaw, source: str, *options: object
) -> tuple[dict[tuple[str, str, int], Any], Any]:
    Path("program.c").write_text(source)
    done = looplaw("run", "program.c", "--repetitions", 1, *options)
    assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return {(r["callpath"], r["metric"], r["params"]["n"]): r["value"] for r in rows}, done


def test_a_mean_that_is_weighted_by_what_runs_inside(looplaw: Looplaw) -> None:
    """The mean steps of all i are not those that the inner loop sees: only counts of both loops
    tell the operations."""
    found, _ = measured(looplaw, COLLATZ, "--vary", "n=1,10,27", "--metric", "flops")
    for n in (1, 10, 27):
        assert found["main", "flops", n] == sum(steps(i) * (1 + i) for i in range(1, n + 1))


def test_loaded_values_follow_from_the_loop_that_they_bound(looplaw: Looplaw) -> None:
    found, done = measured(
        looplaw,
        ROWS,
        "--vary",
        "n=5,16",
        "--metric",
        "flops",
        "--metric",
        "stores",
        "--metric",
        "bytes",
    )
    for n in (5, 16):
        entries = sum(i * i % 4 for i in range(n))
        assert found["main", "flops", n] == 2 * entries
        assert found["main", "stores", n] == n
        assert ("dot", "flops", n) not in found
    assert "flops of dot does not follow from what is counted" in done.stderr


def test_a_fraction_of_cases_is_not_guessed(looplaw: Looplaw) -> None:
    found, done = measured(looplaw, CASES, "--vary", "n=9", "--metric", "flops")
    assert not [key for key in found if key[1] == "flops"]
    assert "flops of main does not follow" in done.stderr


def test_a_study_models_what_is_asked_for(looplaw: Looplaw) -> None:
    done = looplaw(
        "study",
        MATMUL,
        "--vary",
        "n=8,16,24,32,40",
        "--vary",
        "m=4",
        "--vary",
        "k=4",
        "--repetitions",
        1,
        "--metric",
        "flops",
        "--out",
        "out",
    )
    assert done.exit_code == 0, done.output
    models = {
        (m["callpath"], m["metric"]): m
        for m in json.loads(Path("out/models.json").read_text())["models"]
    }
    assert {metric for _, metric in models} == {"flops"}
    predicted = looplaw(
        "predict", "out/models.json", "--at", "n=100", "--at", "m=4", "--at", "k=4", "--json"
    )
    values = {r["callpath"]: r["value"] for r in json.loads(predicted.stdout)}
    assert values["multiply"] == pytest.approx(2 * 100 * 4 * 4)


def test_events_are_kept_and_asked_for_later_are_measured_anew(looplaw: Looplaw) -> None:
    if (why := unavailable("page-faults")) is not None:
        pytest.skip(f"PAGE-FAULTS IS NOT TESTED: {why}")
    options = ("--vary", "n=3", "--out", "out")
    found, _ = measured(looplaw, CASES, *options)
    assert ("main", "page-faults", 3) not in found
    found, _ = measured(looplaw, CASES, *options, "--metric", "page-faults")
    first = found["main", "page-faults", 3]
    assert first > 0
    assert len(Store(Path("out")).load()) == 2
    found, _ = measured(looplaw, CASES, *options, "--metric", "page-faults")
    assert found["main", "page-faults", 3] == first, "a finished run is not repeated"
    assert '"page-faults"' in looplaw("export", "out").stdout


def test_an_event_that_the_machine_has_not_fails_nothing(
    looplaw: Looplaw, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(_: perf.Event) -> int:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(perf, "_opened", absent)
    found, done = measured(looplaw, CASES, "--vary", "n=3", "--metric", "instructions")
    assert ("program.c:5:5", "iterations", 3) in found
    assert (
        done.stderr.count(
            "instructions cannot be counted and is left out: this machine has no such counter"
        )
        == 1
    )
    assert "instructions" in looplaw("doctor").stdout


def test_metrics_are_checked(looplaw: Looplaw) -> None:
    done = looplaw("run", MATMUL, "--vary", "n=3", "--metric", "speed")
    assert done.exit_code == 2
    assert "--metric speed: there are iterations, time, instructions" in done.stderr
    done = looplaw("run", MATMUL, "--vary", "n=3", "--metric", "page-faults", "--launcher", "srun")
    assert done.exit_code == 2
    assert "on others" in done.stderr or unavailable("page-faults") is not None
