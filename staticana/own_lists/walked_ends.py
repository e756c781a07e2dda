"""Lists to whose ends programs walk for each new node.

    if (!head) head = q;
    else { for (p = head; p->next; p = p->next); p->next = q; }

The list that begins at `head` grows by one, and all that a program keeps of it is `head`. A list
whose nodes are put in front is as long at each time (see `tails`), and the walk, which is over
before, is along the list as it was: read as `q->next = head; ...; head = q`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..ir.data_layout import Layout
from ..ir.graph import block_around, callee, instructions, is_intrinsic
from ..ir.loop_info import LoopForest, loop_forest
from ..ir.matchers import is_any, is_branch, is_gep, is_icmp, is_load, is_phi, is_store
from ..ir.parser import edited
from ..ir.types import Function, Instruction, Module, Operand, quoted
from .append_sites import Key, address_key, made_of, null_stores
from .late_uses import appending_functions, late_use
from .lists import ZEROED
from .points_to import PointsTo
from .storage import touching


@dataclass(frozen=True)
class _Site:
    """A store of a new node behind the last one.

    made: the call that makes the node; link: the store; next: bytes from the start of a node to
    the pointer to the next one; test: the block that asks whether there is a node; head: the first
    one, in a register; merged: the phi of the first node from then on.
    """

    function: Function
    made: Instruction
    link: Instruction
    next: int
    test: str
    head: Operand
    merged: Instruction

    @property
    def cell(self) -> Key:
        """The pointer to the next node of the new one."""
        return Key(self.made.token, self.next)

    @property
    def joins(self) -> frozenset[tuple[str, str]]:
        """The edges on which the node has just been appended."""
        join = self.function.block_of[self.merged.token]
        return frozenset((label, join) for label in self.merged.labels)


def with_walked_ends_in_front(points: PointsTo) -> tuple[Module, int]:
    """The program in which nodes that are stored behind the last one, after a walk, are put in
    front, and how many classes of nodes that concerns; none where more is done with the lists than
    is understood."""
    by_class: dict[int, list[_Site]] = {}
    for f in points.functions.values():
        for i in instructions(f) if f.calls else ():
            site = _site(f, i, points) if is_store(i) and i.type == "ptr" else None
            if site is not None:
                storage = points.classes.found(points.pointer(f, site.made.token)).storage
                by_class.setdefault(id(storage), []).append(site)
    good = [s[0] for s in by_class.values() if len(s) == 1 and _is_understood(points, s[0])]
    return (_in_front(points.module, good), len(good)) if good else (points.module, 0)


# -- the shape
def _site(f: Function, link: Instruction, points: PointsTo) -> _Site | None:
    """The site that a store is."""
    made = made_of(f, link)
    if made is None:
        return None
    cell = address_key(f, link.operands[1], points.layout)
    merged = next((u for u in f.users.get(made.token, ()) if is_phi(u)), None)
    if merged is None or not isinstance(cell.root, str):
        return None
    heads = {o for o in merged.operands if o != made.token}
    head = heads.pop() if len(heads) == 1 else None
    forest = loop_forest(f, points.module)
    if head is None or forest.irreducible:
        return None
    test = _test_of(f, head, merged, forest, made)
    if test is None or not _is_last_of(f, cell, head, link, forest, points.layout):
        return None
    site = _Site(f, made, link, cell.at, test, head, merged)
    return site if _is_on_one_way(site, forest) else None


def _test_of(
    f: Function, head: Operand, merged: Instruction, forest: LoopForest, made: Instruction
) -> str | None:
    """The block that asks whether a list is empty, and from which the new node is the first one if
    it is; once for each new node."""
    for user in f.users.get(head, ()):
        null_side = _null_side(f, user, head)
        if null_side is None:
            continue
        block = block_around(f, user)
        firsts = [b for o, b in zip(merged.operands, merged.labels, strict=True) if o == made.token]
        is_alone = set(f.predecessors[null_side]) == {block}
        is_first = firsts == [block] or (
            is_alone and all(forest.dominates(null_side, b) for b in firsts)
        )
        around = {
            forest.innermost.get(b)
            for b in (block, f.block_of[made.token], f.block_of[merged.token])
        }
        if is_first and len(around) == 1 and forest.dominates(f.block_of[made.token], block):
            return block
    return None


def _null_side(f: Function, test: Instruction, value: Operand) -> str | None:
    """Where control goes when a value is null, if a block ends with that question."""
    if not is_icmp(test) or set(test.operands) != {value, "null"}:
        return None
    branch = f.blocks[block_around(f, test)].terminator
    if not is_branch(branch) or branch.operands[:1] != (test.token,):
        return None
    if test.extra[0] not in ("eq", "ne") or len(set(branch.labels)) != 2:
        return None
    return branch.labels[test.extra[0] == "ne"]


def _is_last_of(
    f: Function, cell: Key, head: Operand, link: Instruction, forest: LoopForest, layout: Layout
) -> bool:
    """Is a cell the pointer to the next node of the last one: of a node that a walk from `head` has
    come to, and null, as was asked right before?"""
    web: set[object] = set()
    work: list[object] = [cell.root]
    while work:
        o = work.pop()
        if o in web or o == head:
            continue
        web.add(o)
        i = f.definitions.get(o)  # type: ignore[call-overload]
        if is_phi(i):
            work += i.operands
        elif is_load(i) and address_key(f, i.operands[0], layout).at == cell.at:
            work.append(address_key(f, i.operands[0], layout).root)
        else:
            return False
    at = block_around(f, link)
    for load in instructions(f):
        if not is_load(load) or not _is_same(f, address_key(f, load.operands[0], layout), cell):
            continue
        for user in f.users.get(load.token, ()):
            side = _null_side(f, user, load.token)
            if side is None or len(f.predecessors[side]) != 1 or not forest.dominates(side, at):
                continue
            if forest.innermost.get(side) == forest.innermost.get(at):
                return True
    return False


def _is_same(f: Function, one: Key, other: Key) -> bool:
    """Are two cells the same, one of them through a phi behind the loop of the other?"""
    i = f.definitions.get(other.root) if isinstance(other.root, str) else None
    behind = i.operands[0] if is_phi(i) and len(i.operands) == 1 else None
    return one.at == other.at and one.root in (other.root, behind)


def _is_on_one_way(s: _Site, forest: LoopForest) -> bool:
    """Does each way from the test to the join either store behind the last node, or leave the new
    node the first; with nothing else done on it than walking?"""
    f, join = s.function, s.function.block_of[s.merged.token]
    at = block_around(f, s.link)
    seen: set[tuple[str, bool]] = set()
    work = [(b, False) for b in f.blocks[s.test].successors]
    edges = [(s.test, b, False) for b in f.blocks[s.test].successors]
    while work or edges:
        while edges:
            source, target, is_stored = edges.pop()
            if target == join:
                o = s.merged.operands[s.merged.labels.index(source)]
                if (o == s.head) != is_stored:
                    return False
            elif target == s.test or not f.blocks[target].successors:
                return False
            elif (target, is_stored) not in seen:
                seen.add((target, is_stored))
                work.append((target, is_stored))
        if not work:
            break
        name, is_stored = work.pop()
        if name == join:
            continue
        if not all(_only_walks(i) or i is s.link for i in f.blocks[name].instructions):
            return False
        stored = is_stored or name == at
        if is_stored and name == at:
            return False
        edges += [(name, b, stored) for b in f.blocks[name].successors]
    return forest.dominates(s.test, join)


def _only_walks(i: Instruction) -> bool:
    """Does an instruction neither write nor call?"""
    return is_any(i, "phi", "load", "getelementptr", "icmp", "br") or is_intrinsic(i)


# -- all that is done
def _is_understood(points: PointsTo, s: _Site) -> bool:
    """Is the list kept in a register alone, and are no pointers into it used after a node has been
    appended?"""
    made = points.classes.found(points.pointer(s.function, s.made.token))
    storage = made.storage
    cell = storage.member(made.offset + s.next)
    if not storage.is_plain or storage.arrays or len(storage.makers) != 1:
        return False
    forest = loop_forest(s.function, points.module)
    ends = list(null_stores(s.function, s.cell, points.layout))
    is_ended = (
        any(forest.dominates(block_around(s.function, i), s.test) for i in ends)
        or callee(s.made) == ZEROED
    )
    known = {id(s.link), *map(id, ends)}
    for holder in points.storages():
        for at, p in holder.contents.items():
            if points.classes.found(p).storage is not storage:
                continue
            if holder is not storage or holder.member(at) != cell:
                return False
            for a in touching(holder, at):
                if not a.is_pointer or not (is_load(a.instruction) or id(a.instruction) in known):
                    return False
    return (
        is_ended
        and _is_new_used_well(s, points.layout)
        and not _is_used_late(points, s, made.storage)
    )


def _is_new_used_well(s: _Site, layout: Layout) -> bool:
    """Is the new node only written to and appended?"""
    f = s.function
    work: list[Instruction] = [s.made]
    while work:
        value = work.pop()
        for user in f.users.get(value.token, ()):
            if is_gep(user):
                work.append(user)
                continue
            is_written = is_store(user) and user.operands[0] != value.token
            is_data = is_load(user) and address_key(f, value.token, layout).at != s.next
            is_null_test = is_icmp(user) and "null" in user.operands
            if user not in (s.link, s.merged) and not (is_written or is_data or is_null_test):
                return False
            if user in (s.link, s.merged) and value is not s.made:
                return False
    return True


def _is_used_late(points: PointsTo, s: _Site, storage: object) -> bool:
    """May a pointer to a node be used after another one has been appended?"""
    appending = appending_functions(points, (s.function.name,))
    for f in points.functions.values():
        joins: Iterable[tuple[str, str]] = s.joins if f is s.function else ()
        values = [*(p.token for p in f.parameters), *(i.token for i in instructions(f))]
        for o in values:
            if not points.is_pointer(f, o) or (f is s.function and o == s.made.token):
                continue
            root = address_key(f, o, points.layout).root
            is_own = f is s.function and root == s.made.token
            if is_own or points.classes.found(points.pointer(f, o)).storage is not storage:
                continue
            if late_use(f, o, frozenset(joins), appending, merged={id(s.merged)}):
                return True
    return False


def _in_front(module: Module, sites: Iterable[_Site]) -> Module:
    """The module in which the nodes of sites are put in front of their lists."""
    lines, layout = module.text.split("\n"), Layout(module)
    for k, s in enumerate(sites):
        name = f"%looplaw.walked{k}"
        for i in null_stores(s.function, s.cell, layout):
            lines[i.line] = ""
        lines[s.link.line] = ""
        end = s.function.blocks[s.test].terminator.line
        lines[end] = "\n".join(
            (
                f"  {name} = getelementptr i8, ptr {s.made.token}, i64 {s.next}",
                f"  store ptr {s.head}, ptr {name}",
                lines[end],
            )
        )
        for label in s.merged.labels:
            old = f"[ {s.head}, %{quoted(label)} ]"
            new = f"[ {s.made.token}, %{quoted(label)} ]"
            lines[s.merged.line] = lines[s.merged.line].replace(old, new)
    return edited(module, "\n".join(lines))
