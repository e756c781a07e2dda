"""Worksharing loops of a parallel region: thread 0 runs all iterations, or one thread its part."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...ir.graph import callee
from ...ir.loop_info import NESTED_IN, SHARED_LOOP, Loop, LoopForest
from ...ir.matchers import is_any, is_icmp, is_load, is_phi, is_store
from ...ir.types import Function, Instruction, IntLiteral, Operand, Register, quoted
from .regions import Edits

_OFFSET = "looplaw.offset."
_KIND = {"4": "i32", "4u": "i32", "8": "i64", "8u": "i64"}
_SCHEDULE = (1 << 29) - 1  # without the bits of modifiers (kmp.h, sched_type)
_BEHIND = re.compile(r"omp\.precond\.end|.*\.exit\d*$")
"""Where control goes on behind a worksharing loop: also where its function was inlined."""
_CHUNKED = (33, 65)  # static with a chunk size, and the same, ordered


@dataclass
class Worksharing(Edits):
    """Rewrites the calls by which threads ask for their share of a loop."""

    def shared_loops(self, function: Function, forest: LoopForest) -> list[Loop]:
        """The worksharing loops of a region."""
        found = []
        for b in function.blocks.values():
            for i in b.instructions:
                name = (callee(i) or "") if i.is_call else ""
                if name.startswith("__kmpc_for_static_init_"):
                    lower = i.operands[5]
                elif name.startswith("__kmpc_dispatch_next_"):
                    lower = i.operands[4]
                else:
                    continue
                loop = self._starting_at(function, forest, lower, b.name)
                if loop is not None:
                    found.append(loop)
        return found

    def unguarded(self, function: Function, forest: LoopForest, block: str, called: str) -> None:
        """Drop the test for an empty loop where the loop's own says the same: with signed bounds N
        = (end - start) / s is not positive then, and Max(0, N) reads better. A test of several
        loops, collapsed into one, is needed."""
        if called.endswith("u") or not block.startswith("omp.precond.then"):
            return
        above = function.blocks.get(forest.dominator.get(block, ""))
        if (
            above is not None
            and len(above.successors) == 2
            and above.successors[0] == block
            and len(function.predecessors[above.successors[1]]) == 2
            and _BEHIND.match(above.successors[1])
            and not function.blocks[above.successors[1]].phis
        ):
            self.replace(above.terminator, f"br label %{quoted(block)}")

    def static(
        self, function: Function, forest: LoopForest, block: str, i: Instruction, tid: str
    ) -> None:
        """Bounds stay those of the whole loop; threads other than 0 pass the loop by."""
        called, last, lower = callee(i) or "", i.operands[4], i.operands[5]
        shared = self._starting_at(function, forest, lower, block)
        if shared is None or shared.preheader is None:
            return
        if not _adds_up(function, shared, (lower, i.operands[6])):
            return
        entering = function.blocks[shared.preheader].terminator
        leaves = [e for e in shared.exits if e.source == shared.header]
        schedule = i.operands[3]
        if len(leaves) != 1 or len(entering.labels) != 1 or not isinstance(schedule, IntLiteral):
            return
        chunks = None
        if schedule.value & _SCHEDULE in _CHUNKED:
            chunks = forest.by_header().get(shared.parent or "")
            if (
                chunks is None
                or block in chunks.blocks
                or not self._once(function, chunks.header, forest)
            ):
                return
        slot = f"%looplaw.first.{i.line}"
        self.replace(
            i,
            f"{slot}.t = load i32, ptr {tid}",
            f"{slot} = icmp eq i32 {slot}.t, 0",
            f"{slot}.last = zext i1 {slot} to i32",
            f"store i32 {slot}.last, ptr {last}",
            *self._share(
                slot,
                self.members(function)[1],
                _KIND[called[-2:].lstrip("_")],
                lower,
                i.operands[6],
            ),
        )
        self._mark(function, shared)
        self._shift(function, shared)
        self._within(function, i.operands[6])
        if chunks is not None:  # the test of the first chunk lets thread 0 in
            test = function.blocks[chunks.exits[0].source].terminator
            inside = [quoted(label) for label in test.labels if label != chunks.exits[0].target]
            self.replace(
                test, f"br i1 {slot}, label %{inside[0]}, label %{quoted(chunks.exits[0].target)}"
            )
            return
        target = leaves[0].target
        self.replace(
            entering, f"br i1 {slot}, label %{quoted(shared.header)}, label %{quoted(target)}"
        )
        for phi in function.blocks[target].phis:
            self.add_incoming(phi, "poison", shared.preheader)

    def dynamic(
        self, function: Function, forest: LoopForest, block: str, i: Instruction, tid: str
    ) -> None:
        """Thread 0 is handed one chunk, the whole loop."""
        following = [
            (d.line, d)
            for d in function.definitions.values()
            if d.line > i.line and (callee(d) or "").startswith("__kmpc_dispatch_next_")
        ]
        if not following:
            return
        ask = min(following, key=lambda pair: pair[0])[1]
        if not self._once(function, function.block_of[ask.token], forest):
            return
        last, lower, upper = ask.operands[3:6]
        whole = self._starting_at(function, forest, lower, block)
        if whole is not None and not _adds_up(function, whole, (lower, upper)):
            return
        kind = i.extra[3]
        self.replace(
            i,
            f"store {kind} {i.operands[4]}, ptr {lower}",
            f"store {kind} {i.operands[5]}, ptr {upper}",
            *self._share(f"%looplaw.share.{i.line}", self.members(function)[1], kind, lower, upper),
        )
        shared = self._starting_at(function, forest, lower, block)
        if shared is not None:
            self._mark(function, shared)
            self._shift(function, shared)
        slot = f"%looplaw.first.{ask.line}"
        self.only_first(
            function,
            ask,
            tid,
            f"{slot}.last = zext i1 {slot} to i32",
            f"store i32 {slot}.last, ptr {last}",
        )

    def _share(self, slot: str, team: str, kind: str, lower: str, upper: str) -> list[str]:
        """The length of one thread's part of the shared iterations."""
        if not self.one_thread:
            return []
        self.declared[_OFFSET + kind] = kind
        return [
            f"{slot}.p32 = load i32, ptr {team}",
            (
                f"{slot}.p = {'sext' if kind == 'i64' else 'add'} i32"
                f" {slot}.p32{' to i64' if kind == 'i64' else ', 0'}"
            ),
            f"{slot}.lb = load {kind}, ptr {lower}",
            f"{slot}.ub = load {kind}, ptr {upper}",
            f"{slot}.span = sub nsw {kind} {slot}.ub, {slot}.lb",
            f"{slot}.more = add nsw {kind} {slot}.span, {slot}.p",
            f"{slot}.n = sdiv {kind} {slot}.more, {slot}.p",
            f"{slot}.end = add nsw {kind} {slot}.lb, {slot}.n",
            f"{slot}.to = sub nsw {kind} {slot}.end, 1",
            f"store {kind} {slot}.to, ptr {upper}",
        ]

    def _shift(self, function: Function, shared: Loop) -> None:
        """The body sees the loop's variable plus an offset without a value."""
        header = function.blocks[shared.header]
        bodies = [s for s in header.successors if s in shared.blocks]
        counters = [p for p in header.phis if p.type in ("i32", "i64")]
        if not self.one_thread:
            return
        if (
            len(bodies) != 1
            or bodies[0] == shared.header
            or function.predecessors[bodies[0]] != (shared.header,)
        ):
            # a loop that an optimiser has turned around: the depth is not derived from it
            self.is_whole = False
            return
        for phi in counters:
            self.declared[_OFFSET + phi.type] = phi.type
            updates = {
                o
                for o, label in zip(phi.operands, phi.labels, strict=True)
                if label in shared.blocks
            }
            name = f"%looplaw.shifted.{phi.line}"
            uses = re.compile(rf"{re.escape(phi.token)}(?![-a-zA-Z$._0-9])")
            for b in function.blocks.values():
                if b.name in shared.blocks and b is not header:
                    for i in b.instructions:
                        if i.token not in updates and phi.token in i.operands:
                            self.lines[i.line] = uses.sub(name, self.lines[i.line])
            self.lines[function.blocks[bodies[0]].line] += (
                f"\n  {name}.x = call {phi.type} @{_OFFSET}{phi.type}()\n"
                f"  {name} = add nsw {phi.type} {phi.token}, {name}.x"
            )

    def _within(self, function: Function, upper: str) -> None:
        """The runtime's upper bound is not above the loop's."""
        loads = {
            d.token for d in function.definitions.values() if is_load(d) and d.operands[0] == upper
        }
        for test in function.definitions.values():
            if is_icmp(test) and test.operands[0] in loads and test.extra[0] in ("sgt", "ugt"):
                self.replace(test, f"{test.token} = icmp ne i32 0, 0")

    @staticmethod
    def _starting_at(function: Function, forest: LoopForest, lower: str, block: str) -> Loop | None:
        """The worksharing loop: its variable starts at the value behind `lower`. There are two, one
        for each outcome of an `if` clause of `simd`: it is the one that `block` leads to."""
        loads = {
            d.token for d in function.definitions.values() if is_load(d) and d.operands[0] == lower
        }
        return next(
            (
                loop
                for loop in forest.loops
                for p in function.blocks[loop.header].phis
                if any(o in loads for o in p.operands) and forest.dominates(block, loop.header)
            ),
            None,
        )

    def _mark(self, function: Function, shared: Loop) -> None:
        """Once its bounds are its own, only a mark tells that it is a worksharing loop (see
        `loops`)."""
        for latch in shared.latches:
            back = function.blocks[latch].terminator
            kept = [
                f", {o}"
                for o in self.module.metadata_operands(back.loop)
                if NESTED_IN in self.module.metadata.get(o, "")
            ]
            self.lines[back.line] = (
                f"{self.lines[back.line].partition(', !llvm.loop')[0]}, !llvm.loop !{self.free}"
            )
            self.helpers.append(
                f"!{self.free} = distinct !{{!{self.free}, !{self.free + 1}{''.join(kept)}}}\n"
                f'!{self.free + 1} = !{{!"{SHARED_LOOP}"}}'
            )
            self.free += 2

    def _once(self, function: Function, header: str, forest: LoopForest) -> bool:
        """Cut the way back of the loop over chunks; False where it does not look as clang writes
        it."""
        loop = forest.by_header().get(header)
        if loop is None or loop.latch is None:
            return False
        back = function.blocks[loop.latch].terminator
        leaves = [e.target for e in loop.exits]
        if len(leaves) != 1 or len(back.labels) != 1:
            return False
        left_with: dict[
            Operand, Operand
        ] = {  # what a variable of the loop over chunks is after the only one
            phi.token: phi.operands[phi.labels.index(loop.latch)]
            for phi in function.blocks[header].phis
        }
        leaving = loop.exits[0].source
        out = {
            phi.token: phi.operands[phi.labels.index(leaving)]
            for phi in function.blocks[leaves[0]].phis
        }
        inner = loop.blocks - {header}
        values = [v for v in out.values() if isinstance(v, Register) and v not in left_with]
        if any(function.block_of.get(v) in inner for v in values):
            return False
        self.replace(back, f"br label %{quoted(leaves[0])}")
        for phi in function.blocks[header].phis:
            pairs = [
                (o, label)
                for o, label in zip(phi.operands, phi.labels, strict=True)
                if label != loop.latch
            ]
            incoming = ", ".join(f"[ {o}, %{quoted(label)} ]" for o, label in pairs)
            self.replace(phi, f"{phi.token} = phi {phi.type} {incoming}")
        for phi in function.blocks[leaves[0]].phis:
            value = out[phi.token]
            self.add_incoming(phi, left_with.get(value, value), loop.latch)
        return True


