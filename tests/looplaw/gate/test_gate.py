"""looplaw diff between versions of programs: the exit code, the findings, the formats."""

import json
import subprocess
from collections.abc import Collection
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from looplaw.cli.main import main
from looplaw.gate.program import FunctionLaws
from looplaw.gate.revisions import revision
from looplaw.gate.versions import Unit
from looplaw_common.errors import InputError

LINEAR = """\
int scan(const int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}
"""
INNER = "for each step of the loop in line 3, the loop in line 4 runs"
QUADRATIC = LINEAR.replace("s += a[i];", "for (int j = 0; j <= i; j++) s += a[j];")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)


def diff(*words: object) -> Result:
    return CliRunner().invoke(main, ["diff", *map(str, words)])


def compared(folder: Path, before: str, after: str, *words: str) -> Result:
    for name, text in (("old.c", before), ("new.c", after)):
        (folder / name).write_text(text)
    return diff(folder / "old.c", folder / "new.c", *words)


def test_a_new_inner_loop_is_growth(tmp_path: Path) -> None:
    done = compared(tmp_path, LINEAR, QUADRATIC)
    assert done.exit_code == 1
    assert (
        done.stdout.splitlines()[0] == f"new.c:4 scan: n -> n*(n + 1)/2  (grows faster: n; {INNER})"
    )


def test_loops_that_call_what_grew_are_named(tmp_path: Path) -> None:
    calls = """\
int all(const int *a, int n, int m) {
    int s = 0;
    for (int k = 0; k < m; k++)
        s += scan(a, n);
    return s;
}
"""
    done = compared(tmp_path, LINEAR + calls, QUADRATIC + calls)
    assert done.stdout.splitlines()[0].endswith(f"{INNER}; called in the loop at new.c:9 (all))")


# Each is what a documented example of Infer's cost analysis shows, in a source of our own.
INFER = {
    "a call moved into the condition": (
        """
        static int size(int n) { int c = 0; for (int i = 0; i < n; i++) c++; return n; }
        void fill(int *a, int n) { int m = size(n); for (int i = 0; i < m; i++) a[i] = 0; }
        """,
        """
        static int size(int n) { int c = 0; for (int i = 0; i < n; i++) c++; return n; }
        void fill(int *a, int n) { for (int i = 0; i < size(n); i++) a[i] = 0; }
        """,
        1,
    ),
    "a constant bound becomes a parameter": (
        "void fill(int *a, int n) { for (int i = 0; i < 100; i++) a[i] = n; }",
        "void fill(int *a, int n) { for (int i = 0; i < n; i++) a[i] = n; }",
        1,
    ),
    "a nested loop in both arguments": (
        "void fill(int *a, int n, int m) { for (int i = 0; i < n + m; i++) a[i] = n; }",
        "void fill(int *a, int n, int m) {"
        " for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i] = n; }",
        1,
    ),
    "a loop that doubles becomes one that adds": (
        "int steps(int n) { int s = 0; for (int i = 1; i < n; i *= 2) s++; return s; }",
        "int steps(int n) { int s = 0; for (int i = 1; i < n; i++) s++; return s; }",
        1,
    ),
    "a second loop beside the first is a constant factor": (
        "void fill(int *a, int n) { for (int i = 0; i < n; i++) a[i] = n; }",
        "void fill(int *a, int n) { for (int i = 0; i < n; i++) a[i] = n;"
        " for (int i = 0; i < n; i++) a[i]++; }",
        0,
    ),
    "recursion doubled": (
        "int f(int n) { return n < 1 ? 1 : 1 + f(n - 1); }",
        "int f(int n) { return n < 1 ? 1 : f(n - 1) + f(n - 1); }",
        1,
    ),
}


@pytest.mark.parametrize("name", INFER)
def test_examples_of_infer(name: str, tmp_path: Path) -> None:
    before, after, code = INFER[name]
    assert compared(tmp_path, before, after).exit_code == code
    assert compared(tmp_path, before, before).exit_code == 0


