"""Rooflines: rates as people write them, intensities as quotients, bounds of time at a point."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
import sympy
from click.testing import CliRunner, Result

from looplaw.cli.main import main
from looplaw.documents.reading import named_numbers
from looplaw.laws.roofline import leading_ratio, parse_machine, quotient
from runtime.machine.description import MACHINE, Curve, Level, Machine
from runtime.machine.known import write_machine
from staticana import InputError
from staticana.expr import Expr, ceil_log, expr, floor_div, maximum, power, sym
from tests.places import SAMPLES

MATMUL = str(SAMPLES / "matmul" / "matmul.c")
n, m, k, f1 = (sym(name) for name in ("n", "m", "k", "f1"))


def looplaw(*words: str) -> Result:
    return CliRunner().invoke(main, words)


@pytest.mark.parametrize(
    ("flops", "bandwidth", "expected"),
    [
        ("50e9", "20e9", (50e9, 20e9)),
        ("50G", "20GB/s", (50e9, 20e9)),
        ("1.5 Tflop/s", "200 MB/s", (1.5e12, 2e8)),
        ("3GFLOPS", "16GiB/s", (3e9, 16 * 1024**3)),
        (".5kflops", "8 bytes/s", (500, 8)),
    ],
)
def test_rates(flops: str, bandwidth: str, expected: tuple[float, float]) -> None:
    machine = parse_machine(flops, bandwidth)
    assert machine is not None
    assert (machine.flops_per_s, machine.bytes_per_s) == expected


@pytest.mark.parametrize(
    ("flops", "bandwidth", "part"),
    [
        ("50G", None, "add --peak-bandwidth"),
        (None, "20G", "add --peak-flops"),
        ("0", "1", "above 0"),
        ("1e400", "1", "finite"),
        ("fast", "1", "--peak-flops fast"),
        ("1G", "20Gbit/s", "bytes, not bits"),
        ("-1", "1", "--peak-flops -1"),
        ("1GB/s", "1", "--peak-flops 1GB/s"),
    ],
)
def test_no_rates(flops: str | None, bandwidth: str | None, part: str) -> None:
    with pytest.raises(InputError, match=part.replace("(", r"\(")):
        parse_machine(flops, bandwidth)


def test_values() -> None:
    assert named_numbers(["n=1000,m=3", "f1=0.25"]) == {"n": 1000, "m": 3, "f1": Fraction(1, 4)}
    for bad in ("n", "n=x", "=3", "n=1/0"):
        with pytest.raises(InputError, match="write NAME=NUMBER"):
            named_numbers([bad])


@pytest.mark.parametrize(
    ("top", "below", "text"),
    [
        (2 * n * m * k, 16 * n * m * k + 8 * n * m, "k/(8*k + 4)"),
        (n * (n + 1), 8 * n * (n + 1), "1/8"),
        (n.over(2), 3 * n * n, "1/(6*n)"),
        (6 * n, expr(4), "3*n/2"),
        (Expr({}), n, "0"),
        (n + 1, 2 * n + 3, "(n + 1)/(2*n + 3)"),
        (maximum(0, n) * m, maximum(0, n) * 8, "m/8"),
    ],
)
def test_quotients_are_cancelled(top: Expr, below: Expr, text: str) -> None:
    assert quotient(top, below) == text
    assert (
        sympy.simplify(sympy.sympify(text) - sympy.sympify(str(top)) / sympy.sympify(str(below)))
        == 0
    )


@pytest.mark.parametrize(
    ("top", "below", "text"),
    [
        (2 * n * m * k + 7 * n, 16 * n * m * k + 8 * n * m, "1/8"),
        (n * n, 8 * n * n * n + n, "1/(8*n)"),
        (n * m + n, n + m, "n*m/(m + n)"),
        (5 * f1 * n + n, 8 * n + f1, "(5*f1*n + n)/(f1 + 8*n)"),
        (floor_div(n, 2), n, "1/2"),
        (n * ceil_log(2, n), 16 * n + 3, "log(n, 2)/16"),
        (13 * m * power(2, m), 96 * m * power(2, m) + power(2, m), "13/96"),
        (maximum(n, m), n, None),
        (n - 2 * floor_div(n, 2) + 1, n, None),
    ],
)
def test_what_intensity_tends_to(top: Expr, below: Expr, text: str | None) -> None:
    found = leading_ratio(top, below, frozenset(("f1",)))
    if text is None:
        assert found is None
        return
    assert found is not None
    difference = sympy.sympify(found.text) - sympy.sympify(text)
    assert sympy.simplify(difference) == 0
    values = {"n": 10**9, "m": 1200, "k": 10**8, "f1": Fraction(1, 2)}
    exact = Fraction(top.evaluate(values)) / Fraction(below.evaluate(values))
    limit = sympy.sympify(found.text).subs({name: sympy.Rational(v) for name, v in values.items()})
    assert abs(float(limit / sympy.Rational(exact)) - 1) < 0.01


def test_matrix_product_on_a_machine() -> None:
    words = ("analyze", MATMUL, "--peak-flops", "50G", "--peak-bandwidth", "20GB/s")
    data = json.loads(looplaw(*words, "--at", "n=100,m=200", "--at", "k=50", "--json", "-").stdout)
    line = next(f for f in data["functions"] if f["name"] == "multiply")["roofline"]
    flops, nbytes = 2 * 100 * 200 * 50, 16 * 100 * 200 * 50 + 8 * 100 * 200
    values = {"n": 100, "m": 200, "k": 50}
    # every last cache holds the three matrices: each line is read once, those of C are written too
    moved = line["at"]["bytes"]
    assert moved == pytest.approx(8 * (100 * 50 + 50 * 200 + 2 * 100 * 200), rel=0.01)
    assert line["at"] == {
        "flops": flops,
        "bytes": moved,
        "bytes_from": "memory law",
        "intensity": flops / moved,
        "bound": "compute",
        "time_s": pytest.approx(flops / 50e9),
    }
    assert float(sympy.sympify(line["time_s"]).subs(values)) == pytest.approx(nbytes / 20e9)
    assert float(sympy.sympify(line["intensity"]).subs(values)) == pytest.approx(flops / nbytes)
    assert (line["leading"], line["bound"]) == ("1/8", "memory")
    assert data["roofline"]["balance"] == 2.5
    fast = json.loads(looplaw(*words[:3], "1M", *words[4:], "--json", "-").stdout)
    assert (
        next(f for f in fast["functions"] if f["name"] == "multiply")["roofline"]["bound"]
        == "compute"
    )


def test_table_fits_and_says_what_is_missing() -> None:
    done = looplaw(
        "analyze", MATMUL, "--peak-flops", "50G", "--peak-bandwidth", "20GB/s", "--at", "n=1000"
    )
    assert done.exit_code == 0
    assert "…" not in done.stdout, "a pipe has no width"
    assert "needs k" in done.stdout
    assert "as if there were no cache" in done.stdout


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("--at", "n=3"), "add --peak-flops 50G"),
        (
            ("--peak-flops", "1", "--peak-bandwidth", "1", "--at", "q=3"),
            "no formula has q; there are k, m, n",
        ),
        (
            ("--peak-flops", "1", "--peak-bandwidth", "1", "--at", "n=1.5"),
            "the parameter n is an integer",
        ),
    ],
)
def test_errors(words: tuple[str, ...], part: str) -> None:
    done = looplaw("analyze", MATMUL, *words)
    assert done.exit_code == 2
    assert part in done.stderr


def test_a_machine_without_room_moves_more_bytes(tmp_path: Path) -> None:
    file = tmp_path / "machine.json"
    levels = tuple(
        Level(name, size, size, 1.0, 1.0, 1.0, 1.0, 1.0)
        for name, size in (("L1", 4 << 10), ("memory", None))
    )
    curve = Curve((1024,), (1.0,))
    write_machine(Machine(MACHINE, "h", "c", "", 1, levels, *[curve] * 7, 1.0, 1.0), file)
    words = ("analyze", MATMUL, "--peak-flops", "50G", "--peak-bandwidth", "20GB/s")
    data = json.loads(
        looplaw(*words, "--at", "n=64,m=256,k=64", "--machine", str(file), "--json", "-").stdout
    )
    at = next(f for f in data["functions"] if f["name"] == "multiply")["roofline"]["at"]
    # B does not fit in 4 KB, a row of it does not either with one of C: both stream for every k
    assert at["bytes"] > 5 * 8 * (64 * 64 + 64 * 256 + 2 * 64 * 256)
    assert at["bytes_from"] == "memory law"