def _grows_by_one(function: Function, loop: Loop, phi: Instruction) -> bool:
    """Is a variable of a loop one more in each iteration?"""
    inside = (
        function.definitions.get(o)
        for o, label in zip(phi.operands, phi.labels, strict=True)
        if label in loop.blocks
    )
    return all(
        is_any(i, "add")
        and i.operands[0] == phi.token
        and isinstance(by := i.operands[1], IntLiteral)
        and by.value == 1
        for i in inside
    )


_CLAMPS = ("llvm.smin.", "llvm.umin.", "llvm.smax.", "llvm.umax.")
_KEPT = ("sext", "zext", "freeze", "phi", "select")


def _adds_up(function: Function, shared: Loop, bounds: tuple[Operand, ...]) -> bool:
    """Do the iterations of the threads' parts add up to those of the whole loop? Not where a part
    decides by its length what runs, as a loop that was vectorised or unrolled does: the bounds are
    compared, and what the loop's variable starts with, which grows by one."""
    loads = [d for d in function.definitions.values() if is_load(d) and d.operands[0] in bounds]
    first = {d.token for d in loads if d.operands[0] == bounds[0]}
    for phi in function.blocks[shared.header].phis:
        if not first.isdisjoint(phi.operands) and not _grows_by_one(function, shared, phi):
            return False
    seen = {d.token for d in loads}
    work = [d.token for d in loads]
    while work:
        for user in function.users.get(work.pop(), ()):
            if is_any(user, "icmp", "store") or user.token in seen:
                continue
            if is_phi(user) and function.block_of[user.token] == shared.header:
                continue  # the loop's variable
            is_shifted = is_any(user, "add") and any(
                isinstance(o, IntLiteral) for o in user.operands
            )
            is_clamp = user.is_call and (callee(user) or "").startswith(_CLAMPS)
            if is_any(user, *_KEPT) or is_shifted or is_clamp:
                seen.add(user.token)
                work.append(user.token)
            elif any(not is_store(u) for u in function.users.get(user.token, ())):
                return False
    return True
