"""The roofline of each function: T >= max(flops / peak, bytes / bandwidth), as a formula and at
given values.

Arithmetic intensity is floating-point operations over bytes; below the machine's balance (peak /
bandwidth) memory bounds a function, above it the arithmetic (Williams, Waterman and Patterson, CACM
2009). In the formulas the bytes are those of every load and store, as if there were no cache:
traffic with nothing reused. At given values they are those between memory and the last cache, where
the memory law tells them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from msgspec import structs

from looplaw_common.documents import convert
from modeling import Term
from staticana import Analysis, Count, Expr, FunctionResult, InputError
from staticana.expr import (
    Atom,
    CLog,
    Floor,
    Monomial,
    Number,
    Pow,
    Sym,
    TooComplex,
    Trunc,
    from_atom,
    sym,
)

from ..documents.analysis import AnalysisDocument, MachineDocument, RooflineDocument
from .law_terms import LEAST, in_range

BYTES = "every load and store, as if there were no cache"
_LARGE = 1 << 20
_QUANTITY = re.compile(
    r"\s*(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)\s*([kKMGTP]i?)?\s*(.*?)\s*"
)
_FLOPS = re.compile(r"(?:flops?(?:/s)?)?", re.IGNORECASE)
_BANDWIDTH = re.compile(r"(?:B(?:ytes?)?(?:/s|ps)?|bytes?(?:/s)?)?")
_POWERS = {"": 0, "k": 1, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}


@dataclass(frozen=True)
class Machine:
    """Peak floating-point operations and bytes from memory, each per second and positive."""

    flops_per_s: Fraction
    bytes_per_s: Fraction

    def __post_init__(self) -> None:
        if self.flops_per_s <= 0 or self.bytes_per_s <= 0:
            raise InputError("--peak-flops and --peak-bandwidth: both must be above 0")

    @property
    def balance(self) -> float:
        """Operations per byte at which arithmetic and memory take the same time."""
        return float(self.flops_per_s / self.bytes_per_s)


@dataclass(frozen=True)
class RooflinePoint:
    """A roofline at parameter values; `missing` are symbols that got no value, and nothing else is
    known then. is_cached: the bytes are those between memory and the last cache."""

    missing: tuple[str, ...] = ()
    flops: Number = 0
    nbytes: Number = 0
    time_s: float = 0.0
    is_cached: bool = False

    def to_json(self, machine: Machine) -> dict[str, object]:
        if self.missing:
            return {"missing": list(self.missing)}
        intensity = float(Fraction(self.flops) / Fraction(self.nbytes)) if self.nbytes else None
        memory = self.nbytes and (intensity or 0.0) < machine.balance
        return {
            "flops": _plain(self.flops),
            "bytes": _plain(self.nbytes),
            "bytes_from": "memory law" if self.is_cached else "loads and stores",
            "intensity": intensity,
            "time_s": self.time_s,
            "bound": "memory" if memory else "compute",
        }


@dataclass(frozen=True)
class Roofline:
    """One function. intensity: flops / bytes; leading: what it tends to for large values; time_s:
    the bound; `display` and `display_time`: intensity and bound for values of at least `LEAST`,
    shorter; None where there is no formula, and `reason` says why."""

    flops: Count
    nbytes: Count
    intensity: str | None = None
    display: str | None = None
    leading: str | None = None
    time_s: str | None = None
    display_time: str | None = None
    bound: str | None = None
    point: RooflinePoint | None = None
    reason: str | None = None

    def to_json(self, machine: Machine) -> dict[str, object]:
        return {
            "bytes": self.nbytes.to_json(),
            "intensity": self.intensity,
            "display": self.display,
            "leading": self.leading,
            "time_s": self.time_s,
            "display_time": self.display_time,
            "bound": self.bound,
            "reason": self.reason,
            "at": None if self.point is None else self.point.to_json(machine),
        }


def parse_machine(flops: str | None, bandwidth: str | None) -> Machine | None:
    """--peak-flops 50G --peak-bandwidth 20GB/s; None when neither is given.

    Raises:
        InputError: only one of them, or one that is no such number.
    """
    if flops is None and bandwidth is None:
        return None
    if flops is None or bandwidth is None:
        missing, example = (
            ("--peak-flops", "50G") if flops is None else ("--peak-bandwidth", "20GB/s")
        )
        raise InputError(f"a roofline needs both peaks: add {missing} {example}")
    return Machine(
        _rate("--peak-flops", flops, _FLOPS, "50e9, 50G or 50Gflop/s"),
        _rate("--peak-bandwidth", bandwidth, _BANDWIDTH, "20e9, 20G or 20GB/s (bytes, not bits)"),
    )


def _rate(option: str, text: str, unit: re.Pattern[str], example: str) -> Fraction:
    match = _QUANTITY.fullmatch(text)
    if match is None or not unit.fullmatch(match[3]):
        raise InputError(f"{option} {text}: write a rate as in {example}")
    value, prefix = float(match[1]), match[2] or ""
    if not math.isfinite(value) or not value:
        raise InputError(f"{option} {text}: it must be above 0 and finite")
    return (
        Fraction(match[1]) * Fraction(1024 if prefix.endswith("i") else 1000) ** _POWERS[prefix[:1]]
    )


def rooflines(
    analysis: Analysis,
    machine: Machine,
    at: Mapping[str, Number],
    moved: Mapping[str, Number] | None = None,
) -> dict[str, Roofline]:
    """The roofline of every function, by its symbol. `moved`: bytes of a call between memory and
    the last cache at these values, by the symbol of the function.

    Raises:
        InputError: `at` names something that is in no formula, or gives a parameter a fraction.
    """
    found = {f.symbol: _roofline(f, machine) for f in analysis.functions}
    parameters = {p.name for p in analysis.parameters}
    known = parameters.union(
        *(
            e.symbols
            for r in found.values()
            for e in (r.flops.formula, r.nbytes.formula)
            if e is not None
        )
    )
    for name, value in at.items():
        if name not in known:
            raise InputError(
                f"--at {name}={value}: no formula has {name}; there are"
                f" {', '.join(sorted(known)) or 'none'}"
            )
        if name in parameters and not isinstance(value, int):
            raise InputError(f"--at {name}={float(value):g}: the parameter {name} is an integer")
    if not at:
        return found
    return {
        symbol: _placed(r, machine, at, (moved or {}).get(symbol)) for symbol, r in found.items()
    }


def _roofline(f: FunctionResult, machine: Machine) -> Roofline:
    flops, nbytes = (
        f.operations["flops"],
        Count.sum([f.operations["load_bytes"], f.operations["store_bytes"]]),
    )
    if flops.formula is None or nbytes.formula is None:
        which, count = ("operations", flops) if flops.formula is None else ("bytes", nbytes)
        return Roofline(flops, nbytes, reason=f"no formula of its {which}: {count.reason}")
    top, below = flops.formula, nbytes.formula
    fixed = frozenset(o.symbol for o in (*flops.opaque, *nbytes.opaque) if not o.is_argument)
    near, far = (_from(top, below, fixed, least) for least in (LEAST, _LARGE))
    time = f"Max(({top})/{_exact(machine.flops_per_s)}, ({below})/{_exact(machine.bytes_per_s)})"
    short = _short_time(*near, machine)
    if not below:
        bound, reason = (
            ("compute", "it loads and stores nothing")
            if top
            else (None, "it has no operations and no bytes")
        )
        return Roofline(flops, nbytes, time_s=time, display_time=short, bound=bound, reason=reason)
    leading = leading_ratio(*far, fixed)
    bound = None
    if leading is not None and leading.constant is not None:
        bound = (
            "memory" if leading.constant < machine.flops_per_s / machine.bytes_per_s else "compute"
        )
    return Roofline(
        flops,
        nbytes,
        quotient(top, below),
        quotient(*near),
        None if leading is None else leading.text,
        time,
        short,
        bound,
    )


def _from(top: Expr, below: Expr, fixed: frozenset[str], least: int) -> tuple[Expr, Expr]:
    """Both formulas for values of at least `least`, where most guards make no difference."""
    lowest = {name: least for name in top.symbols | below.symbols if name not in fixed}
    try:
        return in_range(top, lowest), in_range(below, lowest)
    except TooComplex:
        return top, below


def _short_time(top: Expr, below: Expr, machine: Machine) -> str:
    """max(flops/5e10, bytes/2e10)."""
    parts = []
    for e, rate in zip((top, below), (machine.flops_per_s, machine.bytes_per_s), strict=True):
        scale = e.denominator
        if e:
            parts.append(f"{_bracketed(e * scale)}/{_brief(rate * scale)}")
    return f"max({', '.join(parts)})" if len(parts) > 1 else "".join(parts) or "0"


def _brief(rate: Fraction) -> str:
    return f"{float(rate):g}".replace("e+0", "e").replace("e+", "e")


def _placed(
    r: Roofline, machine: Machine, at: Mapping[str, Number], moved: Number | None
) -> Roofline:
    top, below = r.flops.formula, r.nbytes.formula
    if top is None or below is None:
        return r
    missing = tuple(sorted((top.symbols | below.symbols) - at.keys()))
    if missing:
        point: RooflinePoint | None = RooflinePoint(missing)
    else:
        try:
            flops, nbytes = top.evaluate(at), below.evaluate(at) if moved is None else moved
            point = RooflinePoint(
                (),
                flops,
                nbytes,
                float(
                    max(
                        Fraction(flops) / machine.flops_per_s,
                        Fraction(nbytes) / machine.bytes_per_s,
                    )
                ),
                moved is not None,
            )
        except (ArithmeticError, KeyError):
            # outside what the formula allows (a division by zero), or a sum too long to add up
            point = None
    return replace(r, point=point)


def with_rooflines(
    document: AnalysisDocument,
    analysis: Analysis,
    machine: Machine,
    at: Mapping[str, Number],
    moved: Mapping[str, Number] | None = None,
) -> AnalysisDocument:
    """The document of an analysis with a roofline for each function, and the machine; `moved` as in
    `rooflines`."""
    found = rooflines(analysis, machine, at, moved)
    functions = tuple(
        structs.replace(
            row, roofline=convert(found[f.symbol].to_json(machine), RooflineDocument, f.name)
        )
        for row, f in zip(document.functions, analysis.functions, strict=True)
    )
    peaks = MachineDocument(
        float(machine.flops_per_s),
        float(machine.bytes_per_s),
        machine.balance,
        BYTES,
        LEAST,
        {k: _plain(v) for k, v in at.items()},
    )
    return structs.replace(document, functions=functions, roofline=peaks)


# -- quotients of formulas
def quotient(top: Expr, below: Expr) -> str:
    """top / below with common factors cancelled; what is cancelled is taken not to be 0."""
    if not top:
        return "0"
    shared = _shared(top, below)
    scale = Fraction(
        math.lcm(*(Fraction(c).denominator for e in (top, below) for c in e.terms.values()))
    )
    top, below = (_without(e, shared) * scale for e in (top, below))
    divisor = math.gcd(*(int(c) for e in (top, below) for c in e.terms.values()))
    top, below = top.over(divisor), below.over(divisor)
    if below.constant is not None:
        return str(top.over(below.constant))
    ratios = {
        Fraction(c) / Fraction(below.terms[m]) for m, c in top.terms.items() if m in below.terms
    }
    if top.terms.keys() == below.terms.keys() and len(ratios) == 1:
        return str(ratios.pop())
    under = str(below)
    return f"{_bracketed(top)}/{f'({under})' if re.search(r'[ */]', under) else under}"


def _bracketed(e: Expr) -> str:
    """The formula as a factor: in brackets if it is a sum or a quotient."""
    text, depth = str(e), 0
    for at, char in enumerate(text):
        depth += (char in "(") - (char in ")")
        if depth == 0 and (text[at : at + 3] in (" + ", " - ") or char == "/"):
            return f"({text})"
    return text


def _shared(top: Expr, below: Expr) -> dict[Atom, int]:
    """The powers of atoms that divide every monomial of both."""
    shared: dict[Atom, int] | None = None
    for m in (*top.terms, *below.terms):
        powers = dict(m)
        shared = (
            powers
            if shared is None
            else {a: min(n, powers[a]) for a, n in shared.items() if a in powers}
        )
    return shared or {}


def _without(e: Expr, shared: Mapping[Atom, int]) -> Expr:
    terms: dict[Monomial, Number] = {}
    for m, c in e.terms.items():
        terms[tuple((a, n - shared.get(a, 0)) for a, n in m if n > shared.get(a, 0))] = c
    return Expr(terms)


@dataclass(frozen=True)
class Leading:
    """What a quotient tends to: as text, and as a number where it is one."""

    text: str
    constant: Fraction | None


def leading_ratio(top: Expr, below: Expr, fixed: frozenset[str] = frozenset()) -> Leading | None:
    """The quotient of the terms that outgrow all others when every symbol but the `fixed` ones
    grows; None where they cannot be told."""
    above, under = _leading_terms(top, fixed), _leading_terms(below, fixed)
    if above is None or not under:
        return None
    if not above:
        return Leading("0", Fraction(0))
    if len(above) == len(under) == 1:
        (a, c), (b, d) = *above.items(), *under.items()
        ratio, factor = a.over(b), c / d
        up, down = (
            Term(
                tuple(
                    (name, sign * i, sign * j)
                    for name, i, j in ratio.factors
                    if sign * (i or j) > 0
                )
            )
            for sign in (1, -1)
        )
        return Leading(
            _fraction(_scaled(factor.numerator, up), _scaled(factor.denominator, down)),
            None if ratio.factors else factor,
        )
    sums = _polynomial(above), _polynomial(under)
    if sums[0] is None or sums[1] is None:
        return Leading(
            _fraction(
                *(" + ".join(_scaled(c, t) for t, c in sorted(e.items())) for e in (above, under))
            ),
            None,
        )
    text = quotient(sums[0], sums[1])
    try:
        return Leading(text, Fraction(text))
    except ValueError:
        return Leading(text, None)


def _polynomial(terms: Mapping[Term, Fraction]) -> Expr | None:
    """Terms as a formula; None where a logarithm or another power is among them."""
    total = Expr({})
    for t, c in terms.items():
        product = Expr({(): c})
        for name, i, j in t.factors:
            if j or i < 0 or i.denominator != 1:
                return None
            product = product * sym(name) ** i.numerator
        total = total + product
    return total


def _scaled(c: Fraction | int, term: Term) -> str:
    if not term.factors:
        return str(c)
    return str(term) if c == 1 else f"{c}*{term}"


def _fraction(up: str, down: str) -> str:
    if down == "1":
        return up
    return f"{f'({up})' if ' ' in up else up}/{f'({down})' if re.search(r'[ */]', down) else down}"


def _leading_terms(e: Expr, fixed: frozenset[str] = frozenset()) -> dict[Term, Fraction] | None:
    """The terms that no other outgrows, with their coefficients; rounding is dropped."""
    found = _terms(e)
    if found is None:
        return None
    return {t: c for t, c in found.items() if not any(_outgrows(u, t, fixed) for u in found)}


def _terms(e: Expr) -> dict[Term, Fraction] | None:
    total: dict[Term, Fraction] = {}
    rounded = False
    for monomial, coefficient in e.terms.items():
        product: dict[Term, Fraction] = {Term(()): Fraction(coefficient)}
        for atom, power in monomial:
            rounded = rounded or not isinstance(atom, Sym)
            each = _atom_terms(atom)
            if each is None:
                return None
            for _ in range(power):
                product = _multiplied(product, each)
        for t, c in product.items():
            total[t] = total.get(t, Fraction(0)) + c
    if rounded and not all(total.values()):
        return None  # what rounding leaves of a difference, as in n - 2*floor(n/2), is all there is
    return {t: c for t, c in total.items() if c}


def _multiplied(a: Mapping[Term, Fraction], b: Mapping[Term, Fraction]) -> dict[Term, Fraction]:
    found: dict[Term, Fraction] = {}
    for t, c in a.items():
        for u, d in b.items():
            product = t.times(u)
            found[product] = found.get(product, Fraction(0)) + c * d
    return found


def _atom_terms(atom: Atom) -> dict[Term, Fraction] | None:
    if isinstance(atom, Sym):
        return {Term.of({atom.name: (1, 0)}): Fraction(1)}
    if isinstance(atom, (Floor, Trunc)):
        num, den = _terms(atom.num), _terms(atom.den)
        if not num or not den or len(den) > 1:
            return None
        ((below, d),) = den.items()
        return {t.over(below): c / d for t, c in num.items()}
    if isinstance(atom, Pow) and all(
        c > 0 and all(isinstance(a, Sym) for a, _ in m) for m, c in atom.exponent.terms.items()
    ):
        return {
            Term.of({str(from_atom(atom)): (1, 0)}): Fraction(1)
        }  # grows, that is all that is used of it
    if isinstance(atom, CLog) and atom.base == 2:
        inner = _leading_terms(atom.arg)
        if (
            inner
            and len(inner) == 1
            and len(factors := next(iter(inner)).factors) == 1
            and factors[0][1]
            and not factors[0][2]
        ):
            return {Term.of({factors[0][0]: (0, 1)}): factors[0][1]}
    return None


def _outgrows(a: Term, b: Term, fixed: frozenset[str]) -> bool:
    """a / b grows without bound however the parameters grow."""
    ratio = a.over(b).factors
    return bool(ratio) and all(
        name not in fixed and (i > 0 or (i == 0 and j > 0)) for name, i, j in ratio
    )


def _exact(rate: Fraction) -> str:
    return str(rate) if rate.denominator == 1 else f"({rate})"


def _plain(value: Number) -> int | float:
    return value if isinstance(value, int) else float(value)
