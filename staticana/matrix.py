"""The matrix form of a nest, as the slides print it.

A nest is written over one state vector x, the loops' variables from the outside in: a loop `while
(c'x < g)` whose body begins with x = A x + b (which sets up the variables of the loop inside) and
ends with x = U x + v. A loop without loops inside folds into the single affine statement x = L(i) x
+ p(i) with its counting function n(x0) (slides 004, "Counting arbitrary affine loop nests" and
"Algorithm in details"). Entries are written for parameters that are not negative.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .closed_forms.exit_iteration import first_failure
from .closed_forms.recurrences import closed_forms
from .expr import ZERO, Assumptions, Expr, TooComplex, sym, symbols
from .expr.predicates import Cond
from .naming import Naming
from .scev.context import FunctionContext

Matrix = tuple[tuple[Expr, ...], ...]
Vector = tuple[Expr, ...]


@dataclass(frozen=True)
class Affine:
    """x = A x + b."""

    A: Matrix
    b: Vector

    def after(self, first: Affine) -> Affine:
        """This statement after `first`: A1 (A0 x + b0) + b1."""
        size = range(len(self.b))
        product = tuple(
            tuple(_dot(self.A[r], tuple(first.A[k][c] for k in size)) for c in size) for r in size
        )
        return Affine(product, tuple(_dot(self.A[r], first.b) + self.b[r] for r in size))


def _dot(a: Sequence[Expr], b: Sequence[Expr]) -> Expr:
    total = ZERO
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total


@dataclass(frozen=True)
class MatrixForm:
    """One loop of a nest over `state` (readable names).

    start: set-up of this loop's variables before it. guard: rows (c, g) of c'x < g; other tests as
    text in `tests`. update: the statement at the end of the body (A and b for an innermost loop, U
    and v else). folded: the whole loop as one statement in the iteration number i, None where it
    has no closed form; n: its counting function.
    """

    state: tuple[str, ...]
    start: Affine
    guard: tuple[tuple[Vector, Expr], ...]
    tests: tuple[str, ...]
    update: Affine
    folded: Affine | None
    index: str
    n: str | None


def matrix_form(view: FunctionContext, header: str, naming: Naming) -> MatrixForm | None:
    """The matrix form of a loop within its nest; None where its variables do not change in an
    affine way."""
    chain = [header]
    while (parent := view.loops[chain[0]].parent) is not None and view.loops[parent].is_source:
        chain.insert(0, parent)
    inside = [
        loop.header
        for loop in view.forest.loops
        if loop.header != header and loop.blocks < view.loops[header].blocks
    ]
    try:
        state = [name for h in (*chain, *inside) for name in _deciding(view, h)]
        return _form(view, header, inside, state, naming)
    except (TooComplex, _NotAffine):
        return None


class _NotAffine(Exception):
    """An update is not affine in the state."""


def _deciding(view: FunctionContext, header: str) -> list[str]:
    """The loop's variables that its own end, or the loops inside it, depend on."""
    solution = view.trip_counts.solution(header)
    wanted: set[str] = set().union(*(e.symbols for e in solution.guard.formulas()))
    for loop in view.forest.loops:
        if loop.blocks < view.loops[header].blocks:
            inner = view.trip_counts.solution(loop.header)
            wanted |= set().union(
                *(e.symbols for e in inner.guard.formulas()),
                *(e.symbols for e in inner.initial.values()),
                *(e.symbols for e in inner.variables.values()),
            )
    names = [n for n in solution.variables if n in wanted]
    if not names:
        raise _NotAffine
    while more := [
        n
        for n in solution.variables
        if n not in names and any(n in solution.variables[k].symbols for k in names)
    ]:
        names.extend(more)
    return names


def _rows(values: dict[str, Expr], state: list[str], naming: Naming) -> Affine:
    """The statement that sets each variable in `values` and keeps the others."""
    rows, added = [], []
    for name in state:
        e = values.get(name, sym(name))
        row, rest = [], e
        for other in state:
            line = rest.affine_in(other)
            if line is None or any(s in state for s in line[0].symbols):
                raise _NotAffine
            row.append(line[0])
            rest = line[1]
        rows.append(tuple(naming.readable(c) for c in row))
        added.append(naming.readable(rest))
    return Affine(tuple(rows), tuple(added))


def _form(
    view: FunctionContext, header: str, inside: list[str], state: list[str], naming: Naming
) -> MatrixForm:
    solution = view.trip_counts.solution(header)
    own = [n for n in state if n in solution.variables]
    start = _rows({n: solution.initial[n] for n in own}, state, naming)
    update = _rows({n: solution.variables[n] for n in own}, state, naming)
    guard: list[tuple[Vector, Expr]] = []
    tests: list[str] = []
    parts = solution.guard.parts if solution.guard.kind == "and" else (solution.guard,)
    for part in parts:
        row = _guard_row(part, state, naming)
        if row is not None:
            guard.append(row)
        else:
            tests.append(_test(part, naming))
    folded, count = None, None
    if solution.iterations.formula is not None and solution.iterations.reason is None:
        at_start = {s: sym(f"{naming.name(s)}_0") for s in state}
        entry = {n: sym(n) for n in own}
        folded = _folded(view, header, own, state, naming)
        count = _counting(view, header, own, entry, at_start, naming)
    if inside and folded is not None:
        folded = _folded_nest(view, header, state, update, naming)
    return MatrixForm(
        tuple(naming.name(s) for s in state),
        start,
        tuple(guard),
        tuple(tests),
        update,
        folded,
        "i",
        count,
    )


