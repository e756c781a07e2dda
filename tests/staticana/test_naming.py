"""Names in formulas: one count in each product, sizes instead of addresses."""

from __future__ import annotations

from pathlib import Path

import pytest

from looplaw_common.formula.formula import parse_formula
from staticana import Analysis, InputError, analyze, canonical, compile_sources
from staticana.expr import expr, floor_div, sym


def _analysed(folder: Path, name: str, text: str) -> Analysis:
    path = folder / name
    path.write_text(text)
    try:
        return analyze(canonical(compile_sources([path])), matrix=False)
    except InputError as error:
        pytest.skip(str(error))


_DATA = """\
#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]), k = 0;
    for (int i = 0; i < n; i++) {
        int x = rand() % 7;
        while (x > 0 && (rand() & 3)) {
            if (x > 3)
                for (int j = 0; j < n; j++)
                    k += j;
            x--;
        }
    }
    return k & 1;
}
"""


def test_a_product_of_means_and_fractions_is_one_named_count(tmp_path: Path) -> None:
    found = _analysed(tmp_path, "data.c", _DATA)
    while_, inner = found["data.c:6"].total, found["data.c:8"].total
    assert str(while_.formula) == "iterations_6*Max(0, n)"
    assert [o.symbol for o in inner.opaque] == ["times_8"]
    (count,) = inner.opaque
    assert "iterations of the loop at" in count.meaning
    assert " times iterations of the loop at" in count.meaning
    assert str(inner.formula) == "times_8*Max(0, n)"


_WAYS = """\
#include <stdlib.h>
static void fill(int *a, int n) {
    for (int i = 0; i < n; i++)
        a[i] = i;
}
__attribute__((noinline)) void step(int *a, int n, int m) {
    for (int k = 0; k < m; k++) {
CALLS    }
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int *a = malloc(sizeof *a * (n + m + 20));
    step(a, n, m);
    return a[0];
}
"""


@pytest.mark.parametrize("ways", [3, 12])
def test_many_ways_to_a_place_are_one_named_count(tmp_path: Path, ways: int) -> None:
    calls = "".join(f"        if (a[k] == {3 * w}) fill(a, n + {w});\n" for w in range(ways))
    found = _analysed(tmp_path, "ways.c", _WAYS.replace("CALLS", calls))["ways.c:3"].total
    assert found.upper is not None
    assert found.upper.evaluate({"n": 10, "m": 2}) >= 2 * 10
    if ways == 3:
        assert {"m", "n"} < found.formula.symbols
        assert len(found.opaque) == 3
    else:
        assert str(found.formula) == "iterations_3_per_step"
        (mean,) = found.opaque
        assert mean.meaning.startswith("mean iterations of the loop at ")
        assert mean.meaning.endswith(" for each call of step")


_ROWS = """\
#include <cstdlib>
#include <string>
#include <vector>
int main(int argc, char **argv) {
    int h = atoi(argv[1]), w = atoi(argv[2]);
    std::vector<std::string> rows(h, std::string(w, '.'));
    for (auto &row : rows)
        for (char &c : row)
            c = '#';
    return rows[0][0];
}
"""


def test_what_is_read_twice_with_no_write_between_is_one_value(tmp_path: Path) -> None:
    """Where a string's characters begin, which begin() and end() read: a character that is written
    may be a part of it."""
    count = _analysed(tmp_path, "rows.cc", _ROWS)["rows.cc:8"].total
    assert str(count.formula) == "h*row_size"


_REMOVED = """\
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    std::vector<int> v(n, 1);
    v.erase(std::remove_if(v.begin(), v.end(), [](int x) { return x % 3 == 0; }), v.end());
    int s = 0;
    for (int x : v)
        s += x;
    std::printf("%d", s);
}
"""


def test_addresses_are_no_part_of_a_formula(tmp_path: Path) -> None:
    count = _analysed(tmp_path, "removed.cc", _REMOVED)["removed.cc:10"].total
    assert len(count.opaque) <= 1
    assert all("address" not in o.meaning.split() for o in count.opaque)
    assert "floor" not in str(count.formula)
    assert "-" not in str(count.formula)


_INITIALISED = """\
#include <cstdlib>
static int fill(int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += i * i % 7;
    return s;
}
static int table = fill(12);
int main(int argc, char **argv) {
    return table + atoi(argv[1]);
}
"""


def test_what_runs_before_main_is_counted_once(tmp_path: Path) -> None:
    count = _analysed(tmp_path, "initialised.cc", _INITIALISED)["initialised.cc:4"].total
    assert (count.kind, str(count.formula)) == ("exact", "12")


_ENDLESS = """\
#include <iostream>
#include <string>
#include <cstdlib>
static void usage(int code) {
    for (int i = 0; i < 2; i++)
        std::cout << i << std::string(3, 'x');
    std::exit(code);
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    if (n > 100)
        usage(0);
    while (true) {
        n -= 5;
        if (n < 0)
            usage(0);
    }
}
"""


def test_what_runs_before_an_endless_loop_keeps_its_condition(tmp_path: Path) -> None:
    count = _analysed(tmp_path, "endless.cc", _ENDLESS)["endless.cc:5"].total
    assert count.kind != "exact" or count.evaluate({"n": 3}) != 2


_ENDS_IN_A_LOOP = """\
#include <iostream>
#include <string>
#include <cstdlib>
static void finish(int n) {
    std::cout << std::string(3, 'x') << n;
    std::exit(0);
}
static void work(int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 5; j++)
            std::cout << j;
        if (i == 3)
            finish(n);
    }
    finish(0);
}
int main(int argc, char **argv) {
    work(atoi(argv[1]));
}
"""


