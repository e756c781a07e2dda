"""Loops in functions that call each other as data decide, by how often these are called."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticana import LoopResult, analyze, canonical, compile_sources, find_compiler
from staticana.interprocedural.activations import plain_name
from tests.claims.truth import Source, build

TREE = """#include <stdio.h>
#include <stdlib.h>
struct node { int value; struct node *child, *next; };
static struct node *grow(int depth, unsigned *seed) {
  struct node *p = (struct node *)malloc(sizeof *p);
  *seed = *seed * 1103515245u + 12345u;
  p->value = (*seed >> 16) % 7; p->child = p->next = NULL;
  if (depth == 0) return p;
  int k = (*seed >> 20) % 4 + 1;
  for (int i = 0; i < k; i++) { // law: grow_calls - 1
    struct node *c = grow(depth - 1, seed);
    c->next = p->child; p->child = c;
  }
  return p;
}
static int twice(int x);
static long visit(const struct node *p) {
  long s = p->value;
  for (const struct node *c = p->child; c; c = c->next) { // law: visit_calls - rounds
    s += visit(c);
  }
  return twice((int)s);
}
static int twice(int x) {
  return x + x;
}
static long even(const struct node *p);
static long odd(const struct node *p) {
  long s = 1;
  for (const struct node *c = p->child; c; c = c->next) { // law: even_calls
    s += even(c);
  }
  return s;
}
static long even(const struct node *p) {
  long s = 2;
  for (const struct node *c = p->child; c; c = c->next) { // law:
    if (c->value == 3) continue;
    s += odd(c);
  }
  for (int k = 0; k < 3; k++) { // law: 3*even_calls
    s += p->value;
  }
  return s;
}
static long first(const struct node *p) {
  long s = 0;
  const struct node *c = p->child;
  while (c) { // law: first_calls - 1
    s += first(c);
    if (s > 50) break;
    c = c->next;
  }
  return s + 1;
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), rounds = atoi(argv[2]);
  unsigned seed = 7;
  struct node *root = grow(n, &seed);
  long s = 0;
  for (int r = 0; r < rounds; r++) { // law: rounds
    s += visit(root);
  }
  printf("%ld %ld %ld\\n", s, odd(root), first(root));
  return 0;
}
"""
PARSER = """#include <stdio.h>
#include <stdlib.h>
static const char *at;
static char seen;
static void scan(void) {
  while (*at == ' ') { // law:
    at++;
  }
  seen = *at;
  if (*at) at++;
}
static long sum(void);
static long number(void) {
  long x = 0;
  while (seen >= '0' && seen <= '9') { // law:
    x = 10 * x + seen - '0';
    scan();
  }
  return x;
}
static long atom(void) {
  if (seen == '(') {
    scan();
    long x = sum();
    scan();
    return x;
  }
  if (seen == '[') {
    scan();
    return sum();
  }
  return number();
}
static long product(void) {
  long x = atom();
  while (seen == '*') { // law: atom_calls - product_calls
    scan();
    x *= atom();
  }
  return x;
}
static long sum(void) {
  long x = product();
  while (seen == '+' || seen == '-') { // law: product_calls - sum_calls
    scan();
    x += product();
  }
  return x;
}
int main(int argc, char **argv) {
  at = argv[1];
  scan();
  printf("%ld\\n", sum());
  return 0;
}
"""


def _analyzed(folder: Path, text: str) -> dict[int, LoopResult]:
    (folder / "f.c").write_text(text)
    analysis = analyze(canonical(compile_sources([folder / "f.c"])), matrix=False)
    return {int(loop.at.split(":")[-2]): loop for loop in analysis.loops}


@pytest.mark.parametrize(
    ("text", "vectors"),
    [
        (TREE, [("1", "2"), ("4", "3"), ("6", "1"), ("0", "2")]),
        (PARSER, [("1 + 2*(3 - 4*7)*22 + 5",), ("",), ("((2))*[3 ",)]),
    ],
)
def test_loops_follow_from_calls(text: str, vectors: list[tuple[str, ...]], tmp_path: Path) -> None:
    loops, source = _analyzed(tmp_path, text), Source(tuple(text.splitlines()))
    laws = {n: line.partition("// law:")[2].strip() for n, line in enumerate(source.lines, 1)}
    assert {n for n, line in enumerate(source.lines, 1) if "// law:" in line} == loops.keys()
    heads = {f"{name}_calls": lines[0] for name, lines in source.functions.items()}
    assert all(loop.total.formula is not None for loop in loops.values())
    compiler = find_compiler()
    if compiler.kind != "clang":
        pytest.skip("no clang")
    marked = [
        line.replace("// law:", "/* law:") + " */" * ("// law:" in line) for line in source.lines
    ]
    twin = build(
        Source(tuple(marked)).instrumented(statements=True), ".c", tmp_path, compiler, name="twin"
    )
    for vector in vectors:
        run = twin.run(vector, {})
        assert run is not None
        assert run.is_meaningful
        values = {name: run.calls.get(line, 0) for name, line in heads.items()}
        if text == TREE:
            values |= {"n": int(vector[0]), "rounds": int(vector[1])}
        for line, law in laws.items():
            if law:
                found = loops[line].total.evaluate(values)
                assert found == run.iterations.get(line, 0), (line, loops[line].total)
                assert found == eval(law, {}, values)  # noqa: S307


def test_functions_below_many_that_data_decide_on_are_named_by_their_own_calls(
    tmp_path: Path,
) -> None:
    calls = "\n".join(
        f"static int f{k}(int x) {{ scan(); return x > {k} ? f{(k + 1) % 6}(at[x]) : x; }}"
        for k in range(6)
    )
    text = f"""#include <stdlib.h>
static int at[64];
static volatile int sink;
static void scan(void) {{
  for (int k = 0; k < 4; k++) sink = k;
}}
{"".join(f"static int f{k}(int x);" for k in range(6))}
{calls}
int main(int argc, char **argv) {{
  for (int k = 0; k < 64; k++) at[k] = rand() % 64;
  return f0(atoi(argv[1]));
}}
"""
    found = _analyzed(tmp_path, text)[5].total
    assert str(found.formula) == "4*scan_calls"
    assert [o.meaning for o in found.opaque] == ["calls of scan"]


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("step", "step"),
        ("operator()<std::vector<int>, (lambda)>", "function"),
        ("operator<<", "operator<<"),
        ("operator<", "operator<"),
        ("largest<Grid<double> >", "largest"),
    ],
)
def test_counts_of_calls_are_named_after_templates(name: str, plain: str) -> None:
    assert plain_name(name) == plain


def test_calls_none_of_which_returns_have_no_law(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text("""static void walk(int from, int n) {
    for (int i = from; i < n; i++) walk(i + 1, n);
    walk(from + 1, n); }
void f(int n) { walk(0, n); }
""")
    found = analyze(canonical(compile_sources([file])), entry="f").loops[0].total
    assert found.kind != "exact"
