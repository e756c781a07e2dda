"""Estimated traffic against the law that counts lines, and what that law refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import InputError, canonical, compile_sources, find_compiler
from staticana.interprocedural.program import Program
from staticana.ir.parser import parse_module
from staticana.traffic.access_tree import AccessTree, access_tree
from staticana.traffic.layer_conditions import (
    READ,
    SAMPLED,
    STRIDED,
    UPDATED,
    WRITTEN,
    Apart,
    Touched,
    touched,
    visits,
)

from .lru import set_misses

KIB, MIB = 1 << 10, 1 << 20


@pytest.fixture(autouse=True)
def _compiler() -> None:
    try:
        find_compiler()
    except InputError:
        pytest.skip("no compiler")


def tree_of(folder: Path, text: str) -> AccessTree:
    source = folder / "kernel.c"
    source.write_text("#include <stdlib.h>\n" + text)
    module = parse_module(canonical(compile_sources((str(source),))))
    return access_tree(Program(module, entry="main"))


def fresh(found: dict[str, Touched], line: int) -> float:
    (entry,) = (v for at, v in found.items() if at.split(":")[-2] == str(line))
    return entry.fresh


def lines(found: dict[str, Touched], line: int) -> list[float]:
    (entry,) = (v for at, v in found.items() if at.split(":")[-2] == str(line))
    total: list[float] = entry.lines.sum(axis=0).tolist()
    return total


def test_a_matrix_product_rereads_what_a_cache_does_not_hold(tmp_path: Path) -> None:
    tree = tree_of(
        tmp_path,
        """static double a[1024][1024], b[1024][1024], c[1024][1024];
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) c[i][j] += a[i][k] * b[k][j];
    return c[n / 2][1];
}
""",
    )
    n = 400
    every = touched(tree, {"n": n}, [32 * KIB, 64 * MIB], {})
    found = lines(every, 5)
    assert found[0] == pytest.approx(n**3 / 8, rel=0.05)  # b is read anew for each row
    assert found[1] < 0.01 * n * n
    assert fresh(every, 5) == pytest.approx(3 * n * n / 8, rel=0.1)  # each matrix once


def test_neighbouring_rows_of_a_stencil_are_read_once_where_three_of_them_fit(
    tmp_path: Path,
) -> None:
    tree = tree_of(
        tmp_path,
        """int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    double *a = malloc((size_t)n * n * 8), *b = malloc((size_t)n * n * 8);
    for (int s = 0; s < 10; s++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) b[i * n + j] = a[(i - 1) * n + j] + a[(i + 1) * n + j];
        double *t = a;
        a = b;
        b = t;
    }
    return a[n + 1];
}
""",
    )
    n = 4000
    every = touched(tree, {"n": n}, [32 * KIB, MIB], {})
    found = lines(every, 6)
    assert found[0] == pytest.approx(10 * 3 * n * n / 8, rel=0.1)
    assert found[1] == pytest.approx(10 * 2 * n * n / 8, rel=0.1)
    assert fresh(every, 6) == pytest.approx(2 * n * n / 8, rel=0.1)  # the grids take turns


def test_columns_are_strided(tmp_path: Path) -> None:
    tree = tree_of(
        tmp_path,
        """int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    double *a = malloc((size_t)n * n * 8), s = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) s += a[(size_t)i * n + j];
    return s;
}
""",
    )
    n = 3000
    found = touched(tree, {"n": n}, [32 * KIB], {})
    (entry,) = (v for at, v in found.items() if ":5:" in at)
    assert entry.lines[STRIDED][0] == pytest.approx(n * n, rel=0.05)
    assert entry.lines[READ][0] == 0


@pytest.mark.parametrize(("block", "share"), [(8, 1.0), (16, 1.0), (64, 0.5), (128, 0.5)])
def test_short_runs_come_as_strides_do(block: int, share: float, tmp_path: Path) -> None:
    """Of a transposition in blocks, whose stores are strided whatever the size of a block: no
    prefetcher follows rows of 2 and 3 lines, which end before it begins."""
    tree = tree_of(
        tmp_path,
        f"""int main(int argc, char **argv) {{
    int n = atoi(argv[1]);
    double *a = malloc((size_t)n * n * 8), *b = malloc((size_t)n * n * 8);
    for (int y = 0; y < n; y += {block})
        for (int x = 0; x < n; x += {block})
            for (int i = y; i < y + {block}; i++)
                for (int j = x; j < x + {block}; j++) b[j * n + i] = a[i * n + j];
    return b[n] > 0;
}}
""",
    )
    n = 2048 + block
    (entry,) = (v for at, v in touched(tree, {"n": n}, [MIB], {}).items() if at.endswith(":5:5"))
    kinds = entry.lines[:, 0]
    assert kinds[STRIDED] / kinds.sum() == pytest.approx(share, rel=0.1)
    assert kinds.sum() == pytest.approx(2 * n * n / 8, rel=0.6)


def test_what_data_choose_is_random_in_an_object_of_known_size(tmp_path: Path) -> None:
    tree = tree_of(
        tmp_path,
        """int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int *start = malloc((n + 1) * 4), *column = malloc(8 * n * 4);
    double *value = malloc(8 * n * 8), *x = malloc(n * 8), *y = malloc(n * 8); unsigned u = 1;
    for (int k = 0; k < 8 * n; k++) { u = u * 1664525u + 1u; column[k] = u % n; }
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = start[i]; k < start[i + 1]; k++) s += value[k] * x[column[k]];
        y[i] = s;
    }
    return y[0];
}
""",
    )
    n = 100_000
    inner = next(at for at in touched(tree, {"n": n}, [MIB], {}) if ":9:" in at)
    found = touched(tree, {"n": n}, [MIB], {inner: 8.0})[inner]
    assert found.random == [(pytest.approx(8 * n), pytest.approx(8 * n, rel=0.01))]
    # rows follow each other: values and columns are streams of 12 bytes an entry
    assert found.lines[READ][0] == pytest.approx(8 * n * 12 / 64, rel=0.05)


def test_an_update_that_data_choose_is_one_access_and_so_are_neighbours(tmp_path: Path) -> None:
    tree = tree_of(
        tmp_path,
        """int main(int argc, char **argv) {
    int n = atoi(argv[1]); unsigned u = 1;
    int *key = malloc(n * 4); double *pair = malloc(16 * n), *bins = malloc(8 * n), s = 0;
    for (int k = 0; k < n; k++) { u = u * 1664525u + 1u; key[k] = u % n; }
    for (int k = 0; k < n; k++) bins[key[k]] += 1;
    for (int k = 0; k < n; k++) { int j = key[k]; s += pair[2 * j] * pair[2 * j + 1]; }
    return s + bins[0];
}
""",
    )
    n = 100_000
    found = touched(tree, {"n": n}, [MIB], {})
    for line, turns in ((":6:5", n), (":7:5", (1 + 8 / 64) * n)):
        (entry,) = (v for at, v in found.items() if at.endswith(line))
        assert sum(number for number, _ in entry.random) == pytest.approx(turns)


def test_tables_that_are_not_seen_to_be_filled_are_in_order(tmp_path: Path) -> None:
    tree = tree_of(
        tmp_path,
        """#include <stdio.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int *index = malloc(n * 4);
    double *x = malloc(n * 8), s = 0;
    fread(index, 4, n, stdin);
    for (int i = 0; i < n; i++) s += x[index[i]];
    return s;
}
""",
    )
    n = 1 << 20
    found = touched(tree, {"n": n}, [MIB], {})
    (entry,) = (v for at, v in found.items() if ":8:" in at)
    assert entry.random == []
    assert entry.lines[READ][0] == pytest.approx(n / 16 + n / 8, rel=0.01)


def test_triangular_loops_are_averaged(tmp_path: Path) -> None:
    tree = tree_of(
        tmp_path,
        """int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    double *a = malloc((size_t)n * n * 8), s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) s += a[(size_t)i * n + j];
    return s;
}
""",
    )
    n = 2000
    found = touched(tree, {"n": n}, [32 * KIB], {})
    (entry,) = (v for at, v in found.items() if ":5:" in at)
    assert entry.lines.sum() == pytest.approx(n * n / 16, rel=0.05)
    assert entry.fresh == pytest.approx(n * n / 16, rel=0.05)


def test_lines_that_the_system_provides_are_told_from_those_that_come_again(tmp_path: Path) -> None:
    tree = tree_of(
        tmp_path,
        """int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    double *a = malloc((size_t)n * 8), s = 0;
    for (int i = 0; i < n; i++) a[i] = i;
    for (int r = 0; r < 3; r++)
        for (int i = 0; i < n; i++) s += a[i];
    return s;
}
""",
    )
    n = 1 << 20
    found = touched(tree, {"n": n}, [32 * KIB], {})
    (first,) = (v for at, v in found.items() if ":5:" in at)
    (again,) = (v for at, v in found.items() if ":6:" in at)
    assert first.fresh == pytest.approx(n / 8, rel=0.01)
    assert (first.lines - first.provided).sum() == pytest.approx(0, abs=n / 800)
    assert again.fresh == pytest.approx(0, abs=1)
    assert (again.lines - again.provided).sum() == pytest.approx(3 * n / 8, rel=0.01)
    assert 4096 * first.all_pages == pytest.approx(8 * n, rel=0.01)


def test_a_triangle_takes_all_pages_of_short_rows_and_half_of_those_of_long_ones(
    tmp_path: Path,
) -> None:
    tree = tree_of(
        tmp_path,
        """int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    double *a = malloc((size_t)n * n * 8), s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) a[(size_t)i * n + j] = 1;
    for (int i = 0; i < n; i++) s += a[(size_t)i * n + i];
    return s;
}
""",
    )
    for n, share in ((256, 1.0), (16_384, 0.5)):
        found = touched(tree, {"n": n}, [MIB], {})
        (first,) = (v for at, v in found.items() if ":5:" in at)
        (later,) = (v for at, v in found.items() if ":7:" in at)
        assert first.fresh_pages == pytest.approx(share * n * n / 512, rel=0.07)
        assert later.fresh_pages == 0  # what is read was written


def test_lines_that_are_read_and_written_are_updated(tmp_path: Path) -> None:
    tree = tree_of(
        tmp_path,
        """static double a[1 << 20], b[1 << 20];
