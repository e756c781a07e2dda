"""What is said of a law names nothing that only the compiler knows: no register, block or constant
of IR."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import analyze, canonical, compile_sources

_DIGITS = """\
void f(unsigned n) {
    unsigned h = n;
    do { h >>= 4; } while (h);
}
int main(void) { f(300); return 0; }
"""
_WEAK = """\
extern int extra __attribute__((weak));
int main(int argc, char **argv) {
    int s = 0;
    for (int i = 0; i < argc && &extra; i++) s += i;
    for (long i = 0; i < (long)&extra - 5; i++) s += i;
    return s;
}
"""
_UNSET = """\
int main(int argc, char **argv) {
    int n, s = 0;
    if (argc > 9) n = 5;
    for (int i = 0; i < n; i++) s += i;
    int k;
    for (int i = 0; i < k; i++) s += i;
    return s;
}
"""


def _analyzed(folder: Path, text: str, entry: str = "main"):  # type: ignore[no-untyped-def]
    path = folder / "p.c"
    path.write_text(text)
    return analyze(canonical(compile_sources([path])), entry=entry)


@pytest.mark.parametrize("text", [_DIGITS, _WEAK, _UNSET], ids=["digits", "weak", "unset"])
def test_no_name_of_the_compiler_is_said(text: str, tmp_path: Path) -> None:
    for loop in _analyzed(tmp_path, text).loops:
        for count in (loop.per_entry, loop.per_call, loop.total):
            assert "%" not in str(count)
            assert all("%" not in word for o in count.opaque for word in (o.symbol, o.meaning))
            assert all("%" not in a for a in count.assumptions)


def test_the_address_of_a_weak_symbol_is_named(tmp_path: Path) -> None:
    opaque = [o for loop in _analyzed(tmp_path, _WEAK).loops for o in loop.total.opaque]
    assert {o.symbol for o in opaque} == {"address_of_extra"}
    assert {o.meaning for o in opaque} == {"the address of extra"}


def test_digits_rest_on_no_single_iteration(tmp_path: Path) -> None:
    (loop,) = _analyzed(tmp_path, _DIGITS, "f").loops
    assert loop.total.kind == "exact"
    assert loop.total.assumptions == ("n >= 0",)
    for n in (0, 1, 15, 16, 255, 256, 2**31):
        assert loop.total.evaluate({"n": n}) == max(1, len(f"{n:x}"))
