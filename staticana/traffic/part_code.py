"""Code that runs all accesses of a nest in the order of the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .access_tree import AccessNode, Guard, LoopNode, TreeNode
from .lru_stack import I64, Fields
from .machine_code import LINE, Code, CodeModule, FunctionCode, Plan, strided


def compiled(body: Sequence[TreeNode], plan: Plan) -> Code:
    """Code for every part of a nest, which runs all its accesses.

    Raises:
        Refused: a formula has a shape that is not evaluated.
    """
    module = CodeModule(plan)

    def build(nodes: Sequence[TreeNode]) -> None:
        for node in nodes:
            if not isinstance(node, AccessNode):
                build(node.body)
            PartCode(module, node).build(node)

    build(body)
    return module.finish()


class PartCode(FunctionCode):
    """All accesses of a part of a nest, in the order of the program."""

    def build(self, node: TreeNode) -> None:
        if isinstance(node, LoopNode):
            self._loop(node)
        else:
            self._part(node)
        self.finish()

    def _part(self, node: TreeNode) -> None:
        if isinstance(node, AccessNode):
            self.access(node)
        elif isinstance(node, Guard):
            with self.b.if_then(self.holds(node)):
                self._count(node, I64(1))
                for part in node.body:
                    self._inner(part)
        else:
            raise AssertionError(node)

    def _inner(self, node: TreeNode) -> None:
        """A part of a body: loops are functions of their own."""
        if not isinstance(node, LoopNode):
            self._part(node)
            return
        trips = self.value(node.trips)
        self.b.call(self.parent.functions[node], [self.state, self.environment, I64(0), trips])

    def _count(self, node: TreeNode, number: Any) -> None:
        at = Fields(self.b, self.state).element("counts", I64(self.parent.plan.counters[node]))
        self.b.store(self.b.add(self.b.load(at, typ=I64), number), at)

    # -- loops
    def _loop(self, node: LoopNode) -> None:
        b = self.b
        count = b.sub(self.end, self.first)
        is_empty = b.icmp_signed("<=", count, I64(0))
        with b.if_then(is_empty):
            b.ret_void()
        self._count(node, count)
        is_inner = all(isinstance(n, AccessNode) for n in node.body)
        step = self._step(node) if is_inner else I64(1)
        at = b.gep(self.environment, [I64(self.parent.plan.slots[node.index])], source_etype=I64)
        with strided(b, self.first, self.end, step) as k:
            self.values[node.index] = k
            if not is_inner:
                b.store(k, at)
            for part in node.body:
                self._inner(part)

    def _step(self, node: LoopNode) -> Any:
        """Iterations in which no reference passes over a line."""
        b = self.b
        largest: Any = I64(1)
        for part in node.body:
            assert isinstance(part, AccessNode)
            own = part.place.step(node.index)
            if own is None or part.place.spread is not None:
                return I64(1)
            step = self.value(own)
            step = b.select(b.icmp_signed("<", step, I64(0)), b.neg(step), step)
            largest = b.select(b.icmp_signed(">", step, largest), step, largest)
        found = b.sdiv(I64(LINE), largest)
        return b.select(b.icmp_signed("<", found, I64(1)), I64(1), found)
