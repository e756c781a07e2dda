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


_ARGUMENTS = """
#include <stdlib.h>
struct list { int size; int *items; };
static void kept(const struct list *a, struct list *out, int at) {
    for (int i = 0; i < a->size; i++) {
        if (at > 0)
            kept(a, out, at - 1);
        out->size++;
    }
}
static void swapped(struct list *a, struct list *out, int at) {
    for (int i = 0; i < a->size; i++) {
        if (at > 0)
            swapped(out, a, at - 1);
        out->size++;
    }
}
static void found(struct list *a, struct list **out, int at) {
    for (int i = 0; i < a->size; i++)
        if (at > 0)
            found(*out, out, at - 1);
    a->size++;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    struct list a = {n, 0}, b = {n, 0}, c = {n, 0}, d = {n, 0}, e = {n, 0}, *f = &e;
    kept(&a, &b, 3);
    swapped(&c, &d, 3);
    found(&f[0], &f, 3);
}
"""


def test_what_a_call_of_itself_writes_goes_by_its_arguments(tmp_path: Path) -> None:
    """An activation that hands on what it is handed writes to the same objects; one that exchanges
    them, or takes one from memory, does not."""
    source = tmp_path / "lists.c"
    source.write_text(_ARGUMENTS)
    analysis = analyze(canonical(compile_sources([source])), matrix=False)
    entries = {loop.function: loop.per_entry for loop in analysis.loops}
    assert str(entries["kept"].formula) == "Max(0, size)"
    assert "iterations" in str(entries["swapped"].formula)
    assert "iterations" in str(entries["found"].formula)
