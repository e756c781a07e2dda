"""Reading the transitions of nests: paths that begin alike share what was found of their common
beginning, and the system is that of paths which are read one by one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from staticana import canonical, compile_sources, parse_module
from staticana.interprocedural.program import Program
from staticana.scev import nest_transitions
from staticana.scev.nest_transitions import Reader
from staticana.scev.nests import values
from staticana.scev.nests.values import NotLinear

SOURCE = """
int steps(int n, int m) {
    int k = 0;
    while (n > 0 && m != 7) {
        if (n > m) { n--; if (m & 1) k++; } else m--;
        n = n > 100 ? n - m : n - 1;
        switch (k) { case 0: m++; break; case 3: m -= 2; break; default: k--; }
    }
    return k;
}
int nest(unsigned n, int *a) {
    int found = 0;
    for (unsigned i = 0; i < n; i++) {
        for (int j = a[i]; j > 0 && j != 5; j -= 1 + (i % 3 == 0)) if (a[j] > (int)i) found++;
        if (found > 9 || (a[0] == 3 && i > 4)) break;
    }
    return found;
}
int text(const char *s, char c) {
    char kept[32];
    int k = 0, n = 0;
    while (*s && *s != c && k < 31) {
        kept[k++] = *s == '$' ? s[1] : *s;
        s += 1 + (*s == '$');
    }
    for (const char *p = kept; p != kept + k; p++) n += *p;
    return n;
}
"""


def _systems(program: Program) -> Iterator[tuple[str, str | None, bool, object]]:
    for name in sorted(program.defined):
        view = program.view(name)
        for root in (None, *view.loops):
            for with_objects in (False, True):
                reader = Reader(view, root, with_largest=with_objects, with_objects=with_objects)
                try:
                    yield name, root, with_objects, reader.system()
                except NotLinear:
                    yield name, root, with_objects, None


def test_paths_that_begin_alike_are_as_those_read_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "nests.c"
    source.write_text(SOURCE)
    module = parse_module(canonical(compile_sources([str(source)])))
    shared = list(_systems(Program(module, entry="steps")))

    def read_alone(self: Reader, path: values.Path) -> values.Path:
        for edge in zip(path.blocks, path.blocks[1:], strict=False):
            self._follow(path, *edge)
        return path

    monkeypatch.setattr(nest_transitions.Reader, "_passed", read_alone)
    assert shared == list(_systems(Program(module, entry="steps")))
    assert sum(system is not None for *_, system in shared) >= 6
