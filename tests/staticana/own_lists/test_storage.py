"""Classes of storage: pointers that may be the same, members that may be one."""

from __future__ import annotations

from staticana.ir.types import Function, Instruction
from staticana.own_lists.storage import Access, Classes, Pointer, Storage, touching

_FUNCTION = Function("f", "void", (), {}, (), "", 0, 0)
_LOAD = Instruction("load", None, "ptr", (), 0)


def _new() -> Pointer:
    return Pointer(Storage(), 0)


def test_what_equal_pointers_hold_is_equal() -> None:
    classes, a, b = Classes(), _new(), _new()
    first, second = classes.content(a), classes.content(b)
    classes.unify(a, b._replace(offset=8))
    assert classes.found(b).offset + 8 == classes.found(a).offset
    assert classes.found(first) != classes.found(second)  # they are 8 bytes apart
    classes.unify(a, b._replace(offset=0))
    assert classes.found(first) == classes.found(second)  # and by now any number of times 8


def test_elements_of_an_array_are_one_and_members_beside_it_are_not() -> None:
    classes, p = Classes(), _new()
    inside = [classes.content(p._replace(offset=k)) for k in (8, 16)]
    behind = classes.content(p._replace(offset=24))
    classes.vary(p._replace(offset=8), 16, 8)
    assert classes.found(inside[0]) == classes.found(inside[1])
    assert classes.found(behind) != classes.found(inside[0])
    classes.leave(p._replace(offset=8), 8)  # another element, perhaps the one behind the last
    assert classes.found(behind) == classes.found(inside[0])


def test_accesses_touch_the_bytes_that_they_may_reach() -> None:
    classes, p = Classes(), _new()
    storage = classes.found(p).storage
    storage.accesses += [Access(k, 4, False, _FUNCTION, _LOAD) for k in (0, 12, 24)]
    assert [a.offset for a in touching(storage, 8)] == [12]
    classes.vary(p._replace(offset=24), 48, 4)
    assert [a.offset for a in touching(storage, 8)] == [12]
    assert [a.offset for a in touching(storage, 64)] == [24]
    classes.vary(p, None, 16)
    assert [a.offset for a in touching(classes.found(p).storage, 8)] == [0, 12, 24]
