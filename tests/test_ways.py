"""Ways to an answer that need no packages beside looplaw's own; `make ways` goes all of them."""

from __future__ import annotations

import pytest

from tools.ways import WAYS, screen

SAID = {
    "gate": "called in the loop at src/queue.c:26 (queue_pairs)",
    "extrap": "p*log(p, 2)",
    "gpu": "32 sectors a store of out where 4 would do",
}


@pytest.mark.parametrize("way", [w for w in WAYS if w.name in SAID], ids=lambda w: w.name)
def test_a_way_leads_to_its_answer(way) -> None:  # type: ignore[no-untyped-def]
    assert SAID[way.name] in screen(way)
