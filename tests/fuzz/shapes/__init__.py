"""The shapes of loops that random C functions have, by name. Each loop stands on a line of its own
that ends in its brace and a comment naming its shape."""

from __future__ import annotations

from collections.abc import Callable

from ..writer import Lines, Scope, Writer
from . import counted, functions, memory

SHAPES: dict[str, Callable[[Writer, Scope], Lines]] = {
    "up_plain": counted.up_plain,
    "up": counted.up,
    "down": counted.down,
    "geometric": counted.geometric,
    "geometric_twice": counted.geometric_twice,
    "conditions": counted.conditions,
    "halving": counted.halving,
    "meet": counted.meet,
    "do_while": counted.do_while,
    "not_equal": counted.not_equal,
    "parametric_step": counted.parametric_step,
    "tiled": counted.tiled,
    "square": counted.square,
    "while_updates": counted.while_updates,
    "multi_exit": counted.multi_exit,
    "unsigned": counted.unsigned,
    "narrow": counted.narrow,
    "wide": counted.wide,
    "float": counted.floating,
    "accumulated": counted.accumulated,
    "moving_bound": counted.moving_bound,
    "data": memory.data,
    "chosen": memory.chosen,
    "switch_in_loop": memory.switch_in_loop,
    "member": memory.member,
    "local_member": memory.local_member,
    "global": memory.global_variable,
    "element": memory.element,
    "rows": memory.rows,
    "by_reference": memory.by_reference,
    "pointer_pointer": memory.pointer_pointer,
    "calls": functions.call,
    "early_return": functions.early_return,
    "recursion": functions.recursion,
    "function_pointer": functions.function_pointer,
    "range_recursion": functions.range_recursion,
    "over_range": functions.over_range,
    "branching": functions.branching,
    "fibonacci": functions.fibonacci,
    "harmonic": functions.harmonic,
    "read_first": memory.read_first,
    "by_value": functions.by_value,
    "static_local": memory.static_local,
    "walk": memory.walk,
    "both_tests": counted.both_tests,
    "jump": counted.jump,
    "answers": functions.answers,
    "marked": counted.marked,
    "chain": memory.chain,
}