int main(int argc, char **argv) {
    for (int r = 0; r < 10; r++)
        for (int i = 0; i < 1 << 20; i++) a[i] += 2 * b[i];
    return a[7];
}
""",
    )
    found = touched(tree, {}, [MIB], {})
    (entry,) = (v for at, v in found.items() if ":5:" in at)
    assert entry.lines[UPDATED][0] == pytest.approx(10 * (1 << 17), rel=0.01)
    assert entry.lines[READ][0] == pytest.approx(10 * (1 << 17), rel=0.01)
    assert entry.lines[WRITTEN][0] == 0


def test_blocks_jump_to_pages_that_columns_jump_to_again_and_again(tmp_path: Path) -> None:
    tree = tree_of(
        tmp_path,
        """static double a[4096][4096], b[4096][4096];
int main(int argc, char **argv) {
    for (int i = 0; i < 4096; i++)
        for (int j = 0; j < 4096; j++) b[j][i] = a[i][j];
    for (int ii = 0; ii < 4096; ii += 32)
        for (int jj = 0; jj < 4096; jj += 32)
            for (int i = 0; i < 32; i++)
                for (int j = 0; j < 32; j++) b[jj + j][ii + i] = a[ii + i][jj + j];
    return b[7][7];
}
""",
    )
    found = touched(tree, {}, [2.0 * MIB, 64.0 * MIB], {})
    (plain,) = (v for at, v in found.items() if ":4:" in at)
    (blocks,) = (v for at, v in found.items() if ":6:" in at)
    assert plain.paged[0] == pytest.approx(4096**2, rel=0.01)  # each store to another page
    assert plain.paged[1] < 0.01 * 4096**2  # 16 MiB of pages in turn
    # rows of b's blocks are new pages, those of a's go on in the same ones
    assert blocks.paged[0] == pytest.approx(4096**2 / 32 + 4096**2 / 512, rel=0.1)


_GATHER = """int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int *index = malloc(n * 4), state = 7;
    double *x = malloc(n * 8), s = 0;
    for (int i = 0; i < n; i++) {
        FILL
        x[i] = i;
    }
    for (int i = 0; i < n; i++) s += x[index[i]];
    return s;
}
"""


@pytest.mark.parametrize(
    ("fill", "is_random", "follows"),
    [
        ("index[i] = n - 1 - i;", False, True),
        ("index[i] = i > 5 ? i - 1 : i + 2;", False, True),
        ("index[i] = i * 64 % n;", False, False),
        ("state = state * 1664525 + 7; index[i] = state % n;", True, False),
        ("index[i] = 0; index[state] = i; state = (state * 5 + 3) % n;", True, False),
    ],
)
def test_subscripts_in_order_are_no_random_accesses(
    fill: str, is_random: bool, follows: bool, tmp_path: Path
) -> None:
    tree = tree_of(tmp_path, _GATHER.replace("FILL", fill))
    n = 1 << 20
    found = touched(tree, {"n": n}, [MIB], {})
    (entry,) = (v for at, v in found.items() if ":10:" in at)
    assert bool(entry.random) == is_random
    # the subscripts, and x where it follows them
    expected = n / 16 + (n / 8 if follows else 0)
    assert entry.lines[READ][0] == pytest.approx(expected, rel=0.01)
    if not is_random and not follows:  # a line for each, at a fixed distance
        assert entry.lines[STRIDED][0] == pytest.approx(n, rel=0.01)
    assert entry.fresh_pages == 0


def test_accessors_of_one_array_are_one_object_and_their_tables_are_seen(tmp_path: Path) -> None:
    tree = tree_of(
        tmp_path,
        """struct mesh { double *x; int *node; };
