"""Which functions code outside of the program may call: those whose addresses it may hold."""

from pathlib import Path

import pytest

from staticana import analyze, canonical, compile_sources

HEAD = """
#include <stdio.h>
#include <stdlib.h>
struct object { void (*f)(int); FILE *out; struct object *next; };
void keep(struct object *), take(void (*)(int)), show(const char *);
int loop(void);
static int sink;
static void work(int n) { for (int i = 0; i < n; i++) sink += i; }
static void set(struct object *o, void (*f)(int)) { o->f = f; }
static struct object *made(void (*f)(int)) {
    struct object *o = calloc(1, sizeof *o);
    if (!o) abort();
    set(o, f);
    return o;
}
"""
OUTSIDE = {
    "in an object that a setter fills": "struct object o; set(&o, work); keep(&o);",
    "in an object that a maker returns": "keep(made(work));",
    "in a list": "struct object l = {0}; l.next = made(work); keep(&l);",
    "through a function of its own": "void (*f)(int) = work; take(f);",
    "called here, too": "struct object o; set(&o, work); o.f(5); keep(&o);",
    "in a variable of others": "extern struct object *theirs; theirs = made(work);",
    "as a number": "struct object o; *(long *)&o.f = (long)work; keep(&o);",
    "copied": "struct object a, b; set(&a, work); __builtin_memcpy(&b, &a, sizeof a); keep(&b);",
}
INSIDE = {
    "only called": ('work(3); show("text");', "3"),
    "nothing is handed out": ("struct object o; set(&o, work); o.f(4); loop();", "4"),
}


def _total(body: str, folder: Path) -> tuple[str, str | None]:
    (folder / "a.c").write_text(f"{HEAD}int main(void) {{ {body} return loop() + sink; }}\n")
    text = canonical(compile_sources([folder / "a.c"]))
    (loop,) = [r for r in analyze(text, matrix=False).loops if r.function == "work"]
    return loop.total.kind, None if loop.total.formula is None else str(loop.total.formula)


@pytest.mark.parametrize("name", OUTSIDE)
def test_what_others_hold_is_called_nobody_knows_how_often(name: str, tmp_path: Path) -> None:
    kind, formula = _total(OUTSIDE[name], tmp_path)
    assert kind == "parametric"
    assert "work_calls" in (formula or "")


@pytest.mark.parametrize("name", INSIDE)
def test_what_stays_inside_is_counted(name: str, tmp_path: Path) -> None:
    body, total = INSIDE[name]
    assert _total(body, tmp_path) == ("exact", total)


def test_what_others_can_name_they_are_taken_not_to_call(tmp_path: Path) -> None:
    """A file that is not here may call a function by its name; its own name it cannot know."""
    (tmp_path / "a.c").write_text(
        """
        void elsewhere(void);
        int sink;
        static void inner(int n) { for (int i = 0; i < n; i++) sink += i; }
        static void own(int n) { for (int i = 0; i < n; i++) sink += i; }
        void named(int n) { inner(n); }
        void never(int n) { for (int i = 0; i < n; i++) sink += i; }
        int main(void) { named(3); own(4); elsewhere(); return 0; }
        """
    )
    loops = {
        r.function: r.total for r in analyze(canonical(compile_sources([tmp_path / "a.c"]))).loops
    }
    said = "code outside the program calls none of its functions by name"
    assert str(loops["inner"].formula) == "3"
    assert said in loops["inner"].assumptions
    assert str(loops["own"].formula) == "4"
    assert not loops["own"].assumptions
    assert loops["never"].kind == "unknown"
    assert said in (loops["never"].reason or "")
