"""What runs inside a loop: its own and that of all loops in it, each once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from looplaw.laws.loop_call_tree import gathered


@given(
    st.dictionaries(st.sampled_from("abcdefg"), st.lists(st.sampled_from("abcdefg"), max_size=3))
)
def test_what_is_gathered_is_what_can_be_reached(inner: dict[str, list[str]]) -> None:
    own = {at: (at, "common") for at in inner}
    reached = {at: {at, *found} for at, found in inner.items()}
    for _ in inner:
        for found in reached.values():
            found.update(b for a in tuple(found) for b in inner.get(a, ()))
    for at, found in gathered(inner, own).items():
        assert found[:2] == (at, "common")
        assert sorted(found) == sorted({"common", *(a for a in reached[at] if a in inner)})
