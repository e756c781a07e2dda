"""Exact formulas: polynomials with rational coefficients over symbols, whole quotients, maximum and
minimum, powers, logarithms and roots, indicators, values from memory, and sums that have no closed
form."""

from .atoms import MAX_SUM, CLog, Extremum, Floor, OfOne, Pow, Root, Step, Sum, Trunc
from .extrema import choose, maximum, minimum, step
from .guards import guarded
from .integer_valued import is_integer
from .loaded import (
    LENGTH_OF,
    NUMBER,
    SIZE,
    STORAGE_OF,
    Loaded,
    carried,
    elements_of,
    has_loaded,
    is_storage,
)
from .polynomial import (
    ONE,
    ZERO,
    Atom,
    Expr,
    Monomial,
    Sym,
    expr,
    from_atom,
    linear,
    lone_atom,
    rebuilt,
    sym,
    written,
)
from .powers import ceil_log, power, root
from .printing import format_expr, relation
from .proofs import NO_ASSUMPTIONS, Assumptions, is_nonnegative
from .quotients import ceil_div, floor_div, trunc_div
from .simplification import simplify, with_quotients_rounded_up, without_idle_guards
from .terms import MAX_BITS, Number, TooComplex

__all__ = [
    "LENGTH_OF",
    "MAX_BITS",
    "MAX_SUM",
    "NO_ASSUMPTIONS",
    "NUMBER",
    "ONE",
    "SIZE",
    "STORAGE_OF",
    "ZERO",
    "Assumptions",
    "Atom",
    "CLog",
    "Expr",
    "Extremum",
    "Floor",
    "Loaded",
    "Monomial",
    "Number",
    "OfOne",
    "Pow",
    "Root",
    "Step",
    "Sum",
    "Sym",
    "TooComplex",
    "Trunc",
    "carried",
    "ceil_div",
    "ceil_log",
    "choose",
    "elements_of",
    "expr",
    "floor_div",
    "format_expr",
    "from_atom",
    "guarded",
    "has_loaded",
    "is_integer",
    "is_nonnegative",
    "is_storage",
    "linear",
    "lone_atom",
    "maximum",
    "minimum",
    "power",
    "rebuilt",
    "relation",
    "root",
    "simplify",
    "step",
    "sym",
    "trunc_div",
    "with_quotients_rounded_up",
    "without_idle_guards",
    "written",
]
