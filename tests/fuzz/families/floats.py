"""Loops of floating-point variables, and bounds that were: steps that are rounded, sums that stand
still, what is cut to an integer."""

from __future__ import annotations

from .draft import Draft, Lines, indented

_STEPS = ("1", "0.5", "0.1", "0.25f", "1e-1f", "2", "3.7", "1.0 / 3", "h", "1e-9", "16777216.0f")
_ROUNDED = ("(int)({})", "(long)({})", "(unsigned)({})", "floor({})", "ceil({})", "round({})")


def floats(d: Draft) -> Lines:
    """Three to five such loops, and perhaps a function of them."""
    d.include("math.h")
    d.words += ["16777217 3", "1000000 7", "-1 2", "2147483647 1", "33 10"]
    lines = [f"{_kind(d)} h = {d.pick('0.1', '0.25', '1.0 / (n + 1)', 'm * 0.5', '1e-3 * n')};"]
    for _ in range(d.integer(3, 5)):
        lines += d.pick(_by_steps, _by_factors, _to_a_rounded_end)(d)
    if d.chance(3):
        kind = _kind(d)
        body = d.loop(f"{kind} x = a, k = 0; x < b && k < 90; x += {d.pick('1', '0.5', 'a')}, k++")
        name = d.function(body, f"{kind} a, {_kind(d)} b")
        lines.append(f"s += {name}({_number(d)}, {_number(d)});")
    return lines


def _kind(d: Draft) -> str:
    return str(d.pick("double", "double", "float"))


def _number(d: Draft) -> str:
    whole = d.number()
    return str(
        d.pick(
            *(whole, f"{whole} * 0.1", f"({whole}) / 3.0", f"({whole}) * h", f"({whole}) / h"),
            *(f"(float)({whole}) * 1.1f", f"({_kind(d)})({whole})", f"sqrt({whole})", "1.0", "0"),
        )
    )


def _loop(d: Draft, start: str, test: str, step: str) -> Lines:
    """A loop of at most 90 iterations."""
    guarded = d.pick(f"k < 90 && {test}", f"{test} && k < 90")
    return [
        "{",
        "    int k = 0;",
        *indented(d.loop(f"{start}; {guarded}; {step}", ["s++;", "k++;"])),
        "}",
    ]


def _by_steps(d: Draft) -> Lines:
    step = d.pick(*_STEPS)
    sign, relation = d.pick(("+", "<"), ("+", "<="), ("+", "!="), ("-", ">"), ("-", ">="))
    low, high = d.pick("0", "1", "0.5", "-2", _number(d)), _number(d)
    start, end = (low, high) if sign == "+" else (high, low)
    return _loop(d, f"{_kind(d)} x = {start}", f"x {relation} {end}", f"x {sign}= {step}")


def _by_factors(d: Draft) -> Lines:
    way, relation = d.pick(("*= 2", "<"), ("*= 1.5", "<="), ("/= 2", ">"), ("*= 0.9", ">"))
    grows = relation[0] == "<"
    start = d.pick("1", "0.1", _number(d)) if grows else _number(d)
    end = _number(d) if grows else d.pick("0", "1", "1e-3", "h")
    return _loop(d, f"{_kind(d)} x = {start}", f"x {relation} {end}", f"x {way}")


def _to_a_rounded_end(d: Draft) -> Lines:
    """An integer loop to what was a floating-point number."""
    end = d.pick(*_ROUNDED).format(_number(d))
    kind = d.pick("int", "long", "unsigned")
    return _loop(d, f"{kind} i = 0", f"i < {end}", d.pick("i++", "i++", "i += 2"))
