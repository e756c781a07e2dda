"""Lists that programs append nodes to, as if the nodes were put in front.

A node that is appended makes all lists longer that it becomes a part of, so that no length could be
noted when it is made. Where all that a program keeps of a list is a pointer to its first node and
one to its last, and no other pointer into it is used after a node has been appended, a list whose
nodes are put in front is as long at each time, and a walk along it meets as many nodes. So
`if (tail) tail->next = q; else head = q; tail = q;` is read as `q->next = head; head = tail = q;`
and `lists` judges what comes of it. What nodes hold is not known either way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..ir import cxx_names as cxx
from ..ir.data_layout import Layout
from ..ir.graph import address_taken, block_around, callee, instructions, is_intrinsic
from ..ir.loop_info import loop_forest
from ..ir.matchers import is_any, is_branch, is_gep, is_icmp, is_load, is_phi, is_store
from ..ir.types import Function, GlobalRef, Instruction, Module, Operand
from .append_sites import Key, Site, address_key, append_sites, base_of, constant_offset, is_note
from .fronts import put_in_front
from .late_uses import appending_functions, late_use
from .lists import ZEROED, Lists
from .moving_cells import with_moving_cells_in_front
from .points_to import FILLS, PointsTo
from .storage import Access, Pointer, touching
from .walked_ends import with_walked_ends_in_front

Place = tuple[int, int]
"""A class of storage, by its identity, and the offset of a pointer in it."""


def with_tails_in_front(points: PointsTo) -> tuple[Module, int]:
    """The program in which nodes that are appended are put in front, and how many classes of nodes
    that concerns; none where more is done with the lists than is understood."""
    module, layout = points.module, points.layout
    defined = (f for f in module.functions.values() if not f.is_declaration)
    sites = [s for f in defined if f.calls for s in append_sites(f, layout)]
    by_class: dict[int, list[Site]] = {}
    for site in sites:
        p = points.of(site.function, site.made.token) if _runs(points, site) else None
        if p is not None:
            by_class.setdefault(id(p.storage), []).append(site)
    good = [g for g in by_class.values() if _Appended(points, layout, g).is_understood]
    if not good:
        return module, 0
    return put_in_front(module, [s for g in good for s in g], layout), len(good)


def _runs(points: PointsTo, site: Site) -> bool:
    return points.functions.get(site.function.name) is site.function


class _Appended:
    """The lists of one class of nodes, and all places where nodes are appended to them."""

    def __init__(self, points: PointsTo, layout: Layout, sites: list[Site]) -> None:
        self.points, self.layout, self.sites = points, layout, sites
        self.by_made: dict[tuple[str, Operand], Site] = {
            (s.function.name, s.made.token): s for s in sites
        }
        node = self._of(sites[0].function, sites[0].made.token)
        link = self._of(sites[0].function, sites[0].link.operands[1])
        self.storage, self.start = node
        self.next = self.storage.member(link.offset) if link.storage is node.storage else None
        self.tails: set[tuple[str, Operand]] = set()
        self.pairs: dict[Place, tuple[Place, int]] = {}
        self.owner: tuple[Key, Key] | None = None
        self.emptied: list[Instruction] = []
        self.is_tail_tested = False
        self.is_understood = (
            self.next is not None
            and len(self.by_made) == len(sites)
            and self.storage.is_plain
            and not self.storage.arrays
            and all(map(self._is_appended, sites))
            and self._places_are_known()
            and self._links_are_known()
            and self._uses_are_known()
        )

    def _of(self, f: Function, o: Operand) -> Pointer:
        return self.points.classes.found(self.points.pointer(f, o))

    def _key(self, f: Function, o: Operand) -> Key:
        return address_key(f, o, self.layout)

    def _place(self, f: Function, o: Operand) -> Place:
        p = self._of(f, o)
        return id(p.storage), p.storage.member(p.offset)

    # -- one place where a node is appended
    def _is_appended(self, s: Site) -> bool:
        f = s.function
        forest = loop_forest(f, self.points.module)
        made = f.block_of[s.made.token]
        return (
            not forest.irreducible
            and forest.innermost.get(made) == forest.innermost.get(s.test)
            and forest.innermost.get(made) == forest.innermost.get(s.join)
            and forest.dominates(made, s.test)
            and self._of(f, s.made.token) == (self.storage, self.start)
            and self._of(f, s.tail) == (self.storage, self.start)
            and self._of(f, s.link.operands[1]) == (self.storage, self.next)
            and (self._is_in_memory(s) if s.first is not None else self._is_in_registers(s))
        )

    def _is_in_registers(self, s: Site) -> bool:
        """Are the first and the last node two registers that are null together?"""
        assert s.merged is not None
        work: list[tuple[Operand, Operand]] = [(s.tail, s.head)]
        seen: set[tuple[Operand, Operand]] = set()
        while work:
            pair = work.pop()
            if pair in seen or pair == ("null", "null"):
                continue
            seen.add(pair)
            tail, head = (s.function.definitions.get(o) for o in pair)
            if tail is None or head is None:
                return False
            if tail.is_call:
                site = self.by_made.get((s.function.name, tail.token))
                if site is None or site.merged is None or site.merged.token != head.token:
                    return False
                continue
            if not is_phi(tail) or not is_phi(head) or set(tail.labels) != set(head.labels):
                return False
            if s.function.block_of[tail.token] != s.function.block_of[head.token]:
                return False
            self.tails.add((s.function.name, tail.token))
            of_head = dict(zip(head.labels, head.operands, strict=True))
            work += [(o, of_head[b]) for b, o in zip(tail.labels, tail.operands, strict=True)]
        return s.tested in (s.tail, s.head) and s.last is None

    def _is_in_memory(self, s: Site) -> bool:
        """Are the first and the last node two members, or two variables, that belong together?"""
        f, first, last = s.function, s.first, s.last
        loaded, tested = f.definitions[s.tail], f.definitions.get(s.tested)
        if first is None or last is None or not is_load(loaded):
            return False
        head, tail = (self._key(f, i.operands[1]) for i in (first, last))
        if not is_load(tested) or f.block_of[tested.token] != s.test:
            return False
        by = self._key(f, tested.operands[0])
        self.is_tail_tested |= by == tail
        if by not in (head, tail) or self._key(f, loaded.operands[0]) != tail:
            return False
        if f.block_of[loaded.token] not in (s.test, s.filled):
            return False
        if head.root != tail.root and not (_is_variable(head) and _is_variable(tail)):
            return False
        before, after = f.blocks[s.test].instructions, f.blocks[s.join].instructions
        asked = next(k for k, i in enumerate(before) if i is tested)
        noted = next(k for k, i in enumerate(after) if i is last)
        if any(i.is_call and not is_intrinsic(i) for i in (*before[asked:], *after[:noted])):
            return False  # which may append, between the question and the answer
        places = [self._place(f, i.operands[1]) for i in (first, last)]
        belongs = (places[1], tail.at - head.at if head.root == tail.root else 0)
        if self.pairs.setdefault(places[0], belongs) != belongs:
            return False
        if head.root == tail.root:
            return not self.owner
        self.owner = self.owner or (head, tail)
        return self.owner == (head, tail) and len(self.pairs) == 1

    # -- what memory holds
    def _places_are_known(self) -> bool:
        heads = set(self.pairs)
        tails = {p for p, _ in self.pairs.values()}
        if heads & tails or len(tails) != len(heads):
            return False
        resets: dict[bool, list[Access]] = {True: [], False: []}
        for s in self.points.storages():
            for at, p in s.contents.items():
                if self.points.classes.found(p).storage is not self.storage:
                    continue
                place = id(s), s.member(at)
                if place == (id(self.storage), self.next):
                    continue
                if s.escapes or place not in heads | tails:
                    return False
                for a in touching(s, at):
                    if not self._is_known(a, place in heads, resets):
                        return False
        return not self.is_tail_tested or self._are_reset_together(resets[True], resets[False])

    def _is_known(self, a: Access, is_head: bool, resets: dict[bool, list[Access]]) -> bool:
        """Is an access to a pointer to a first or a last node understood?"""
        f, i = a.function, a.instruction
        if not a.is_pointer and not (i.is_call and a.size is not None):
            return False
        if any(block_around(f, i) == s.test for s in self.sites if s.function is f):
            return is_load(i) and self._is_known_load(f, i, is_head)
        if i.is_call:
            if not (callee(i) or "").startswith(FILLS) or i.operands[2] != "0":
                return False
            resets[is_head].append(a)
            return True
        if is_load(i):
            return self._is_known_load(f, i, is_head)
        if not is_store(i):
            return False
        if i.operands[0] == "null":
            resets[is_head].append(a)
            return True
        if any(i is (s.first if is_head else s.last) for s in self.sites):
            return True
        if not is_head or not self._is_cut(f, i):
            return False
        emptied = self._emptied(f, i)
        if emptied is not None:
            self.emptied.append(emptied)
        return emptied is not None or not self.is_tail_tested

    def _is_known_load(self, f: Function, i: Instruction, is_head: bool) -> bool:
        if not is_head:
            self.tails.add((f.name, i.token))
        return True

    def _is_cut(self, f: Function, i: Instruction) -> bool:
        """Is it `head = head->next`?"""
        step = f.definitions.get(i.operands[0])
        if not is_load(step):
            return False
        if self._of(f, step.operands[0]) != (self.storage, self.next):
            return False
        node = f.definitions.get(base_of(f, step.operands[0]))
        if not is_load(node):
            return False
        return self._key(f, node.operands[0]) == self._key(f, i.operands[1])

    def _emptied(self, f: Function, cut: Instruction) -> Instruction | None:
        """The `tail = NULL` that follows where no node is left: `if (!head) tail = NULL`."""
        head = self._key(f, cut.operands[1])
        delta = self.pairs[self._place(f, cut.operands[1])][1]
        tail = Key(head.root, head.at + delta) if self.owner is None else self.owner[1]
        name = block_around(f, cut)
        body = f.blocks[name].instructions
        rest = body[next(k for k, i in enumerate(body) if i is cut) + 1 :]
        test = f.definitions.get(rest[-1].operands[0]) if len(rest[-1].labels) == 2 else None
        if (
            not is_branch(rest[-1])
            or test is None
            or not any(i is test for i in rest)
            or not _is_compared(test)
        ):
            return None
        if not self._is_cut_at_once(f, cut, name):
            return None
        left = next((o for o in test.operands if o != "null"), None)
        load = f.definitions.get(left) if left is not None else None
        if load is None or left != cut.operands[0]:
            if not is_load(load) or not any(i is load for i in rest):
                return None
            if self._key(f, load.operands[0]) != head:
                return None
        none = rest[-1].labels[0 if test.extra[0] == "eq" else 1]
        if test.extra[0] not in ("eq", "ne") or f.predecessors[none] != (name,):
            return None
        for i in (*rest, *f.blocks[none].instructions):
            if is_store(i) and i.type == "ptr":
                is_tail = i.operands[0] == "null" and self._key(f, i.operands[1]) == tail
                return i if is_tail and block_around(f, i) == none else None
            if i.is_call and not is_note(i) and callee(i) not in cxx.GIVE_BACK:
                return None
        return None

    def _is_cut_at_once(self, f: Function, cut: Instruction, name: str) -> bool:
        """Is the first node still the first where the next one takes its place?"""
        step = f.definitions[cut.operands[0]]
        node = f.definitions[base_of(f, step.operands[0])]
        body = list(f.blocks[name].instructions)
        since = f.block_of[node.token]
        if since != name:
            if f.predecessors[name] != (since,):
                return False
            body = [*f.blocks[since].instructions, *body]
        at = {id(i): k for k, i in enumerate(body)}
        return not any(
            (is_store(i) and i.type == "ptr")
            or (i.is_call and not is_note(i) and callee(i) not in cxx.GIVE_BACK)
            for i in body[at[id(node)] : at[id(cut)]]
        )

    def _are_reset_together(self, heads: list[Access], tails: list[Access]) -> bool:
        """Does what makes a list empty set both its pointers to null?"""
        deltas = {d for _, d in self.pairs.values()}
        if len(deltas) != 1:
            return False
        (delta,) = deltas
        return all(self._has_other(a, tails, delta) for a in heads) and all(
            self._has_other(a, heads, -delta)
            for a in tails
            if not any(a.instruction is i for i in self.emptied)
        )

    def _has_other(self, a: Access, others: Iterable[Access], delta: int) -> bool:
        f, i = a.function, a.instruction
        key = self._key(f, i.operands[1]) if is_store(i) else None
        for o in others:
            j = o.instruction
            if i is j:
                return True
            if key is None or o.function is not f or not is_store(j):
                continue
            other = self._key(f, j.operands[1])
            body = f.blocks[block_around(f, i)].instructions
            at = {id(x): k for k, x in enumerate(body)}
            if id(j) not in at:
                continue
            one, two = sorted((at[id(i)], at[id(j)]))
            if any(c.is_call and not is_intrinsic(c) for c in body[one:two]):
                continue
            if self.owner is not None:
                if {key, other} == set(self.owner):
                    return True
            elif other == (key.root, key.at + delta):
                return True
        return False

    def _links_are_known(self) -> bool:
        """Is each store of a next node one that appends, or of null to a new one?"""
        assert self.next is not None
        links = {id(s.link) for s in self.sites}
        ended: set[tuple[str, Operand]] = set()
        for a in touching(self.storage, self.next):
            f, i = a.function, a.instruction
            if not a.is_pointer or not is_any(i, "load", "store"):
                return False
            if is_load(i) or id(i) in links:
                continue
            made = base_of(f, i.operands[1])
            if i.operands[0] != "null" or (f.name, made) not in self.by_made:
                return False
            site = self.by_made[f.name, made]
            block = block_around(f, i)
            if block != site.join and not loop_forest(f, self.points.module).dominates(
                block, site.test
            ):
                return False
            ended.add((f.name, made))
        return all(key in ended or callee(s.made) == ZEROED for key, s in self.by_made.items())

    # -- what happens to pointers
    def _uses_are_known(self) -> bool:
        appending = appending_functions(self.points, (s.function.name for s in self.sites))
        if appending & address_taken(self.points.module):
            return False
        merged = {id(s.merged) for s in self.sites}
        for f in self.points.functions.values():
            joins = {(b, s.join) for s in self.sites if s.function is f for b in _before(s)}
            values = [*(p.token for p in f.parameters), *(i.token for i in _results(f))]
            for o in values:
                if not self.points.is_pointer(f, o) or self._of(f, o).storage is not self.storage:
                    continue
                base = base_of(f, o)
                if (f.name, base) in self.by_made:
                    if base == o and not self._is_new_used_well(f, base):
                        return False
                elif (f.name, base) in self.tails:
                    if base == o and not self._is_last_used_well(f, base):
                        return False
                    if base == o and late_use(f, o, joins, appending, merged=merged):
                        return False
                elif late_use(f, o, joins, appending, merged=merged):
                    return False
        return True

    def _is_new_used_well(self, f: Function, made: Operand) -> bool:
        """Is a new node only written to and appended?"""
        s = self.by_made[f.name, made]
        stores = [i for i in (s.link, s.first, s.last) if i is not None]
        for user in f.users.get(made, ()):
            if is_gep(user):
                if not self._is_member_used_well(f, user, None):
                    return False
            elif is_store(user) and user.operands[0] == made:
                if not any(user is i for i in stores):
                    return False
            elif is_any(user, "load", "store"):
                if self.start == self.next and not (is_store(user) and user.operands[0] == "null"):
                    return False
            elif is_phi(user):
                if user is not s.merged and (f.name, user.token) not in self.tails:
                    return False
            elif not (_is_compared(user) or is_note(user) or callee(user) in cxx.GIVE_BACK):
                return False
        return True

    def _is_last_used_well(self, f: Function, tail: Operand) -> bool:
        """Is a pointer to the last node only used to append to it?"""
        for user in f.users.get(tail, ()):
            if is_gep(user):
                links = [s.link for s in self.sites if s.function is f and s.tail == tail]
                if not self._is_member_used_well(f, user, links):
                    return False
            elif is_phi(user):
                if (f.name, user.token) not in self.tails:
                    return False
            elif is_any(user, "load", "store"):
                if self.start == self.next or user.operands[-1] != tail:
                    return False
                if is_store(user) and user.operands[0] == tail:
                    return False
            elif not _is_compared(user) and not is_note(user):
                return False
        return True

    def _is_member_used_well(
        self, f: Function, field: Instruction, links: list[Instruction] | None
    ) -> bool:
        """Is the address of a member not that of the next node, or only used to append (links), or
        to end the list (None)?"""
        at = constant_offset(field, self.layout)
        if at is None:
            return self.next is not None and self._of(f, field.token).offset != self.next
        if self.start + at != self.next:
            return not any(is_any(u, "getelementptr", "phi") for u in f.users[field.token])
        return all(
            is_store(u)
            and u.operands[1] == field.token
            and (u.operands[0] == "null" if links is None else any(u is i for i in links))
            for u in f.users.get(field.token, ())
        )


def _is_variable(key: Key) -> bool:
    """Is it a global variable, of which there is one?"""
    return isinstance(key.root, GlobalRef)


def _before(s: Site) -> tuple[str, str]:
    """The blocks from which control comes to where a node has been appended."""
    return s.filled, s.test if s.empty == s.join else s.empty


def _results(f: Function) -> Iterator[Instruction]:
    return (i for i in instructions(f) if i.result is not None)


def _is_compared(i: Instruction) -> bool:
    return is_icmp(i) and "null" in i.operands


def lists_of(module: Module, entry: str) -> tuple[Module, Lists]:
    """The lists of a program that are chained once, and the module of which that holds: with
    appended nodes put in front where those become lists, too."""
    points = front = PointsTo(module, entry)
    number = 0
    for in_front in (with_moving_cells_in_front, with_walked_ends_in_front, with_tails_in_front):
        changed, more = in_front(front)
        front = PointsTo(changed, entry) if more else front
        number += more
    lists = Lists(points)
    if number and lists.is_sound:
        others = Lists(front)
        if len(others.chains) == len(lists.chains) + number:
            return front.module, others
    return module, lists
