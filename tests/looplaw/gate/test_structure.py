"""Shapes compared that small programs do not show, as callees have bodies there."""

from looplaw.gate.shapes import Chain, Depth
from looplaw.gate.slices import Walk
from looplaw.gate.structure import Structure

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