@pytest.mark.parametrize(
    "after",
    [
        LINEAR.replace("scan", "total"),
        LINEAR.replace("int n", "int count").replace("< n", "< count"),
        LINEAR.replace("for (int i = 0; i < n; i++)\n", "int i = -1; while (++i < n)\n"),
        "static int at(const int *a, int i) { return a[i]; }\n"
        + LINEAR.replace("a[i];", "at(a, i);"),
        LINEAR.replace("s += a[i];", "for (int k = 0; k < 4; k++) s += a[i] * k;"),
        "/* a comment */\n\n" + LINEAR,
    ],
)
def test_neutral_edits_pass(after: str, tmp_path: Path) -> None:
    done = compared(tmp_path, LINEAR, after)
    assert done.exit_code == 0, done.stdout


def test_what_ends_a_loop_is_undecided_when_it_changes(tmp_path: Path) -> None:
    before = "int find(const int *a) { int i = 0; while (a[i] != 0) i += 2; return i; }"
    done = compared(tmp_path, before, before.replace("i += 2", "i += 1"))
    assert done.exit_code == 3
    assert "undecided" in done.stdout
    assert (
        compared(
            tmp_path,
            before,
            before.replace("i", "k")
            .replace("knt", "int")
            .replace("whkle", "while")
            .replace("fknd", "find"),
        ).exit_code
        == 0
    )
    passing = compared(tmp_path, before, before.replace("i += 2", "i += 1"), "--undecided", "pass")
    assert passing.exit_code == 0


def test_constant_factors_are_growth_where_asked_for(tmp_path: Path) -> None:
    after = LINEAR.replace("s += a[i];", "for (int k = 0; k < 4; k++) s += a[i] * k;")
    assert compared(tmp_path, LINEAR, after, "--factor", "1.5").exit_code == 1


def test_formats(tmp_path: Path) -> None:
    sarif, junit = tmp_path / "out.sarif", tmp_path / "out.xml"
    done = compared(
        tmp_path, LINEAR, QUADRATIC, "--json", "-", "--sarif", str(sarif), "--junit", str(junit)
    )
    data = json.loads(done.stdout)
    assert data["format"] == "looplaw-diff/1"
    assert data["findings"] == [
        {
            "kind": "growth",
            "function": "scan",
            "at": "new.c:4",
            "before": "n",
            "after": "n*(n + 1)/2",
            "faster_in": ["n"],
            "reason": INNER,
        }
    ]
    assert json.loads(sarif.read_text())["runs"][0]["results"][0]["level"] == "error"
    assert ElementTree.parse(junit).getroot().find("testsuite").get("failures") == "1"  # type: ignore[union-attr]
    shown = compared(tmp_path, LINEAR, QUADRATIC, "--format", "markdown", "--github").stdout
    assert "**grows faster** in n" in shown
    assert "::error file=new.c,line=4,title=scan%3A growth::" in shown


def _git(folder: Path, *words: str) -> None:
    subprocess.run(
        ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", *words],
        check=True,
        capture_output=True,
    )


def test_a_regression_in_one_commit_of_a_repository(tmp_path: Path) -> None:
    top = tmp_path / "repository"
    (top / "src").mkdir(parents=True)
    _git(tmp_path, "init", "-q", str(top))
    for k in range(3):
        (top / "src" / f"part{k}.c").write_text(LINEAR.replace("scan", f"scan{k}"))
    _git(top, "add", ".")
    _git(top, "commit", "-qm", "first")
    (top / "src" / "part1.c").write_text(QUADRATIC.replace("scan", "scan1"))
    _git(top, "commit", "-qam", "second")
    (top / "src" / "part2.c").write_text("// moved\n" + LINEAR.replace("scan", "scan2"))
    _git(top, "commit", "-qam", "third")
    before = subprocess.run(["git", "-C", str(top), "status", "--porcelain"], capture_output=True)
    grown = diff("--base", "HEAD~2", "--head", "HEAD~1", top / "src")
    assert (grown.exit_code, grown.stdout.splitlines()[0]) == (
        1,
        f"src/part1.c:4 scan1: n -> n*(n + 1)/2  (grows faster: n; {INNER})",
    )
    assert diff("--base", "HEAD~1", top / "src").exit_code == 0
    assert diff("--base", "HEAD~2", top).exit_code == 1
    database = tmp_path / "compile_commands.json"
    entry = {"directory": str(top), "file": "src/part1.c", "command": "cc -Isrc -O2 -c src/part1.c"}
    database.write_text(json.dumps([entry]))
    only = diff("--base", "HEAD~2", "--compile-commands", database, top)
    assert only.exit_code == 1
    named = diff("--log", "HEAD~2..HEAD", top).stdout.splitlines()
    assert (
        f"(second): src/part1.c:4 scan1: n -> n*(n + 1)/2  (grows faster: n; {INNER})" in named[0]
    )
    assert len(named) == 2
    assert diff("--log", "HEAD", top).exit_code == 2
    after = subprocess.run(["git", "-C", str(top), "status", "--porcelain"], capture_output=True)
    assert before.stdout == after.stdout
    wrong = diff("--base", "nowhere", top)
    assert wrong.exit_code == 2
    assert "nowhere" in wrong.stderr


