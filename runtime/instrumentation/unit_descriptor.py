"""IR that every instrumented unit carries: its description for the runtime, a constructor that
registers it, and the look-up of the calling thread's words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from staticana.alias.library import library_function
from staticana.ir.graph import callee
from staticana.ir.types import Function, Instruction, Module

from ..counters.word_layout import Layout
from .abnormal_exits import is_emitted
from .call_tables import CallTable

_CONSTRUCTORS = re.compile(
    r"^@llvm\.global_ctors = appending global \[(\d+) x \{ i32, ptr, ptr \}\] \[(.*)\]",
    re.MULTILINE,
)
_MEMORY = re.compile(r" ?(?:\bmemory\([^)]*\)|\breadnone\b|\breadonly\b|\bspeculatable\b)")
_GROUP = re.compile(r"(?<= #)\d+")

_TEMPLATE = """
declare ptr @__looplaw_attach(ptr, ptr) cold nounwind
declare void @__looplaw_register(ptr) nounwind
declare i64 @__looplaw_turn(ptr, i64, ptr) cold nounwind
declare i64 @__looplaw_kept_turn(ptr, i64, ptr, i64) cold nounwind
declare i64 @__looplaw_kept_end(ptr, i64, ptr, i64) cold nounwind
declare i64 @__looplaw_now() nounwind
declare void @__looplaw_timed(ptr, i64, i64, i64) cold nounwind
{entries}
declare void @__looplaw_timed_call(ptr, ptr, i64, i64, ptr) nounwind

@__looplaw_words = internal thread_local({model}) global {{ ptr, [{turns} x i64] }} \
zeroinitializer, align 8
@__looplaw_groups = internal constant [{turns} x i64] {groups}, align 8
@__looplaw_plan = internal constant [{length} x i8] c"{plan}", align 8
@__looplaw_tables = internal constant [{sizes} x i64] {table}, align 8
@__looplaw_unit = internal global {{ i64, ptr, i64, i64, ptr, i64, ptr, i64, i64 }} \
{{ i64 {words}, ptr @__looplaw_plan, i64 {length}, i64 {tables}, ptr @__looplaw_tables, \
i64 {turns}, ptr @__looplaw_groups, i64 0, i64 0 }}, align 8

define internal void @__looplaw_announce() nounwind {{
  call void @__looplaw_register(ptr @__looplaw_unit)
{early}  ret void
}}

define internal i64 @__looplaw_quotient(i64 %passed, i64 %step) alwaysinline nounwind {{
entry: ; a division takes 20 cycles and more: avoided for 0 and 1 iterations
  %none = icmp eq i64 %passed, 0
  %one = icmp eq i64 %passed, %step
  %few = or i1 %none, %one
  br i1 %few, label %short, label %long
short:
  %some = xor i1 %none, true
  %n = zext i1 %some to i64
  br label %done
long:
  %q = sdiv exact i64 %passed, %step
  br label %done
done:
  %result = phi i64 [ %n, %short ], [ %q, %long ]
  ret i64 %result
}}

{base}
{enter}"""

_LOOK_UP = """
define internal ptr @{name}() alwaysinline nounwind {{
entry:
  %known = load ptr, ptr @__looplaw_words, align 8
  %none = icmp eq ptr %known, null
  %rare = call i1 @llvm.expect.i1(i1 %none, i1 false)
  br i1 %rare, label %attach, label %done
attach:
  %fresh = call ptr @__looplaw_attach(ptr @__looplaw_unit, ptr @__looplaw_words) {promises}
  br label %done
done:
  %base = phi ptr [ %known, %entry ], [ %fresh, %attach ]
  ret ptr %base
}}
"""
_PROMISES = "nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)"
"""Of the call that attaches a thread: what the program has read is as it was. Where additions must
not move across the look-up, nothing is promised."""

HINTS = {
    "llvm.expect.i1": "declare i1 @llvm.expect.i1(i1, i1)",
    "llvm.launder.invariant.group.p0": "declare ptr @llvm.launder.invariant.group.p0(ptr)",
}
"""What the unit's own functions and the program may both declare, by name."""


