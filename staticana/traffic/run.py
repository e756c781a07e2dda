"""A nest at values of its parameters, ready to run piece by piece on a stack of lines."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from .access_tree import TreeNode
from .extents import extents
from .lru_stack import MAX_LINES, Stack
from .machine_code import LINE_BITS, Code, Plan, object_slot, row_slot
from .refusal import Refused


class Run:
    """Parameters, a stack for caches of `lines` (ascending) lines, and code that works on both.

    Raises:
        Refused: the nest touches more memory than can be simulated.
    """

    def __init__(
        self,
        body: Sequence[TreeNode],
        plan: Plan,
        code: Code,
        lines: Sequence[int],
        values: Mapping[str, int],
    ) -> None:
        self.body, self.plan, self.code, self.values = body, plan, code, dict(values)
        bases, self.span = _layout(body, values)
        self.stack = Stack(lines, self.span, len(plan.references), len(plan.counters))
        self.environment = np.zeros(max(1, len(plan.slots)), dtype=np.int64)
        self.set({**values, **bases})
        self._state = ctypes.addressof(self.stack.state)
        self._at = self.environment.ctypes.data

    def set(self, values: Mapping[str, float]) -> None:
        """Set the iteration numbers of loops, which are whole."""
        for name, value in values.items():
            if name in self.plan.slots:
                self.environment[self.plan.slots[name]] = int(value)

    def part(self, node: TreeNode, low: int, high: int) -> None:
        """Run iterations low .. high - 1 of a loop, or another part once.

        Raises:
            Refused: it touched what should not exist.
        """
        self.code.parts[node](self._state, self._at, low, high)
        if self.stack.state.outside:
            raise Refused("an address lies outside the range that was expected")

    def dirty(self) -> NDArray[np.int64]:
        """Written lines that are left in each cache."""
        found = np.zeros(len(self.stack.capacities), dtype=np.int64)
        self.code.dirty(self._state, found.ctypes.data)
        return found


def _layout(body: Sequence[TreeNode], values: Mapping[str, int]) -> tuple[dict[str, int], int]:
    """First line of each object, and the number of lines in all."""
    bases: dict[str, int] = {}
    at = 0
    for key, found in extents(body, values).items():
        lines = found.lines_of_row
        bases[object_slot(key)] = at - (found.first >> LINE_BITS) - found.first_row * lines
        bases[row_slot(key)] = lines
        at += found.lines
    if at > MAX_LINES:
        raise Refused("the program touches more memory than can be simulated")
    return bases, max(at, 1)