def test_a_saved_analysis_against_its_next_version(tmp_path: Path) -> None:
    call = "\n#include <stdlib.h>\nint main(int c, char **v) { int n = atoi(v[1]);"
    call += " int *a = calloc(n, 4); return scan(a, n); }\n"
    (tmp_path / "old.c").write_text(LINEAR + call)
    (tmp_path / "new.c").write_text(QUADRATIC + call)
    saved = tmp_path / "old.json"
    assert (
        CliRunner()
        .invoke(main, ["analyze", str(tmp_path / "old.c"), "--json", str(saved)])
        .exit_code
        == 0
    )
    assert diff(saved, tmp_path / "new.c").exit_code == 1
    assert diff(saved, tmp_path / "old.c").exit_code == 0


def test_wrong_usage_says_what_to_type(tmp_path: Path) -> None:
    done = diff(tmp_path)
    assert done.exit_code == 2
    assert "--base" in done.stderr


SMALL_BESIDE_LARGE = """
#include <string.h>
static volatile int sink;
static int size(int n) {{ int c = 0; for (int i = 0; i < n; i++) {{ c++; sink++; }} return c; }}
int work(const char *s, int n) {{
    {0}
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) sink++;
    return size(n);
}}
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("for (int i = 0; i < 8; i++) sink++;", "for (int i = 0; i < n; i++) sink++;"),
        ("for (int i = 1; i < n; i *= 2) sink++;", "for (int i = 1; i < n; i++) sink++;"),
        (
            "for (int i = 0; i < n; i++) sink++;",
            "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) sink++;",
        ),
        (
            "int m = size(n); for (int i = 0; i < n; i++) sink += m;",
            "for (int i = 0; i < n; i++) sink += size(n);",
        ),
        (
            "int m = strlen(s); for (int i = 0; i < m; i++) sink++;",
            "for (int i = 0; i < strlen(s); i++) sink++;",
        ),
        (
            "if (n < 10) for (int i = 1; i < n; i *= 2) sink++;",
            "if (sink == 3) for (int i = 0; i < n; i++) sink++;",
        ),
        ("", "for (int i = 0; i < n; i++) sink++;"),
    ],
)
def test_growth_that_larger_work_hides(before: str, after: str, tmp_path: Path) -> None:
    texts = [SMALL_BESIDE_LARGE.format(text) for text in (before, after)]
    assert compared(tmp_path, *texts).exit_code in (1, 3)
    assert compared(tmp_path, texts[0], texts[0]).exit_code == 0


def test_a_library_function_in_a_loop(tmp_path: Path) -> None:
    before = """
    #include <string.h>
    int spaces(const char *s, int n) {
        int m = strlen(s), c = 0;
        for (int i = 0; i < n; i++) c += s[i] == ' ' && i < m;
        return c;
    }
    """
    after = before.replace("i < m", "i < (int)strlen(s)")
    done = compared(tmp_path, before, after)
    assert done.exit_code == 1
    assert "library steps: " in done.stdout.splitlines()[0]


def test_a_loop_that_was_split_is_not_new(tmp_path: Path) -> None:
    head = "void f(int *a, int *b, int n) { for (int k = 0; k < n; k++) for (int i = 0; i < n; i++)"
    both = head + " for (int j = 0; j < n; j++) { a[j] += i; b[j] += k; } %s }"
    one = "for (int i = 0; i < n; i++) { a[i] = 1; b[i] = 2; }"
    two = "for (int i = 0; i < n; i++) a[i] = 1; for (int i = 0; i < n; i++) b[i] = 2;"
    assert compared(tmp_path, both % one, both % two).exit_code == 0


RENDERED = """
struct node { int kind; struct node *parent, *first, *next; };
int render(struct node *n) {
    int s = 0;
    struct node *p = n;
    %s
    if (n->kind == 1)
        for (struct node *c = n->first; c; c = c->next) { s += c->kind; %s }
    return s + (p ? p->kind : 0);
}
"""
NO_TIME = ("--budget-total", "0.01")
UPWARDS = "while (p && p->kind < 10) p = p->parent;"


def test_a_walk_where_nothing_was_walked_is_growth_without_laws(tmp_path: Path) -> None:
    before = RENDERED % ("", "")
    done = compared(tmp_path, before, RENDERED % (UPWARDS, ""), *NO_TIME)
    assert done.exit_code == 1
    assert "the list of ->parent (line 6) is walked" in done.stdout
    beside = RENDERED.replace("        for", f"        {{ {UPWARDS} for").replace("%s }", "%s }}")
    assert compared(tmp_path, before, beside % ("", ""), *NO_TIME).exit_code == 0


@pytest.mark.parametrize(("step", "code"), [("i *= 2", 1), ("i++", 0)])
def test_one_activation_of_a_recursion_without_a_law(step: str, code: int, tmp_path: Path) -> None:
    text = """
    int find(int *a, int n) {
        if (n < 2) return a[0];
        for (int i = 1; i < n; %s) a[i]++;
        return a[n / 2] > 0 ? find(a, n / 2) : find(a + n / 2, n - n / 2) %s;
    }
    """
    after = text % ("i++", "")
    assert compared(tmp_path, text % (step, ""), after).exit_code == code
    assert compared(tmp_path, after, text % ("i++", "+ find(a, n - 1)")).exit_code in (1, 3)


TOWERS = """
static volatile int sink;
void towers(int n) {
    if (n <= 0) return;
    towers(n - 1);
    for (int i = 0; i < %s; i++) sink++;
    towers(n - 1);
}
"""


def test_a_loop_that_all_calls_of_a_recursion_together_hide(tmp_path: Path) -> None:
    """8 iterations at each of 2**n nodes are as many as n: 8*2**n - 8 and 2*2**n - n - 2."""
    done = compared(tmp_path, TOWERS % "8", TOWERS % "n")
    assert done.exit_code == 1
    assert "grows faster: n" in done.stdout
    assert compared(tmp_path, TOWERS % "n", TOWERS % "8").exit_code == 0


def test_what_other_variables_hold_does_not_decide_on_a_recursion(tmp_path: Path) -> None:
    text = """
    static volatile int sink;
    %s
    void perhaps(int *a, int n) {
        if (n <= 0) return;
        %s
        if (a[n] & 1) perhaps(a, n - 1);
    }
    """
    loop = "for (int k = 0; k < n; k++) sink++;"
    called = text % (f"static void spin(int n) {{ {loop} }}", "spin(n);")
    assert compared(tmp_path, called, text % ("", loop)).exit_code == 0
    assert compared(tmp_path, text % ("", loop), called).exit_code == 0
    changed = text.replace("& 1", "& 3")
    assert compared(tmp_path, text % ("", loop), changed % ("", loop)).exit_code == 0


@pytest.mark.parametrize("loop", ["i < n && i < (int)strlen(s)", "i < n && sink < (int)strlen(s)"])
def test_strlen_in_a_condition_that_data_decide(loop: str, tmp_path: Path) -> None:
    text = """
    #include <string.h>
    static volatile int sink;
    void f(char *s, int n) {
        int m = (int)strlen(s);
        for (int i = 0; %s; i++) { sink++; s[i]--; }
    }
    """
    before = text % loop.replace("(int)strlen(s)", "m")
    done = compared(tmp_path, before, text % loop)
    assert done.exit_code == 1, done.stdout
    assert compared(tmp_path, text % loop, before).exit_code in (0, 3)


SUMS = """\
double smooth(const double *x, double *y, int n, int steps) {
    double s = 0;
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++)
            y[i] += x[i];
    for (int i = 0; i < n; i++)
        s += y[i];
    return s;
}
"""


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        ("y[i] += x[i]", "y[t * n + i] += x[i]", 1),  # as much work, a row for each step
        ("y[t * n + i] += x[i]", "y[i] += x[i]", 0),
        ("y[i] += x[i]", "y[i] += 2 * x[i]", 0),
        ("y[i] += x[i]", "y[i] += x[(int)x[i]]", 3),  # wherever that is
    ],
)
def test_the_memory_that_is_touched_may_grow(
    before: str, after: str, code: int, tmp_path: Path
) -> None:
    old, new = (SUMS.replace("y[i] += x[i]", text) for text in (before, after))
    assert compared(tmp_path, old, new).exit_code == 0
    done = compared(tmp_path, old, new, "--metric", "footprint")
    assert done.exit_code == code, done.output
    assert ("grows faster: steps" in done.output) == (code == 1)


WALK = """\
#include "node.h"
int depth(struct node *x) { int d = 0; while (x) { d++; x = x->up; } return d; }
"""
NODE = "#pragma once\nstruct node { struct node *up; int v; };\nint depth(struct node *x);\n"
USE = """\
#include "node.h"
int fill(struct node *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i].v;
    return s;
}
"""
WALKING = USE.replace("a[i].v", "depth(&a[i])")


def _sources(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_a_function_of_another_source_costs_what_it_does_there(tmp_path: Path) -> None:
    files = {"node.h": NODE, "walk.c": WALK, "use.c": USE}
    old = _sources(tmp_path / "old", files)
    done = diff(old, _sources(tmp_path / "new", {**files, "use.c": WALKING}))
    assert (done.exit_code, done.stdout.splitlines()[0]) == (
        1,
        "use.c:4 fill: n -> nodes*n  (grows faster: nodes; for each step of the loop in line 4,"
        " depth() is called, which has loops of its own)",
    )
    constant = WALK.replace("while (x)", "if (x)")
    files["walk.c"] = constant
    old = _sources(tmp_path / "old", files)
    assert diff(old, _sources(tmp_path / "new", {**files, "use.c": WALKING})).exit_code == 0
    alone = _sources(tmp_path / "alone", {"node.h": NODE, "use.c": WALKING})
    said = diff(old / "use.c", alone / "use.c", "--json", "-")
    (found,) = json.loads(said.stdout)["findings"]
    assert (said.exit_code, found["function"], found["at"]) == (3, "fill", "use.c:4")
    assert "depth(), whose body is not in the sources" in found["reason"]


def test_a_function_that_many_programs_include_is_judged_once(tmp_path: Path) -> None:
    """A source that tests include, and an inline function of a header, are one finding each, under
    their own names."""
    walk = "for (int i = 0; i < n; i++) s += i;"
    twice = f"for (int j = 0; j < n; j++) {walk}"
    library = '#include "inline.h"\nvolatile int s;\nvoid f(int n) {{ {} }}\n'
    header = "extern volatile int s;\nstatic inline void g(int n) {{ {} }}\n"
    body = "{ g(2); f(3); return s; }"
    tests = {
        f"tests/test{k}.c": f'#include "../lib.c"\nint test{k}(void) {body}\n' for k in range(3)
    }
    use = {"use.c": '#include "inline.h"\nvolatile int s;\nvoid h(int n) { g(n); }\n'}
    for name, loop in (("old", walk), ("new", twice)):
        parts = {"lib.c": library.format(loop), "inline.h": header.format(loop)}
        _sources(tmp_path / name, {**parts, **tests, **use})
    done = diff(tmp_path / "old", tmp_path / "new", "--json", "-")
    found = [c for c in json.loads(done.stdout)["findings"] if c["kind"] == "growth"]
    assert sorted((c["function"], c["at"].split(":")[0]) for c in found) == [
        ("f", "lib.c"),
        ("g", "inline.h"),
    ]


@pytest.mark.parametrize("is_database", [False, True])
def test_each_version_has_its_own_headers_and_those_of_the_build(
    is_database: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    header = '#include "made.h"\nstatic inline int size(int n) { return %s; }\n'
    use = """
    #include "size.h"
    void fill(int *a, int n) { for (int i = 0; i < size(n); i++) a[i] = MADE; }
    """
    top = _sources(tmp_path / "top", {"inc/size.h": header % "8", "src/fill.c": use})
    _git(tmp_path, "init", "-q", str(top))
    _git(top, "add", ".")
    _git(top, "commit", "-qm", "first")
    _sources(top, {"inc/size.h": header % "n"})
    _git(top, "commit", "-qam", "second")
    _sources(top, {"inc/made.h": "#define MADE 1\n"})  # which a build writes
    monkeypatch.chdir(top)
    words = ["--flag=-Iinc"]
    if is_database:
        entry = {"directory": str(top / "inc"), "file": "../src/fill.c"}
        entry["command"] = "cc -I . -c ../src/fill.c"
        (tmp_path / "commands.json").write_text(json.dumps([entry]))
        words = ["--compile-commands", str(tmp_path / "commands.json")]
    done = diff("--base", "HEAD~1", "src", *words)
    assert (done.exit_code, done.stdout.splitlines()[0]) == (
        1,
        "src/fill.c:3 fill: 8 -> n  (grows faster: n)",
    )
    back = diff("--base", "HEAD", "--head", "HEAD~1", "src", *words)
    assert back.exit_code == 0, back.output


def test_two_folders_with_headers_of_their_own(tmp_path: Path) -> None:
    use = "#include <size.h>\nvoid f(int *a, int n) { for (int i = 0; i < SIZE; i++) a[i] = n; }\n"
    sides = [
        _sources(tmp_path / side, {"inc/size.h": f"#define SIZE {size}\n", "f.c": use})
        for side, size in (("old", "8"), ("new", "n"))
    ]
    assert diff(*sides, f"--flag=-I{sides[0] / 'inc'}").exit_code == 1


def test_one_file_that_does_not_compile_leaves_the_others_judged(tmp_path: Path) -> None:
    old = _sources(tmp_path / "old", {"scan.c": LINEAR, "other.c": "int f(void) { return 1; }\n"})
    new = _sources(tmp_path / "new", {"scan.c": QUADRATIC, "other.c": "int f(void) { return }\n"})
    done = diff(old, new)
    assert done.exit_code == 1
    assert "scan.c:4 scan: n -> n*(n + 1)/2" in done.stdout
    assert "other.c:1 other.c: undecided: not compared: " in done.stdout
    assert diff(old / "other.c", new / "other.c").exit_code == 2


def test_a_function_that_fails_leaves_the_others_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def alone(unit: Unit, f: FunctionLaws, far: Collection[str] = ()) -> FunctionLaws | None:
        if f.name == "broken":
            raise KeyError("broken")
        return known(unit, f, far)

    known = Unit.alone
    monkeypatch.setattr(Unit, "alone", alone)
    both = LINEAR + LINEAR.replace("scan", "broken")
    done = compared(tmp_path, both, both.replace("s += a[i];", "for (;;) s += a[i];"))
    said = "the function cannot be analysed: internal error: KeyError: 'broken'; please report it"
    assert f"new.c:7 broken: undecided: {said}" in done.stdout
    assert "scan: " in done.stdout


def test_a_tree_with_names_outside_of_it_writes_nothing(tmp_path: Path) -> None:
    """git checks out no such tree, but an object may hold one."""
    folder, scratch = tmp_path / "repository", tmp_path / "a" / "scratch"
    folder.mkdir()
    scratch.mkdir(parents=True)

    def git(*words: str, given: bytes = b"") -> str:
        command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", *words]
        return subprocess.run(command, input=given, capture_output=True, check=True).stdout.decode()

    def tree(mode: str, name: str, of: str) -> str:
        entry = f"{mode} {name}\0".encode() + bytes.fromhex(of)
        words = ("hash-object", "-t", "tree", "-w", "--literally", "--stdin")
        return git(*words, given=entry).strip()

    git("init", "-q")
    blob = git("hash-object", "-w", "--stdin", given=b"int evil;\n").strip()
    outside = tree("40000", "..", tree("100644", "evil.c", blob))
    commit = git("commit-tree", outside, "-m", "x").strip()
    with pytest.raises(InputError, match="outside of it"), revision(commit, folder, scratch):
        pass
    assert not list(tmp_path.rglob("evil.c"))


def test_a_clone_without_some_files_is_read(tmp_path: Path) -> None:
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(tmp_path))
    subprocess.run([*git, "init", "-q"], check=True)
    for name, text in (("a.c", LINEAR), ("large.h", "int large;\n")):
        (tmp_path / name).write_text(text)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "one"], check=True)
    asked = subprocess.run([*git, "rev-parse", "HEAD:large.h"], capture_output=True, check=True)
    blob = asked.stdout.decode().strip()
    (tmp_path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with revision("HEAD", tmp_path, tmp_path) as tree:
        assert [f.name for f in tree.iterdir()] == ["a.c"]


def test_what_a_project_that_builds_has_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Flags of the build folder's database; a header as what includes it; what a call costs, from
    the other files of the repository."""
    used = '#include "walk.h"\nint fill(struct n *r, int k) {\n%s    return s; }\n'
    once = "    int s = 0, d = DEPTH(r);\n    for (int i = 0; i < k; i++) s += d;\n"
    each = "    int s = 0;\n    for (int i = 0; i < k; i++) s += DEPTH(r);\n"
    texts = {
        "src/walk.h": "struct n { struct n *up; }; int depth(struct n *); int plain(struct n *);\n",
        "src/walk.c": '#include "walk.h"\n'
        "int depth(struct n *x) { int d = 0; for (; x; x = x->up) d++; return d; }\n"
        "int plain(struct n *x) { return x != 0; }\n",
        "use.c": used % once,
    }
    monkeypatch.chdir(tmp_path)
    _git(tmp_path, "init", "-q", ".")
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    _git(tmp_path, "add", ".")
    _git(tmp_path, "commit", "-qm", "first")
    (tmp_path / "use.c").write_text(used % each)
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / ".gitignore").write_text("*\n")
    (tmp_path / "build" / "probe.c").write_text("no program\n")
    for called, code in (("depth", 1), ("plain", 0)):
        command = ["cc", "-Isrc", f"-DDEPTH={called}", "-c", "use.c"]
        row = {"directory": str(tmp_path), "file": "use.c", "arguments": command}
        (tmp_path / "build" / "compile_commands.json").write_text(json.dumps([row]))
        for path in ("use.c", "src/walk.h", "."):
            done = CliRunner().invoke(main, ["diff", "--base", "HEAD", path])
            assert done.exit_code == code, done.output


