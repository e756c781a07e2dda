"""Floor and ceiling of rounded numbers are those of the numbers that a machine has."""

from __future__ import annotations

import math
import random
import struct
from pathlib import Path

import pytest

from staticana import analyze, canonical, compile_sources

_LOOP = """
declare double @llvm.{function}.f64(double)
declare double @llvm.sqrt.f64(double)
define i32 @work(i32 %n, i32 %k) {{
entry:
  %x = sitofp i32 %n to double
  %d = sitofp i32 %k to double
  %y = {value}
  %f = call double @llvm.{function}.f64(double %y)
  %m = fptosi double %f to i32
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %j, %body ]
  %more = icmp slt i32 %i, %m
  br i1 %more, label %body, label %end
body:
  %j = add nsw i32 %i, 1
  br label %head
end:
  ret i32 %i
}}
"""
_LARGEST = (1 << 31) - 1


def _law(value: str, function: str) -> object:
    analysis = analyze(_LOOP.format(value=value, function=function), entry="work")
    total = analysis.loops[0].total
    return total.formula if total.kind == "exact" else None


def _hex(number: float) -> str:
    return f"0x{struct.pack('>d', number).hex().upper()}"


def _numbers(generator: random.Random, period: int) -> list[int]:
    """Small and large numbers, and those near multiples of a period."""
    found = [*range(60), _LARGEST, _LARGEST - 1]
    for _ in range(150):
        near = generator.randrange(1, _LARGEST // period) * period
        found += [near - 1, near, near + 1, generator.randrange(_LARGEST)]
    return found


@pytest.mark.parametrize("function", ["floor", "ceil"])
def test_products_with_constants(function: str) -> None:
    generator = random.Random(5)
    whole = {"floor": math.floor, "ceil": math.ceil}[function]
    known = 0
    for _ in range(40):
        above, below = generator.randrange(1, 40), generator.randrange(2, 1000)
        c = above / below
        if c > 1:
            continue
        law = _law(f"fmul double %x, {_hex(c)}", function)
        known += law is not None
        for n in _numbers(generator, below) if law is not None else ():
            assert law.evaluate({"n": n, "k": 1}) == max(0, whole(n * c)), (c, n)  # type: ignore[attr-defined]
    assert known > 15


@pytest.mark.parametrize("function", ["floor", "ceil", "round"])
def test_quotients(function: str) -> None:
    law = _law("fdiv double %x, %d", function)
    generator = random.Random(7)
    for _ in range(300):
        k = generator.choice([1, 2, 3, 7, 10, generator.randrange(1, 1 << 16)])
        for n in (generator.randrange(_LARGEST), k * generator.randrange(_LARGEST // k)):
            q = n / k
            expected = {
                "floor": math.floor(q),
                "ceil": math.ceil(q),
                "round": math.floor(q) + (q - math.floor(q) >= 0.5),
            }[function]
            assert law.evaluate({"n": n, "k": k}) == expected, (n, k)  # type: ignore[attr-defined]


@pytest.mark.parametrize("function", ["floor", "ceil", "round"])
def test_roots(function: str) -> None:
    law = _law("call double @llvm.sqrt.f64(double %x)", function)
    for m in (*range(1, 200), 4095, 4096, 46339, 46340):
        for n in (m * m - 1, m * m, m * m + 1, m * m + m, m * m + m + 1):
            r = math.sqrt(n)
            expected = {
                "floor": math.floor(r),
                "ceil": math.ceil(r),
                "round": math.floor(r) + (r - math.floor(r) >= 0.5),
            }[function]
            assert law.evaluate({"n": n, "k": 1}) == expected, n  # type: ignore[attr-defined]


def test_what_rounding_may_move_is_not_claimed() -> None:
    assert _law(f"fmul double %x, {_hex(0.7)}", "ceil") is None
    assert _law(f"fmul double %x, {_hex(math.pi)}", "floor") is None


@pytest.mark.parametrize(
    ("bound", "said"),
    [
        ("(int)log2(n)", {"log2 is exact where its result is whole"}),
        ("(int)log10(n)", {"log10 is exact where its result is whole"}),
        ("(int)pow(n, 2)", {"pow is exact where its result is whole"}),
        ("(int)sqrt(n)", set[str]()),
    ],
)
def test_what_libraries_are_taken_to_keep_is_listed(
    tmp_path: Path, bound: str, said: set[str]
) -> None:
    file = tmp_path / "p.c"
    file.write_text(
        "#include <math.h>\nextern int use(int);\nstatic void run(int k)"
        " { for (int i = 0; i < k; i++) use(i); }\n"
        f"void f(int n) {{ run({bound}); }}\n"
    )
    total = analyze(canonical(compile_sources([file])), entry="f").loops[0].total
    assert total.kind == "exact"
    assert {a for a in total.assumptions if "exact" in a} == said


def test_roots_of_long_double_hold_words_of_63_bits(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(
        "#include <math.h>\nextern int use(int);\nvoid f(unsigned long n)"
        " { for (unsigned long i = 2; i < sqrtl(n) + 1; i++) use(1); }\n"
    )
    text = canonical(compile_sources([file]))
    if "x86_fp80" not in text:
        pytest.skip("long double has no 80 bits here")
    total = analyze(text, entry="f").loops[0].total
    assert total.kind == "exact"
    for n in (1, 2, 3, 4, 5, 24, 25, 26, (1 << 62) - 1, 1 << 62, (1 << 62) + 1):
        assert total.evaluate({"n": n}) == max(0, math.isqrt(n - 1))
    assert total.evaluate({"n": (1 << 63) + 1}) is None


def test_long_chains_of_operations_have_no_known_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As programs hold them that measure how fast a machine is."""
    monkeypatch.setattr("staticana.recursion._DEEPEST", 2_000)
    path = tmp_path / "chain.c"
    path.write_text(
        f"double f(double s, double n) {{ while (s < n) {{ {'s = s + s;' * 1000} }} return s; }}",
        encoding="utf-8",
    )
    (loop,) = analyze(canonical(compile_sources([path])), entry="f").loops
    assert loop.per_entry.kind == "parametric"


def test_numbers_that_no_double_holds_are_not_known(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(
        "long double f(long double s, int n) { if (s > 1.0e4000L || s < -__builtin_infl()) n = 1;"
        " for (int i = 0; i < n; i++) s += i; return s; }",
        encoding="utf-8",
    )
    (loop,) = analyze(canonical(compile_sources([path])), entry="f").loops
    assert loop.total.kind == "parametric", "which of the two n is, nobody knows"