static double *at(struct mesh *m, int k) { return &m->x[k]; }
void run(struct mesh *m, int n, double *sum) {
    for (int i = 0; i < n; i++)
        *sum += *at(m, m->node[2 * i]) + *at(m, m->node[2 * i + 1]);
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    struct mesh *m = malloc(sizeof *m);
    m->x = malloc(n * 8), m->node = malloc(n * 8);
    for (int i = 0; i < n; i++) m->node[2 * i] = i, m->node[2 * i + 1] = i + 1, m->x[i] = i;
    double sum = 0;
    run(m, n, &sum);
    return sum;
}
""",
    )
    n = 1 << 20
    found = touched(tree, {"n": n}, [MIB], {})
    (entry,) = (v for at, v in found.items() if ":5:" in at)
    assert entry.random == []
    assert entry.lines.sum(axis=0)[0] == pytest.approx(n / 8 + n / 8, rel=0.05)


def test_fewer_iterations_of_triangles_are_looked_at_where_that_is_wanted(tmp_path: Path) -> None:
    """Three loops, each of which decides how long the next one is, and one that decides nothing."""
    tree = tree_of(
        tmp_path,
        """static double a[1 << 20];
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    double s = 0;
    for (int t = 0; t < 9; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                for (int k = 0; k < j; k++) s += a[k];
    return s;
}
""",
    )
    assert tree.size == 6
    # each of the four loops looks at the access again; `argv[1]` stands before them
    assert visits(tree, {"n": 100}) == 5 + SAMPLED * (2 + SAMPLED * 3)
    assert visits(tree, {"n": 100}, sampled=1) == tree.size + 4
    whole, some = (
        lines(touched(tree, {"n": 400}, [KIB], {}, sampled), 9)[0] for sampled in (SAMPLED, 3)
    )
    assert some == pytest.approx(whole, rel=0.2)


def test_rows_behind_pointers_are_looked_at_once(tmp_path: Path) -> None:
    """Where a row begins is a value from memory, and no reason to look at several iterations."""
    tree = tree_of(
        tmp_path,
        """double kernel(int n, double **a) {
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) s += a[i][j];
    return s;
}
int main(int argc, char **argv) { return kernel(atoi(argv[1]), malloc(8)); }
""",
    )
    assert visits(tree, {"n": 100}) == visits(tree, {"n": 100}, sampled=1)


_COLUMNS = """int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    double *a = malloc((long)n * n * 8), s = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) s += a[(long)i * n + j];
    return s;
}
"""


@pytest.mark.parametrize("n", [100, 136, 200, 240, 256, 320, 328, 352, 384, 464])
def test_columns_miss_where_their_rows_share_the_sets_of_a_cache(n: int, tmp_path: Path) -> None:
    tree = tree_of(tmp_path, _COLUMNS)
    walk = ((i * n + j) * 8 // 64 for j in range(n) for i in range(n))
    truth = set_misses(walk, sets=64, ways=12)
    found = lines(touched(tree, {"n": n}, [48 * KIB], {}), 5)[0]
    assert found == pytest.approx(truth, rel=0.3)  # where they share or not, it is 8 times as many


@pytest.mark.parametrize(("n", "halved"), [(352, 2), (336, 1), (328, 0), (384, 3), (320, 3)])
def test_rows_are_looked_at_as_if_they_were_as_far_apart_as_others(
    n: int, halved: int, tmp_path: Path
) -> None:
    tree = tree_of(tmp_path, _COLUMNS)
    alike = touched(tree, {"n": n}, [48 * KIB], {})
    told = touched(tree, {"n": n}, [48 * KIB], {}, aparts=[Apart(8.0 * n, halved)])
    assert lines(told, 5) == pytest.approx(lines(alike, 5), rel=1e-3)
    free = touched(tree, {"n": n}, [48 * KIB], {}, aparts=[Apart(8.0 * n, 0)])
    assert lines(free, 5)[0] == pytest.approx(n * n / 8, rel=0.1)


def test_ways_to_share_sets_are_found_at_once(tmp_path: Path) -> None:
    tree = tree_of(tmp_path, _COLUMNS)
    ways = [None, *(Apart(8.0 * 512, halved) for halved in range(3))]
    every = touched(tree, {"n": 512}, [32 * KIB, 48 * KIB], {}, aparts=ways)
    for k, way in enumerate(ways):
        alone = touched(tree, {"n": 512}, [32 * KIB, 48 * KIB], {}, aparts=[way])
        for at, entry in alone.items():
            assert every[at].lines[:, 2 * k : 2 * k + 2] == pytest.approx(entry.lines)
            assert every[at].paged[2 * k : 2 * k + 2] == pytest.approx(entry.paged)
