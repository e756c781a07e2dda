"""What functions that call themselves leave alone, keep, and write through their arguments."""

from __future__ import annotations

from pathlib import Path

from staticana import analyze, canonical, compile_sources

_PROGRAM = """
#include <stdlib.h>
#include <string.h>
struct mesh { int n; int *first, *other; char *seen; };
static void visit(const struct mesh *m, int at) {
    memset(m->seen + at, 1, 1);
    for (int k = m->first[at]; k < m->first[at + 1]; k++)
        if (!m->seen[m->other[k]])
            visit(m, m->other[k]);
}
static void sink(struct mesh *m, int at) {
    if (at)
        sink(m, at - 1);
    m->n = at;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    struct mesh a = {n, calloc(n + 1, 4), calloc(n, 4), calloc(n, 1)}, b = a;
    visit(&a, 0);
    sink(&b, n);
    for (int i = 0; i < a.n; i++)
        a.first[i] = 1;
    for (int i = 0; i < b.n; i++)
        b.first[i] = 1;
}
"""


def test_recursion_keeps_what_it_only_reads_and_not_what_it_writes(tmp_path: Path) -> None:
    source = tmp_path / "mesh.c"
    source.write_text(_PROGRAM)
    found = analyze(canonical(compile_sources([source])), matrix=False)
    read, written = (loop.total for loop in found.loops if loop.function == "main")
    assert (read.kind, str(read.formula)) == ("exact", "Max(0, n)")
    assert written.kind == "parametric"
