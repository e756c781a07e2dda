"""Instructions that pass a value on, taken out.

Each version of clang passes values on in its own way: `bitcast ptr to ptr` is what reading leaves
of the casts between typed pointers (clang 14), and `__builtin_expect`, annotations, `ssa.copy`, the
address of a thread's variable (clang 16) and the barriers of `-fstrict-vtable-pointers` are calls.
Here their uses are given the value itself, so that no later stage sees which compiler wrote a
program. What a hint said of a branch becomes its weights, as LLVM's LowerExpectIntrinsic has it:
the program that is built from the text is optimised with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_NAME = r'%(?:"[^"\n]*"|[-a-zA-Z$._0-9]+)'
_CALLS = (
    r"llvm\.(?:expect|ssa\.copy|annotation|ptr\.annotation|launder\.invariant\.group"
    r"|strip\.invariant\.group|threadlocal\.address)\."
)
_ANY = re.compile(rf"\bbitcast\b|call [^\n]*@{_CALLS}")
_PARTS = (
    *("bitcast", "@llvm.expect.", "@llvm.ssa.copy.", "@llvm.annotation.", "@llvm.ptr.annotation."),
    *("@llvm.launder.invariant.group.", "@llvm.strip.invariant.group."),
    "@llvm.threadlocal.address.",
)
"""One of them is in whatever `_ANY` finds; to look for words is a hundred times faster."""
_CAST = re.compile(rf"^  ({_NAME}) = bitcast ([^%@]+?) (\S.*) to \2(?:, !.*)?$")
_CALL = re.compile(rf"^  ({_NAME}) = (?:\w+ )?call [^@]*@({_CALLS})[\w.]*\((.*)\)[^)]*$")
_FIRST = re.compile(
    r"(?:i\d+|ptr|float|double|half|<[^>]*>|ptr addrspace\(\d+\))"
    r"(?: (?:noundef|nonnull|readonly|writeonly|captures\([^)]*\)|align \d+"
    r"|dereferenceable\w*\(\d+\)|nofree|returned|zeroext|signext))* (.*)$"
)
_TOKEN = re.compile(rf'{_NAME}|"[^"\n]*"')
_COMPARED = re.compile(rf"^  ({_NAME}) = icmp (eq|ne) i\d+ ({_NAME}), (-?\d+|true|false)\b")
_WIDTH = re.compile(rf"^  ({_NAME}) = (?:trunc|zext|sext)[\w ]* i\d+ ({_NAME}) to i\d+")
_BRANCH = re.compile(rf"^  br i1 ({_NAME}), label ")
_GROUP = re.compile(r", !invariant\.group !\d+")
_NODE = re.compile(r"(?m)^!(\d+) = ")
_TRUTH = {"true": 1, "false": 0}
_LIKELY, _UNLIKELY = 2000, 1  # llvm/lib/Transforms/Scalar/LowerExpectIntrinsic.cpp


def has_no_ops(text: str) -> bool:
    """May there be something to take out? False for most of what a new clang writes."""
    return any(part in text for part in _PARTS) and _ANY.search(text) is not None


def without_no_ops(text: str) -> str:
    """The text without instructions that pass a value on.

    Args:
        text: a module as LLVM prints it, whose registers all have names.
    """
    lines, result = text.split("\n"), list[str]()
    weights = _Weights(text)
    barriers = False
    body: list[str] | None = None
    for line in lines:
        if body is None:
            result.append(line)
            if line.startswith("define "):
                body = []
        elif line == "}":
            edited, dropped = _edited(body, weights)
            barriers |= dropped
            result += [*edited, line]
            body = None
        else:
            body.append(line)
    result += weights.nodes()
    joined = "\n".join(result)
    # what a barrier kept apart may have different values behind one pointer
    return _GROUP.sub("", joined) if barriers else joined


class _Weights:
    """Metadata nodes for branches that a hint says are nearly always, or never, taken."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._used: dict[bool, int] = {}

    def of(self, taken: bool) -> str:
        if not self._used:
            first = 1 + max((int(n) for n in _NODE.findall(self._text)), default=-1)
            self._used = {True: first, False: first + 1}
        return f", !prof !{self._used[taken]}"

    def nodes(self) -> list[str]:
        return [
            f'!{node} = !{{!"branch_weights", !"expected", i32 {_LIKELY if taken else _UNLIKELY},'
            f" i32 {_UNLIKELY if taken else _LIKELY}}}"
            for taken, node in self._used.items()
        ]


def _edited(body: list[str], weights: _Weights) -> tuple[list[str], bool]:
    """A function's lines, and whether a barrier was among what was taken out."""
    same: dict[str, str] = {}
    hints: dict[str, int] = {}
    kept: list[str] = []
    barriers = False
    for line in body:
        found = _passed(line)
        if found is None:
            kept.append(line)
            continue
        name, value, called, expected = found
        same[name] = value
        barriers |= "invariant" in called
        if expected is not None:
            hints[name] = expected
    if not same:
        return body, False
    if hints:
        kept = list(_with_weights(kept, hints, weights))

    def resolved(match: re.Match[str]) -> str:
        token, seen = match.group(), set[str]()
        while token in same and token not in seen:
            seen.add(token)
            token = same[token]
        return token

    return [_TOKEN.sub(resolved, line) if "%" in line else line for line in kept], barriers


def _passed(line: str) -> tuple[str, str, str, int | None] | None:
    """(register, the value that it gets, the intrinsic, the value that a hint expects)."""
    cast = _CAST.match(line) if " = bitcast " in line else None
    if cast:
        return cast.group(1), cast.group(3), "", None
    call = _CALL.match(line) if "@llvm." in line else None
    if call is None:
        return None
    first, *more = _arguments(call.group(3))
    value = _FIRST.match(first)
    if value is None:
        return None
    expected = None
    if call.group(2) == "llvm.expect." and len(more) == 1:
        word = more[0].split()[-1]
        expected = _TRUTH.get(word, int(word) if word.lstrip("-").isdigit() else None)
    return call.group(1), value.group(1), call.group(2), expected


def _arguments(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for at, c in enumerate(text):
        if c in "([{<":
            depth += 1
        elif c in ")]}>":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


def _with_weights(lines: list[str], hints: dict[str, int], weights: _Weights) -> Iterable[str]:
    """Lines in which branches on a hinted value, or on a comparison of one, have weights."""
    expected = dict(hints)
    for line in lines:
        compared = _COMPARED.match(line)
        if compared and compared.group(3) in expected:
            name, predicate, value, other = compared.groups()
            number = _TRUTH[other] if other in _TRUTH else int(other)
            expected[name] = int((expected[value] == number) == (predicate == "eq"))
        width = _WIDTH.match(line)
        if width and width.group(2) in expected:
            expected[width.group(1)] = expected[width.group(2)]
        branch = _BRANCH.match(line)
        if branch and branch.group(1) in expected and "!prof" not in line:
            line += weights.of(bool(expected[branch.group(1)]))
        yield line
