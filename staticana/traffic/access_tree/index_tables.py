"""Tables of subscripts: which hold them in order, and the accesses that follow them.

A table is taken to be in order unless the program is seen to fill it otherwise: the numbers of
neighbours in meshes and matrices mostly are near (Kreutzer, Hager, Wellein, Fehske and Bishop,
SIAM J. Sci. Comput. 36, 2014, find factors near the least for the vector of sparse matrices).
"""

from __future__ import annotations

from dataclasses import replace

from ...expr import TooComplex, symbols
from ...ir.matchers import is_any, is_load, is_phi, is_select
from ...ir.types import Instruction, Operand
from ...scev.context import FunctionContext
from ..frames import Frame
from ..loops_around import loops_around
from .movement import jumps_of
from .nodes import AccessNode, TreeNode
from .objects import Objects, parameter_at

_ARITHMETIC = ("getelementptr", "sext", "zext", "trunc", "add", "sub", "mul", "shl", "bitcast")
_NEAR = 8
"""Subscripts that a table holds are in order if they move by so many from one to the next: what
they choose lies in the same lines, or in those beside them."""


class IndexTables:
    """The objects that a program fills, and whether it fills them in order."""

    def __init__(self, objects: Objects) -> None:
        self.objects = objects
        self._in_order: dict[str, bool] = {}  # object -> are all values stored there in order?

    def fill(
        self, frame: Frame, key: str, i: Instruction, loops: list[str], jumps: frozenset[str]
    ) -> None:
        """Note whether an object is filled in order: values go on by little from an iteration of
        the loop around to the next, and neither they nor their places by what only a run tells."""
        if i.is_call or jumps:
            self._in_order[key] = False
            return
        work, seen = [i.operands[0]], set[str]()
        while work:
            token = work.pop()
            if not isinstance(token, str) or token in seen:
                continue  # a constant, as tables are cleared with
            seen.add(token)
            made = frame.view.function.definitions.get(token)
            if is_select(made):
                work.extend(made.operands[1:])
            elif is_phi(made) and _is_join(frame.view, token):
                work.extend(made.operands)
            else:
                is_near = self._in_order.get(key, True) and self._is_near(frame, token, loops)
                self._in_order[key] = is_near

    def _is_near(self, frame: Frame, token: Operand, loops: list[str]) -> bool:
        """Does a value move by little in each iteration of the loop around, or not at all?"""
        e = frame.view.scalars.value(token).expr
        if jumps_of(frame, e, loops):
            return False
        try:
            e = frame.over_iterations(e, loops)
        except TooComplex:
            return False
        if not loops:
            return True
        line = e.affine_in(frame.view.variables.index(loops[0]))
        step = line[0].constant if line is not None else None
        return step is not None and abs(float(step)) <= _NEAR

    def behind(self, frame: Frame, token: Operand, loops: list[str]) -> frozenset[str] | None:
        """The objects, as far as they are known, whose values alone make an address jump; None
        where something else does."""
        found: set[str] = set()
        work: list[tuple[Frame, Operand, list[str]]] = [(frame, token, loops)]
        seen: set[tuple[int, Operand]] = set()
        while work:
            own, here, around = work.pop()
            view = own.view
            if (id(own), here) in seen:
                continue
            seen.add((id(own), here))
            if not jumps_of(own, view.scalars.value(here).expr, around):
                continue
            made = view.function.definitions.get(here) if isinstance(here, str) else None
            if made is None:
                at = parameter_at(view.function, here)
                if at is None or own.caller is None or own.call is None:
                    return None
                handed = own.call.operands[at + 1]
                work.append((own.caller, handed, loops_around(own.caller.view, own.block)))
            elif is_load(made):
                key, _ = self.objects.of(own, made.operands[0])
                if key is not None:
                    found.add(key)
            elif is_any(made, *_ARITHMETIC):
                work.extend((own, operand, around) for operand in made.operands)
            elif not (made.is_call and self._is_loaded(own, here, around)):
                return None
        return frozenset(found)

    @staticmethod
    def _is_loaded(frame: Frame, token: Operand, loops: list[str]) -> bool:
        """Is all that is strange in a value, as an accessor returns it, loaded from memory?"""
        view = frame.view
        try:
            e = frame.over_iterations(view.scalars.value(token).expr, loops)
        except TooComplex:
            return False
        strange = {s for h in loops for s in view.varying(e, h) if not symbols.is_iteration(s)}
        return all(s.startswith(symbols.LOADED) for s in strange)

    def followed(self, body: tuple[TreeNode, ...]) -> tuple[TreeNode, ...]:
        """The accesses whose subscripts tables hold in order follow them, in place of jumping."""
        random = frozenset(key for key, fine in self._in_order.items() if not fine)
        return _following(body, random)


def _following(body: tuple[TreeNode, ...], random: frozenset[str]) -> tuple[TreeNode, ...]:
    found: list[TreeNode] = []
    for node in body:
        if not isinstance(node, AccessNode):
            found.append(replace(node, body=_following(node.body, random)))
        elif node.jumps and node.tables is not None and not node.tables & random:
            found.append(replace(node, jumps=frozenset(), follows=node.jumps))
        else:
            found.append(node)
    return tuple(found)


def _is_join(view: FunctionContext, token: str) -> bool:
    """Does a phi join branches, other than those of a loop?"""
    return view.function.block_of.get(token) not in view.loops