def _folded(
    view: FunctionContext, header: str, own: list[str], state: list[str], naming: Naming
) -> Affine | None:
    """x(i) = L(i) x0 + p(i), from the loop's updates with the variables themselves as initial
    values."""

    solution = view.trip_counts.solution(header)
    closed = closed_forms(
        {n: solution.variables[n] for n in own},
        {n: sym(symbols.initial(n)) for n in own},
        symbols.FOLDED,
    )
    if set(own) - set(closed):
        return None
    back = {symbols.initial(n): sym(n) for n in own} | {symbols.FOLDED: sym("i")}
    try:
        return _rows({n: closed[n].substitute(back) for n in own}, state, naming)
    except _NotAffine:
        return None


def _folded_nest(
    view: FunctionContext, header: str, state: list[str], update: Affine, naming: Naming
) -> Affine | None:
    """The body of a loop around others: set-up, folded inner loop and update as one statement."""
    body: Affine | None = None
    for loop in view.forest.loops:
        if loop.parent != header:
            continue
        inner = view.trip_counts.solution(loop.header)
        own = [n for n in state if n in inner.variables]
        folded = _folded(view, loop.header, own, state, naming)
        if folded is None or any(other.parent == loop.header for other in view.forest.loops):
            return None
        start = _rows({n: inner.initial[n] for n in own}, state, naming)
        step = folded.after(start)
        body = step if body is None else step.after(body)
    return update if body is None else update.after(body)


def _guard_row(part: Cond, state: list[str], naming: Naming) -> tuple[Vector, Expr] | None:
    """e >= 0 as c'x < g, free of state on the right."""
    if part.kind != "ge":
        return None
    row, rest = [], -part.arg
    for name in state:
        line = rest.affine_in(name)
        if line is None or line[0].constant is None:
            return None
        row.append(line[0])
        rest = line[1]
    return tuple(row), naming.readable(1 - rest)


def _test(part: Cond, naming: Naming) -> str:
    sign = {"ge": ">=", "eq": "==", "ne": "!="}.get(part.kind)
    if sign is None:
        return (
            "a condition on data"
            if part.is_undecided
            else f"({part.kind} of {len(part.parts)} tests)"
        )
    return f"{naming.readable(part.arg)} {sign} 0"


def _counting(
    view: FunctionContext,
    header: str,
    own: list[str],
    entry: dict[str, Expr],
    at_start: dict[str, Expr],
    naming: Naming,
) -> str | None:
    """n(x0) in terms of the entry values j_0, k_0."""

    solution = view.trip_counts.solution(header)
    closed = closed_forms({n: solution.variables[n] for n in own}, entry, symbols.FOLDED)
    horizon = first_failure(
        solution.guard.substitute(closed), symbols.FOLDED, Assumptions([sym(symbols.FOLDED)])
    )
    if horizon is None or horizon.at is None:
        return None
    return str(naming.readable(horizon.at.substitute(at_start)))


# -- text
def format_nest(forms: Sequence[tuple[int, MatrixForm]]) -> str:
    """A nest as the slides print it: (depth, form) in the order of the source, inner loops
    indented."""
    lines: list[str] = []
    pending: list[tuple[int, MatrixForm]] = []
    for depth, form in forms:
        while pending and pending[-1][0] >= depth:
            lines += _end(*pending.pop())
        lines += _block("  " * (depth - 1), "x =", form.start)
        tests = [f"{_row(c)} x < {g}" for c, g in form.guard] + list(form.tests)
        lines.append(f"{'  ' * (depth - 1)}while ({' and '.join(tests) or 'data'}) {{")
        pending.append((depth, form))
    while pending:
        lines += _end(*pending.pop())
    if forms:
        states = max((f.state for _, f in forms), key=len)
        lines.append(f"where x = ({', '.join(states)})'")
    return "\n".join(lines)


def _end(depth: int, form: MatrixForm) -> list[str]:
    lines = _block("  " * depth, "x =", form.update) + [f"{'  ' * (depth - 1)}}}"]
    if form.folded is not None:
        lines += _block("  " * (depth - 1), "folded: x(i) =" if depth else "x =", form.folded)
    if form.n is not None:
        lines.append(f"{'  ' * (depth - 1)}n(x0) = {form.n}")
    return lines


def _row(values: Sequence[Expr]) -> str:
    return "(" + " ".join(str(v) for v in values) + ")"


def _block(indent: str, label: str, statement: Affine) -> list[str]:
    """A matrix and a vector over several lines."""
    cells = [[str(v) for v in row] for row in statement.A]
    widths = [max(len(row[c]) for row in cells) for c in range(len(cells[0]))] if cells else []
    added = [str(v) for v in statement.b]
    width = max(map(len, added), default=0)
    middle = (len(cells) - 1) // 2
    lines = []
    for at, row in enumerate(cells):
        left = f"{label} " if at == middle else " " * (len(label) + 1)
        mid = " x + " if at == middle else "     "
        matrix = " ".join(cell.rjust(w) for cell, w in zip(row, widths, strict=True))
        lines.append(f"{indent}{left}( {matrix} ){mid}( {added[at].rjust(width)} )")
    return lines