def unit_ir(
    layout: Layout,
    tables: Iterable[CallTable],
    groups: Sequence[int],
    model: str,
    *,
    early: bool = False,
) -> str:
    """The unit's own globals and functions.

    Args:
        groups: the first word of each function's sampling.
        model: LLVM's thread-local storage model.
        early: the main thread gets its words before `main`.
    """
    plan = layout.to_text().encode()
    escaped = "".join(chr(c) if 32 <= c < 127 and c not in b'"\\' else f"\\{c:02X}" for c in plan)
    known = tuple(tables)
    sizes = [n for t in known for n in (t.row, t.slots, len(t.loops), int(t.sampled))]
    entries = "\n".join(
        f"declare void @{name}(ptr, ptr, i64, ptr) nounwind"
        for name in dict.fromkeys(t.entry for t in known)
    )
    text = _TEMPLATE.format(
        model=model,
        entries=entries,
        base=_LOOK_UP.format(name="__looplaw_base", promises="nounwind"),
        enter=_LOOK_UP.format(name="__looplaw_enter", promises=_PROMISES),
        length=len(plan),
        plan=escaped,
        sizes=len(sizes),
        table=_constants(sizes),
        turns=len(groups),
        groups=_constants(groups),
        early="  %base = call ptr @__looplaw_base()\n" if early else "",
        words=layout.words,
        tables=len(known),
    )
    return text.replace("thread_local(generaldynamic)", "thread_local")


def _constants(numbers: Sequence[int]) -> str:
    """The elements of an array of words."""
    return "[" + ", ".join(f"i64 {n}" for n in numbers) + "]" if numbers else "zeroinitializer"


def with_constructor(text: str) -> str:
    """The module with one more constructor, which registers the unit."""
    entry = "{ i32, ptr, ptr } { i32 65535, ptr @__looplaw_announce, ptr null }"
    found = _CONSTRUCTORS.search(text)
    if found is None:
        return (
            f"{text}\n@llvm.global_ctors = appending global [1 x {{ i32, ptr, ptr }}] [{entry}]\n"
        )
    new = (
        f"@llvm.global_ctors = appending global [{int(found.group(1)) + 1} x {{ i32, ptr, ptr }}] "
        f"[{found.group(2)}, {entry}]"
    )
    return text[: found.start()] + new + text[found.end() :]


def without_promises(module: Module, lines: list[str]) -> tuple[list[str], str]:
    """Drop attributes by which functions promise not to write memory, since they count there now;
    those of other units, and those behind pointers, may count as well.

    Returns:
        The lines, and the new attribute groups that they refer to.
    """
    groups = {n: text for n, text in module.attributes.items() if _MEMORY.search(text)}
    if not groups:
        return lines, ""
    first = max(int(n[1:]) for n in module.attributes) + 1
    renamed = {n[1:]: str(first + k) for k, n in enumerate(groups)}
    result = list(lines)
    for function in module.functions.values():
        at = [function.line] if _may_count(function) else []
        at += [i.line for i in function.calls if _may_reach_counters(module, i)]
        for line in at:
            result[line] = _renumbered(result[line], renamed)
    return result, "".join(
        f"attributes #{renamed[n[1:]]} = {_without_memory(text)}\n" for n, text in groups.items()
    )


def _without_memory(group: str) -> str:
    """A group of attributes without what they say of memory; LLVM reads no empty group."""
    left = _MEMORY.sub("", group)
    return left if left.strip("{ }") else '{ "counted" }'


def _may_count(function: Function) -> bool:
    if function.is_declaration:
        return not function.name.startswith("llvm.") and library_function(function.name) is None
    return is_emitted(function)


def _may_reach_counters(module: Module, call: Instruction) -> bool:
    name = callee(call)
    if name is None:
        return call.operands[0] != "asm"
    return name in module.functions and _may_count(module.functions[name])


def _renumbered(line: str, names: Mapping[str, str]) -> str:
    return _GROUP.sub(lambda m: names.get(m.group(), m.group()), line)
