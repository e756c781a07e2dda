"""What `verify` records is in the program that runs."""

from __future__ import annotations

from pathlib import Path

from staticana import analyze_module, canonical, compile_sources, parse_module

_CHAINS = """\
#include <stdlib.h>
struct node { struct node *next; };
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]), s = 0;
    struct node **heads = calloc(m, sizeof *heads);
    for (int i = 0; i < n; i++) {
        struct node *q = malloc(sizeof *q);
        q->next = heads[i * i % m];
        heads[i * i % m] = q;
    }
    for (int k = 0; k < m; k++)
        for (struct node *p = heads[k]; p; p = p->next)
            s++;
    return s & 1;
}
"""


def test_lengths_of_lists_are_no_registers(tmp_path: Path) -> None:
    path = tmp_path / "chains.c"
    path.write_text(_CHAINS)
    module = parse_module(canonical(compile_sources([path])))
    entries = analyze_module(module, matrix=False, entries=True).entries
    assert len(entries) == 3
    assert sum(e.formula is not None for e in entries) == 2
    held = module.functions["main"].definitions
    assert all(t in held for e in entries for h in e.holders for t in h.tokens)
