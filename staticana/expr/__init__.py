"""Exact formulas: polynomials with rational coefficients over symbols, whole quotients, maximum and
minimum, powers, logarithms and roots, indicators, values from memory, and sums that have no closed
form."""

from .atoms import Atom, OfOne, Sym, sym
from .extrema import Extremum, Step, choose, maximum, minimum, step
from .integer_valued import is_integer
from .loaded import LENGTH_OF, STORAGE_OF, Loaded, carried, elements_of, has_loaded, is_storage
from .polynomial import ONE, ZERO, Expr, expr, from_atom, linear
from .powers import CLog, Pow, Root, ceil_log, power, root
from .printing import format_expr, guarded, relation
from .proofs import Assumptions, is_nonnegative
from .quotients import Floor, Trunc, ceil_div, floor_div, trunc_div
from .simplification import simplify, without_idle_guards
from .sums import MAX_SUM, Sum
from .terms import MAX_BITS, Monomial, Number, TooComplex

__all__ = [
    "LENGTH_OF",
    "MAX_BITS",
    "MAX_SUM",
    "ONE",
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
    "maximum",
    "minimum",
    "power",
    "relation",
    "root",
    "simplify",
    "step",
    "sym",
    "trunc_div",
    "without_idle_guards",
]
