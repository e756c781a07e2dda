"""Guards of code that runs at most once in a run: it comes there or not, which is no fraction.

A test on data in code that a run passes once decides over all that stands behind it. Counts behind
it are multiplied by a symbol that is 1 where the run comes there and 0 where it does not; whoever
reads the count of one loop takes it for 1 and says so (`taken`).

`if (fscanf(f, "%d", &a[i]) != 1) { fprintf(stderr, "too short"); return 1; }` in a loop is an error
exit as exit(1) is: a function that says so and returns another result than usual has given up
(`given_up`), and what runs behind it is counted for runs that do not take it.

`if (n > 0) for (i = 0; i < n; i++)` skips what would not run anyway, so that the count holds
without the branch (`above_idle_guards`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...expr import ONE, ZERO, Assumptions, Expr, Extremum, is_nonnegative, symbols
from ...expr.predicates import Cond
from ...ir.graph import blocks_leading_to
from ...ir.matchers import is_any, is_branch, is_icmp
from ...ir.types import Instruction, IntLiteral, Operand
from ..bounded_count import BoundedCount
from ..context import FunctionContext, ProgramContext
from ..failures import fails, is_failure, number_of, prints, returns_without
from ..source_names import value_name
from ..unknowns import UnknownInfo

_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
_LONGEST_WORDS = 60
"""Characters of a condition that is put into words."""
PREFIX = "the run "
"""How the words of a guard that is taken begin."""


def is_guarded(view: FunctionContext) -> bool:
    """Is a test outside of the loops of this function decided at most once in a run?"""
    return not view.forest.irreducible and view.program.runs_once(view.function.name)


def guard(view: FunctionContext, block: str) -> Expr:
    """The symbol that is 1 where the run comes to a block, else 0."""
    return view.program.unknowns.add(
        UnknownInfo(
            symbols.unknown(view.function.name, "guard", block),
            "guard",
            "f",
            _meaning(view, block),
            _place(view, block),
            view.function.name,
            block,
        )
    )


def _meaning(view: FunctionContext, block: str) -> str:
    return f"whether {_words(view, block)} (1) or not (0)"


def _words(view: FunctionContext, block: str) -> str:
    """What is true of the run where it comes to the block."""
    top = view.paths.top(block)
    terminator = view.function.blocks[top].terminator
    # compilers differ in where a branch stands, not in where its test does
    test = view.function.definitions.get(terminator.operands[0]) if terminator.operands else None
    at = view.place(terminator if test is None or test.dbg is None else test)
    condition = _condition(view, terminator, block)
    if condition is not None:
        return f"{PREFIX}passes `{condition}` at {at}"
    return f"{PREFIX}passes the test at {at} and comes to {_place(view, block)}"


def _place(view: FunctionContext, block: str) -> str:
    instructions = view.function.blocks[block].instructions
    return view.own_place(next((i for i in instructions if i.dbg is not None), instructions[0]))


# -- conditions in source words
def _condition(view: FunctionContext, terminator: Instruction, block: str) -> str | None:
    """The test of a branch, as it turns out for runs that come to the block."""
    if not is_branch(terminator) or len(terminator.labels) != 2:
        return None
    function = view.function
    reaching = [
        label
        for label in terminator.labels
        if label == block or block in function.blocks_behind(label)
    ]
    if len(reaching) != 1:
        return None
    text = _test(view, terminator.operands[0], holds=reaching[0] == terminator.labels[0])
    return text if text is not None and len(text) <= _LONGEST_WORDS else None


def _test(view: FunctionContext, token: Operand, *, holds: bool) -> str | None:
    i = view.function.definitions.get(token)
    if i is None:
        return None
    if is_any(i, "xor") and "true" in i.operands:
        return _test(view, i.operands[0], holds=not holds)
    if is_any(i, "freeze", "trunc", "zext"):
        return _test(view, i.operands[0], holds=holds)
    if not is_any(i, "icmp", "fcmp"):
        return None
    predicate = i.extra[0][-2:]
    if predicate not in _SIGNS:
        return None
    left, right = (value_name(view, o) for o in i.operands[:2])
    if left is None or right is None:
        return None
    return f"{left} {_SIGNS[predicate if holds else _OPPOSITE[predicate]]} {right}"


# -- taken
def taken(program: ProgramContext, count: BoundedCount) -> BoundedCount:
    """The count for runs that are not given up before: behind a test whose other way does nothing
    but end the function with a message or another result, which the count then says."""
    infos = list(_guards(program, count.formula))
    if not infos:
        return count
    found = [
        info
        for info in infos
        if _is_way_on(program, info, [i.block for i in infos if i.function == info.function])
    ]
    if not found or count.formula is None:
        return count
    passed = {info.symbol: ONE for info in found}
    formula = count.formula.substitute(passed)
    notes = count.notes | {_words(program.view(i.function), i.block) for i in found}
    if count.reason is not None or any(_guards(program, formula)):
        return replace(count, formula=formula, notes=notes)
    return BoundedCount(formula, formula, formula, count.preconditions, notes)


def _guards(program: ProgramContext, e: Expr | None) -> Iterator[UnknownInfo]:
    """The guards among the symbols of a formula."""
    for s in sorted(e.symbols) if e is not None and e.terms else ():
        info = program.unknowns.get(s)
        if info is not None and info.kind == "guard":
            yield info


def _is_way_on(program: ProgramContext, info: UnknownInfo, passed: Sequence[str]) -> bool:
    """Does a run that does not come to the block give up: with a message, or another result of the
    function, and without a loop? `passed`: the blocks that the same count needs."""
    view = program.view(info.function)
    key = info.block, frozenset(passed)
    found = view.paths.ways_on.get(key)
    if found is None:
        found = view.paths.ways_on[key] = _goes_on(view, info.block, passed)
    return found


def _goes_on(view: FunctionContext, block: str, passed: Sequence[str]) -> bool:
    """The same, found for the first time."""
    blocks = view.function.blocks

    def behind(*start: str) -> set[str]:
        return set[str]().union(*map(view.function.blocks_behind, start))

    after = behind(block)
    before = behind(view.paths.top(block)) & blocks_leading_to(view.function, {block})
    before -= after
    aside = {s for b in before for s in blocks[b].successors if s not in before and s != block}
    rest = behind(*aside)
    late = set(blocks).intersection(*map(behind, passed))
    # `a || b || n == 0` comes to the same message by its last test, too
    late -= {
        b
        for b in rest & late
        if fails(view, b)
        and not view.forest.innermost.keys() & behind(b)
        and all(returns_without(view.function, p, b) for p in passed)
    }
    own = rest - late
    if any(b in view.forest.innermost for b in own) or any(
        s.block in own and _works(view.program, s.callee)
        for s in view.program.calls.sites_in.get(view.function.name, ())
    ):
        return False
    instructions = [i for b in own for i in blocks[b].instructions]
    return any(prints(i) for i in instructions) or _returns_otherwise(view, before | own, late)


def _works(program: ProgramContext, name: str) -> bool:
    """Has a function loops, or one that it calls?"""
    below = (name, *program.calls.below(name))
    return any(program.view(f).loops for f in below)


def _returns_otherwise(view: FunctionContext, aside: set[str], usual: set[str]) -> bool:
    """Has the function another constant result where it is left by the blocks `aside` than by
    the `usual` ones, or one that a test has just shown not to be 0, which the usual one is?

    `if (ierr) return ierr;` gives up as `return 1` does.
    """
    ends = view.function.returned
    early = {(b, v) for b, v in ends if b in aside}
    late = {v for b, v in ends if b in usual}
    failed = {v for b, v in ends if b in usual and is_failure(view, b, v)}
    ends_well = any(number_of(v) == 0 for v in late - failed)

    def is_other(block: str, v: Operand) -> bool:
        if number_of(v) is None:
            return ends_well and _is_not_zero(view, block, v)
        return v not in late or (late != failed and is_failure(view, block, v))

    return any(is_other(b, v) for b, v in early)


def _is_not_zero(view: FunctionContext, block: str, value: Operand) -> bool:
    """Does a test that every way to the block passes last show that a value is not 0?"""
    function, seen = view.function, set[str]()
    while block not in seen:
        seen.add(block)
        before = function.predecessors[block]
        if len(before) != 1:
            return False
        end = function.blocks[before[0]].terminator
        test = function.definitions.get(end.operands[0]) if len(end.labels) == 2 else None
        if is_icmp(test) and value in test.operands[:2]:
            others = [o for o in test.operands[:2] if o != value]
            sign = {"ne": 0, "eq": 1}.get(test.extra[0][-2:])
            return (
                is_branch(end)
                and sign is not None
                and len(others) == 1
                and isinstance(others[0], IntLiteral)
                and others[0].value == 0
                and end.labels[sign] == block
                and end.labels[1 - sign] != block
            )
        block = before[0]
    return False


# -- branches that only skip what would not run anyway: if (n > 0) for (i = 0; i < n; i++)
def above_idle_guards(
    view: FunctionContext, count: BoundedCount, header: str | None, node: str
) -> str:
    """The highest block from which control comes to `node` by branches that a count knows itself.

    Args:
        count: what is counted at `node`, for one execution.
        header: the innermost loop around, in whose body the branches lie.
        node: a block of that loop, or the header of a loop in it.
    """
    if count.formula is None or count.lower is not count.formula:
        return node
    if count.upper is not count.formula or not any(_vanishing(count.formula)):
        return node
    top, above = node, _before(view, header, node)
    while above is not None:
        if len(set(view.function.blocks[above].successors)) > 1:
            condition, needs = view.paths.edge(above, node)
            if any(not is_nonnegative(n) for n in needs):
                break
            if not _is_zero(count.formula, condition.negate()):
                break
            top = above
        node, above = above, _before(view, header, above)
    return top


def _before(view: FunctionContext, header: str | None, node: str) -> str | None:
    """The only block before one, in the same loop, from where control goes on in that loop."""
    if node == header:
        return None
    loop = view.loops.get(node)
    found = [
        p
        for p in view.function.predecessors[node]
        if p in view.reachable and (loop is None or p not in loop.blocks)
    ]
    if len(found) != 1 or view.forest.innermost.get(found[0]) != header:
        return None
    inside = None if header is None else view.loops[header].blocks
    for s in view.function.blocks[found[0]].successors:
        if s in view.paths.dead or (inside is not None and s not in inside):
            return None
    return found[0]


def _vanishing(e: Expr) -> list[list[Extremum]]:
    """Of each term the factors that may be zero for a range of values; none where a term has
    none."""
    found: list[list[Extremum]] = [
        [a for a, _ in m if isinstance(a, Extremum) and a.kind == "Max" and ZERO in a.args]
        for m in e.terms
    ]
    return found if all(found) else []


def _is_zero(e: Expr, where: Cond) -> bool:
    """Is a formula zero wherever a condition holds?"""
    if where.kind == "or":
        return all(_is_zero(e, p) for p in where.parts)
    if where.kind == "and":
        return any(_is_zero(e, p) for p in where.parts)
    if where.kind not in ("ge", "eq") or where.is_unsigned:
        return where.kind == "false"
    known = Assumptions([where.arg] if where.kind == "ge" else [where.arg, -where.arg])
    return all(any(_is_clamped(a, known) for a in factors) for factors in _vanishing(e))


def _is_clamped(a: Extremum, known: Assumptions) -> bool:
    """Is Max(0, x) zero, for x is not above?"""
    return all(is_nonnegative(-x, known) for x in a.args if x != ZERO)