LIST_H = """\
#pragma once
#include <stdlib.h>
struct list { struct list *next; int v; };
int error(const char *form, ...);
void *get(size_t n);
struct list **append(struct list **tail, int v);
void insert(struct list **at, int v);
"""
LIST = """\
#include "list.h"
int error(const char *form, ...) { int n = 0; while (*form++) n++; return n; }
void *get(size_t n) { if (n > 99) error("%d is too much", (int)n); return malloc(n); }
struct list **append(struct list **tail, int v) {
    *tail = get(sizeof **tail);
    (*tail)->v = v;
    return &(*tail)->next;
}
void insert(struct list **at, int v) {
    while (*at && (*at)->v < v) at = &(*at)->next;
    append(at, v);
}
"""
FILL = """\
#include "list.h"
void fill(struct list **first, const int *v, int n) {
    struct list **tail = first;
    for (int i = n - 1; i >= 0; i--)
        tail = append(tail, v[i]);
}
"""


@pytest.mark.parametrize(
    ("after", "code", "said"),
    [
        ("insert(first, v[i])", 1, "line 4, insert() is called, which has loops of its own"),
        ("{ tail = append(tail, v[i]); get(8); }", 0, ""),  # a message is no walk
        ("{ tail = append(tail, v[i]); insert(first, 0); }", 1, "insert() is called, which has"),
    ],
)
def test_a_call_of_another_source_is_as_deep_as_its_walks(
    after: str, code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = _sources(tmp_path / "top", {"list.h": LIST_H, "list.c": LIST, "fill.c": FILL})
    _git(tmp_path, "init", "-q", str(top))
    _git(top, "add", ".")
    _git(top, "commit", "-qm", "first")
    _sources(top, {"fill.c": FILL.replace("tail = append(tail, v[i])", after)})
    _git(top, "commit", "-qam", "second")
    monkeypatch.chdir(top)
    done = CliRunner().invoke(main, ["diff", "--base", "HEAD~1", "--head", "HEAD", "fill.c"])
    assert (done.exit_code, said in done.stdout) == (code, True), done.output