def test_an_end_of_the_program_within_a_loop_is_not_taken_for_aside(tmp_path: Path) -> None:
    count = _analysed(tmp_path, "ends.cc", _ENDS_IN_A_LOOP)["ends.cc:10"].total
    assert count.evaluate({"n": 9}) in (None, 20)


def test_rounded_differences_are_written_without_idle_signs() -> None:
    first, last, n = sym("first"), sym("last"), sym("n")
    assert str(floor_div(last - first + 7, expr(8))) == "ceiling((last - first)/8)"
    assert str(floor_div(last - first + 3, expr(8))) == "floor((last - first + 3)/8)"
    assert str(floor_div(-n, expr(2))) == "-ceiling(n/2)"
    assert str(n - floor_div(n - last, expr(2))) == "n + ceiling((last - n)/2)"


_PACKED = """\
#include <cstdlib>
#include <cstring>
struct Options { unsigned long samples = 1000; int bins = 10; bool verbose = false; };
static Options parse(int argc, char **argv) {
    Options o;
    for (int i = 1; i < argc; ++i) {
        if (!std::strcmp(argv[i], "-s")) o.samples = std::strtoul(argv[++i], 0, 10);
        else if (!std::strcmp(argv[i], "-b")) o.bins = std::atoi(argv[++i]);
        else o.verbose = true;
    }
    return o;
}
int main(int argc, char **argv) {
    Options o = parse(argc, argv);
    unsigned long s = o.verbose;
    for (unsigned long i = 0; i < o.samples; i++) s += i * s;
    for (int i = 0; i < o.bins; i++) s ^= i;
    return s & 1;
}
"""


def test_members_that_share_a_register_keep_their_name(tmp_path: Path) -> None:
    """A structure of 16 bytes is returned in two registers, two of its members in one of them."""
    found = _analysed(tmp_path, "packed.cpp", _PACKED)
    assert str(found["packed.cpp:16"].total.formula) == "Max(0, samples)"
    assert str(found["packed.cpp:17"].total.formula) == "Max(0, bins)"


_SHOWN = """\
#include <cstdio>
#include <cstdlib>
#include <vector>
int main(int argc, char **argv) {
    int n = std::atoi(argv[1]);
    bool verbose = std::getchar() == 'v';
    std::vector<long> c(n, 1);
    if (verbose) for (auto v : c) std::printf("%ld ", v);
    return 0;
}
"""


def test_a_guard_is_named_by_the_programs_own_line(tmp_path: Path) -> None:
    """The loop over a container begins in a header of the library."""
    total = _analysed(tmp_path, "shown.cpp", _SHOWN)["shown.cpp:8"].total
    assert "passes_8" in str(total.formula)


def test_numbers_of_elements_count_up_to_what_is_called_the_end(tmp_path: Path) -> None:
    found = _analysed(
        tmp_path,
        "list.c",
        """struct list { int *cells, *end; };
extern struct list *find(void);
int main(void) {
    struct list *l = find();
    int s = 0;
    for (int *p = l->cells; p < l->end; p++) s += *p;
    return s & 1;
}""",
    )
    assert [str(loop.total.formula) for loop in found.loops] == ["Max(0, l_size)"]


_BY_VALUE = """\
#include <stdio.h>
#include <stdlib.h>
typedef struct { int threads; long isotopes, points; int lookups; char *name; int kind; } Inputs;
__attribute__((noinline)) static long run(Inputs in) {
    long s = 0;
    for (int i = 0; i < in.lookups; i++) s += i;
    return s;
}
int main(int argc, char **argv) {
    Inputs in;
    if (fread(&in, sizeof in, 1, stdin) != 1) return 1;
    return run(in) & 1;
}
"""


def test_members_of_structures_that_are_handed_by_value_keep_their_name(tmp_path: Path) -> None:
    total = _analysed(tmp_path, "value.c", _BY_VALUE)["value.c:6"].total
    assert str(total.formula) == "Max(0, lookups)"
    assert [o.meaning for o in total.opaque] == ["value loaded from in.lookups"]


def test_a_name_is_no_longer_than_formulas_are_read_with(tmp_path: Path) -> None:
    variable = "size_" * 60
    text = (
        "#include <stdio.h>\nint main(void) {\n"
        f'    int {variable}, s = 0;\n    if (scanf("%d", &{variable}) != 1) return 1;\n'
        f"    for (int i = 0; i < {variable}; i++) s += i;\n    return s & 1;\n}}\n"
    )
    formula = _analysed(tmp_path, "long.c", text)["long.c:5"].total.formula
    assert formula is not None
    (name,) = parse_formula(str(formula)).symbols
    assert name.startswith("size_size_")
    assert len(name) < 80


def test_a_mean_of_another_loop_is_told_to_be_weighted(tmp_path: Path) -> None:
    """The inner loop runs 4*t + 10*u times, t and u iterations of the outer one in the two calls:
    no plain mean of t and u gives that."""
    source = """\
#include <stdlib.h>
static int s;
static void f(int n) {
    while (rand() & 7)
        for (int j = 0; j < n; j++) s++;
}
int main(void) { f(4); f(10); return s; }
"""
    found = _analysed(tmp_path, "twice.c", source)
    outer, inner = (found[f"twice.c:{line}"].total for line in (4, 5))
    assert (str(outer.formula), str(inner.formula)) == ("2*iterations_4", "14*iterations_4")
    assert outer.opaque[0].meaning.endswith("twice.c:4:5")
    assert inner.opaque[0].meaning.endswith("twice.c:4:5 (weighted by the work inside)")
