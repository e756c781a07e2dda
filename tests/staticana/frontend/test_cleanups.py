"""Scopes that are left in several ways: each way goes straight to where it leads."""

from __future__ import annotations

from pathlib import Path

import looplaw

_NEVER_DONE = """
int put(int *, int);
int total(int n) {
    int s = 0;
    if (n > 3) {
        int kept[4];
        do {
            s += put(kept, n);
            return s;
        } while (0);
    }
    for (int i = 0; i < n; i++) {
        int last;
        if (put(&last, i)) break;
        s += last;
    }
    return s;
}
"""


def test_a_scope_that_only_code_nobody_comes_to_leaves_otherwise(tmp_path: Path) -> None:
    source = tmp_path / "done.c"
    source.write_text(_NEVER_DONE)
    [loop] = looplaw.analyze(source, entry="total").loops
    assert (loop.at.rpartition("/")[2], loop.function) == ("done.c:12:5", "total")
