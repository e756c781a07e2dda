"""Lists that are made from front to back by a pointer to where the next node goes.

    struct node **end = &head;                    struct node first, *last = &first;
    while (...) { *end = q; end = &q->next; }     while (...) { last->next = q; last = q; }

The cell that a node is stored to is one variable, or the pointer to the next node of the node that
was stored last: each cell is written once, so that no node is lost, and the list that begins in the
variable grows by one. A list whose nodes are put in front of that variable is as long at each time
(see `tails`), so the store is read as `q->next = head; head = q`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ..ir.data_layout import Layout
from ..ir.graph import block_around, callee, instructions
from ..ir.loop_info import LoopForest, loop_forest
from ..ir.matchers import is_alloca, is_any, is_gep, is_icmp, is_load, is_phi, is_store
from ..ir.parser import edited
from ..ir.types import Function, Instruction, Module, Operand, Register, quoted
from .append_sites import Key, address_key, is_note, made_of, null_stores
from .late_uses import appending_functions, late_use
from .lists import ZEROED
from .points_to import PointsTo
from .storage import Storage, touching


@dataclass(frozen=True)
class _Site:
    """A store of a new node to a cell that moves on.

    made: the call that makes the node; store: the one to the cell; cells: the phis that hold its
    address, or that of the node around it, with the bytes from there to the cell; first: the
    variable in which the list begins, as an address key; next: bytes from the start of what is made
    to the pointer to the next node.
    """

    function: Function
    made: Instruction
    store: Instruction
    cells: Mapping[Operand, int]
    first: Key
    next: int

    @property
    def cell(self) -> Key:
        """The pointer to the next node of the new one."""
        return Key(self.made.token, self.next)


def with_moving_cells_in_front(points: PointsTo) -> tuple[Module, int]:
    """The program in which nodes that are stored to moving cells are put in front, and how many
    classes of nodes that concerns; none where more is done with the lists than is understood."""
    by_class: dict[int, list[_Site]] = {}
    for f in points.functions.values():
        for i in instructions(f) if f.calls else ():
            site = _site(f, i, points.layout) if is_store(i) and i.type == "ptr" else None
            if site is not None:
                storage = points.classes.found(points.pointer(f, site.made.token)).storage
                by_class.setdefault(id(storage), []).append(site)
    good = [sites for sites in by_class.values() if _Filled(points, sites).is_understood]
    if not good:
        return points.module, 0
    return _in_front(points.module, [s for sites in good for s in sites]), len(good)


def _site(f: Function, store: Instruction, layout: Layout) -> _Site | None:
    """The site that a store is, by the addresses that it may go to."""
    made = made_of(f, store)
    if made is None:
        return None
    start = address_key(f, store.operands[1], layout)
    cells: dict[Operand, int] = {}
    work, firsts, nexts = [start], set[Key](), set[int]()
    while work:
        key = work.pop()
        i = f.definitions.get(key.root) if isinstance(key.root, Register) else None
        if i is made:
            nexts.add(key.at)
        elif is_alloca(i):
            firsts.add(key)
        elif is_phi(i):
            if cells.setdefault(i.token, key.at) != key.at:
                return None
            above = [address_key(f, o, layout) for o in i.operands]
            moved = [Key(a.root, a.at + key.at) for a in above]
            work += [k for k in moved if (k.root, k.at) not in cells.items()]
        else:
            return None
    if not cells or len(firsts) != 1 or len(nexts) != 1:
        return None
    return _Site(f, made, store, cells, firsts.pop(), nexts.pop())


class _Filled:
    """The lists of one class of nodes, all of whose nodes are stored to moving cells."""

    def __init__(self, points: PointsTo, sites: list[_Site]) -> None:
        self._points, self._sites = points, sites
        self._appends = frozenset(id(s.store) for s in sites)
        made = points.classes.found(points.pointer(sites[0].function, sites[0].made.token))
        self._storage: Storage = made.storage
        self._next = made.storage.member(made.offset + sites[0].next)
        self._firsts = {(s.function.name, s.first) for s in sites}
        self.is_understood = (
            len({(s.function.name, s.made.token) for s in sites}) == len(sites)
            and len(self._firsts) == len(sites)
            and not (self._storage.escapes or self._storage.step or self._storage.arrays)
            and len(self._storage.makers) == len(sites)
            and all(map(self._moves_on, sites))
            and all(map(self._is_ended, sites))
            and self._stores_are_known()
            and self._uses_are_known()
        )

    # -- one site
    def _moves_on(self, s: _Site) -> bool:
        """Does the store always go to the last cell of the list that begins in the variable?

        Forward, for each block and whether the variable is null: the registers that hold the
        address of such a cell wherever control comes from, the new node among them once it is
        stored.
        """
        f, block = s.function, block_around(s.function, s.store)
        forest = loop_forest(f, self._points.module)
        if forest.irreducible or not self._is_made_anew(s, forest, block):
            return False
        known: dict[tuple[str, bool], frozenset[Operand]] = {(f.entry.name, False): frozenset()}
        work = [(f.entry.name, False)]
        while work:
            name, is_null = work.pop()
            cells = known[name, is_null]
            for i in f.blocks[name].instructions:
                if i is s.made:
                    cells -= {i.token}
                elif i is s.store:
                    if address_key(f, i.operands[1], self._points.layout).root not in cells:
                        return False
                    cells, is_null = frozenset((s.made.token,)), False
                elif self._resets(s, i):
                    cells, is_null = frozenset(), True
            for successor in f.blocks[name].successors:
                phis = f.blocks[successor].phis
                last = {p.token for p in phis if self._is_last(s, p, name, cells, is_null=is_null)}
                moved = frozenset(last) | (cells - {p.token for p in phis})
                before = known.get((successor, is_null))
                if before is None or not before <= moved:
                    known[successor, is_null] = moved if before is None else before & moved
                    work.append((successor, is_null))
        return True

    def _is_last(
        self, s: _Site, phi: Instruction, label: str, cells: Collection[Operand], *, is_null: bool
    ) -> bool:
        """Does a phi hold the address of the last cell, where control comes from a block?"""
        if phi.token not in s.cells:
            return False
        o = phi.operands[phi.labels.index(label)]
        root = address_key(s.function, o, self._points.layout).root
        return root in cells or (root == s.first.root and is_null)

    @staticmethod
    def _is_made_anew(s: _Site, forest: LoopForest, block: str) -> bool:
        """Is the node a new one each time that it is stored?"""
        at = s.function.block_of[s.made.token]
        if forest.innermost.get(at) != forest.innermost.get(block):
            return False
        if at != block:
            return forest.dominates(at, block)
        return s.made.line < s.store.line

    def _resets(self, s: _Site, i: Instruction) -> bool:
        """Does an instruction set the variable to null, in which the list begins?"""
        return (
            is_store(i)
            and i.operands[0] == "null"
            and address_key(s.function, i.operands[1], self._points.layout) == s.first
        )

    def _is_ended(self, s: _Site) -> bool:
        """Is the next node of a new one null when it is stored, or before a call after that?"""
        if callee(s.made) == ZEROED:
            return True
        block = block_around(s.function, s.store)
        forest = loop_forest(s.function, self._points.module)
        for i in null_stores(s.function, s.cell, self._points.layout):
            there = block_around(s.function, i)
            if there != block:
                if forest.dominates(there, block):
                    return True
                continue
            low, high = sorted((i.line, s.store.line))
            between = (x for x in s.function.blocks[block].instructions if low < x.line < high)
            if not any(x.is_call or is_load(x) for x in between):
                return True
        return False

    # -- all that is done
    def _stores_are_known(self) -> bool:
        """Does nothing else write a pointer to a node?"""
        known = self._appends | {
            id(i) for s in self._sites for i in null_stores(s.function, s.cell, self._points.layout)
        }
        for s in self._points.storages():
            for at, p in s.contents.items():
                if self._points.classes.found(p).storage is not self._storage:
                    continue
                is_next = s is self._storage and s.member(at) == self._next
                if s.escapes:
                    return False
                for a in touching(s, at):
                    i = a.instruction
                    if is_load(i) and a.is_pointer:
                        continue
                    is_known = id(i) in known or any(
                        a.function is site.function and self._resets(site, i)
                        for site in self._sites
                    )
                    if not (a.is_pointer and is_known):
                        return False
                if not is_next and not self._is_first(s):
                    return False
        return True

    def _is_first(self, storage: Storage) -> bool:
        """Is it the storage of the variable in which a list begins?"""
        for s in self._sites:
            p = self._points.pointer(s.function, s.first.root)  # type: ignore[arg-type]
            if self._points.classes.found(p).storage is storage:
                return True
        return False

    def _uses_are_known(self) -> bool:
        """Are cells used for nothing else, and no pointers to nodes after another one has been
        stored?"""
        appending = appending_functions(self._points, (s.function.name for s in self._sites))
        for f in self._points.functions.values():
            own = [s for s in self._sites if s.function is f]
            apart = {o for s in own for o in (*s.cells, s.made.token, s.first.root)}
            values = [*(p.token for p in f.parameters), *(i.token for i in instructions(f))]
            for o in values:
                if not self._points.is_pointer(f, o):
                    continue
                p = self._points.classes.found(self._points.pointer(f, o))
                root = address_key(f, o, self._points.layout).root
                if root in apart:
                    if not all(self._is_used_well(s, o, root) for s in own):
                        return False
                elif p.storage is self._storage and late_use(f, o, (), appending, self._appends):
                    return False
        return True

    def _is_used_well(self, s: _Site, o: Operand, root: object) -> bool:
        """Is an address that is computed from a cell, a new node or the variable used as is
        understood?"""
        key = address_key(s.function, o, self._points.layout)
        is_cell = root in s.cells
        for user in s.function.users.get(o, ()):
            if is_gep(user):
                if address_key(s.function, user.token, self._points.layout).root != root:
                    return False
            elif is_phi(user):
                if user.token not in s.cells:
                    return False
            elif user is s.store or (is_icmp(user) and not is_cell):
                continue
            elif is_any(user, "load", "store") and user.operands[-1] == o:
                is_next_read = is_load(user) and key == s.cell
                if is_cell or is_next_read or (user.operands[0] == o and is_store(user)):
                    return False
            elif not is_note(user):
                return False
        return True


def _in_front(module: Module, sites: list[_Site]) -> Module:
    """The module in which the nodes of sites are put in front of their lists."""
    lines = module.text.split("\n")
    layout = Layout(module)
    for k, s in enumerate(sites):
        f, name = s.function, f"%looplaw.cell{k}"
        lines[s.store.line] = "\n".join(
            (
                f"  {name}.at = getelementptr i8, ptr {s.first.root}, i64 {s.first.at}",
                f"  {name}.first = load ptr, ptr {name}.at",
                f"  {name}.next = getelementptr i8, ptr {s.made.token}, i64 {s.next}",
                f"  store ptr {name}.first, ptr {name}.next",
                f"  store ptr {s.made.token}, ptr {name}.at",
            )
        )
        for i in null_stores(f, s.cell, layout):
            lines[i.line] = ""
        for phi in (f.definitions[o] for o in s.cells):
            for o, label in zip(phi.operands, phi.labels, strict=True):
                old = f"[ {o}, %{quoted(label)} ]"
                lines[phi.line] = lines[phi.line].replace(old, f"[ null, %{quoted(label)} ]")
    return edited(module, "\n".join(lines))
