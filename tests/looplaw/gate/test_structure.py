"""Shapes compared that small programs do not show, as callees have bodies there."""

from pathlib import Path

from looplaw.gate.shapes import UNKNOWN_DEPTH, Chain, Depth, Shapes
from looplaw.gate.slices import Walk
from looplaw.gate.structure import Structure
from staticana import canonical, compile_sources, parse_module

RETRY = Walk("use.c:4:5", frozenset({"retry"}), frozenset(), "")
LENGTH = Chain((), frozenset(), "use.c:4:9", "length", is_foreign=True)


def finding(after: Chain) -> tuple[str, str] | None:
    """The kind and the reason where length(), which has a loop, was called once before."""
    depth = Depth(1, is_all=True)
    structure = Structure((LENGTH,), (after,), lambda *_: depth, lambda *_: depth)
    change = structure.finding()
    return None if change is None else (change.kind, change.reason)


def test_a_call_behind_which_the_loop_may_end_is_undecided() -> None:
    """What a retry does last may have moved into a function that says whether to try again."""
    moved = Chain((RETRY,), frozenset(), "use.c:4:9", "length", is_foreign=True)
    assert (finding(moved) or ("",))[0] == "growth"
    kind, reason = finding(Chain(moved.loops, moved.needs, moved.at, moved.call, may_end=True)) or (
        "",
        "",
    )
    assert kind == "undecided"
    assert "see whether the loop goes on then" in reason


ARRAY = """
#include <stdlib.h>
#include <string.h>
struct array { int size, room; void **data; };
static int grow(struct array *a) {
    if (a->size + 1 <= a->room)
        return 1;
    int room = a->room * 3 / 2 + 2;
    void *data = realloc(a->data, room * sizeof(void *));
    if (!data)
        return 0;
    a->data = data;
    memset(a->data + a->room, 0, (room - a->room) * sizeof(void *));
    a->room = room;
    return 1;
}
int insert(struct array *a, int at, void *p) {
    if (!a || !grow(a))
        return -1;
    if (at < a->size)
        memmove(a->data + at + 1, a->data + at, (a->size - at) * sizeof(void *));
    a->data[at] = p;
    return a->size++;
}
int add(struct array *a, void *p) { return a ? insert(a, a->size, p) : -1; }
int find(struct array *a, void *p) {
    if (!a)
        return -1;
    for (int i = 0; i < a->size; i++)
        if (a->data[i] == p)
            return i;
    return -1;
}
int has(struct array *a, void *p) { return a && p && find(a, p) >= 0; }
"""


def test_where_an_array_grows_a_call_seldom_walks(tmp_path: Path) -> None:
    source = tmp_path / "array.c"
    source.write_text(ARRAY)
    shapes = Shapes(parse_module(canonical(compile_sources([source]))), frozenset(), {})
    found = {n: shapes.depth(n, 2, lambda *_: UNKNOWN_DEPTH) for n in ("add", "find")}
    assert [found[n].is_rare for n in found] == [True, False]
    assert all(depth.walks == 1 for depth in found.values())
    moved = Chain((RETRY,), frozenset(), "use.c:4:9", "add", is_foreign=True)
    for name, kind in (("add", "undecided"), ("find", "growth")):
        change = Structure((), (moved,), lambda *_, n=name: found[n]).finding()
        assert change is not None
        assert change.kind == kind
