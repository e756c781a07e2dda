"""Lists in a library, where there is no program of which anything could be proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import InputError, analyze, canonical, compile_sources

_LIST = """\
#include <stdlib.h>
struct e { struct e *next; int v; };
void push(struct e **head, int v) {
    struct e *e = malloc(sizeof *e);
    e->v = v;
    e->next = *head;
    *head = e;
}
int sum(struct e **head) {
    int s = 0;
    for (struct e *e = *head; e; e = e->next) s += e->v;
    return s;
}
"""


def test_a_library_with_a_list_lacks_a_main_as_any_other(tmp_path: Path) -> None:
    path = tmp_path / "list.c"
    path.write_text(_LIST)
    ir = canonical(compile_sources([path]))
    with pytest.raises(InputError, match="no main: the program defines push, sum"):
        analyze(ir)
    (loop,) = analyze(ir, entry="sum").loops
    assert loop.total.kind in ("parametric", "unknown")
