"""What users state in comments and in laws.toml: read, held, and used by diff."""

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from looplaw.check.comments import owner, read_comments
from looplaw.check.relations import parse_relations
from looplaw.cli.main import main
from looplaw.documents.study import StudyDocument
from looplaw.gate.stated_runs import hold_in_study
from looplaw_common.errors import InputError
from looplaw_common.formula.formula import parse_formula
from modeling.pmnf.law_comparison import compare_laws
from modeling.pmnf.region import Region
from staticana.frontend.fortran import find_flang


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [*map(str, words)])


PROGRAM = """\
#include <stdlib.h>
static volatile long s;
// looplaw: n <= 1e6, 1 <= m
// looplaw: grows no faster than n*log2(n) + m
static void f(int n, int m) {
    for (int i = 0; i < n; i++) s++;   // looplaw: iterations <= n
    for (int i = 0; i < m; i++) s++;
}
/* looplaw: grows no faster than n */
static void g(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) s++;
}
static void h(int n) { if (n < 100) f(2 * n, 3); }
int main(int argc, char **argv) {
    f(2000000, 3);
    h(atoi(argv[1]));
    g(atoi(argv[2]));
    return 0;
}
"""


def test_what_is_stated_is_held_without_a_run(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(PROGRAM)
    done = run("check", "a.c", "--json", "-")
    assert done.exit_code == 1
    found = {
        (f["kernel"], f["metric"], f["expect"]): f for f in json.loads(done.stdout)["findings"]
    }
    status = {key: f["status"] for key, f in found.items()}
    assert status == {
        ("f", "work", "O(n*log2(n) + m)"): "holds",
        ("f", "iterations", "<= n"): "holds where",  # n >= 0: a size
        ("g", "work", "O(n)"): "broken",
        ("f", "n", "<= 1e6"): "broken",
        ("f", "m", ">= 1"): "holds",
    }
    assert found["f", "n", "<= 1e6"]["at"] == "a.c:16:5"
    assert "n = 2000000" in found["f", "n", "<= 1e6"]["reason"]
    assert "stated at a.c:9" in found["g", "work", "O(n)"]["reason"]
    (tmp_path / "a.c").write_text(
        PROGRAM.replace("2000000", "20").replace("r than n */", "r than n^2 */")
    )
    done = run("check", "a.c", "--json", "-")
    assert done.exit_code == 0
    found = json.loads(done.stdout)["findings"]
    assert {f["status"]: f["where"] for f in found} == {"holds": [], "holds where": ["n >= 0"]}


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("// looplaw: n =< 3", "=="),
        ("// looplaw: n", "write a relation"),
        ("// looplaw: grows faster than n", "grows no faster than"),
        ("// looplaw: grows no faster than 2n", "write *"),
        ("// looplaw grows no faster than n", "write a colon"),
        ("// looplaw: rows <= 5", "rows"),
        ("/* looplaw: size grows no faster than n */", "write work"),
        ("// looplaw:", "write a relation"),
    ],
)
def test_a_comment_that_cannot_be_read_is_an_error(comment: str, said: str, tmp_path: Path) -> None:
    code = "void f(int *a, int n) { for (int i = 0; i < n; i++) a[i] = n; }\n"
    (tmp_path / "a.c").write_text(code)
    (tmp_path / "b.c").write_text(f"\n{comment}\n{code}")
    for done in (run("check", "b.c"), run("diff", "a.c", "b.c")):
        assert done.exit_code == 2
        assert done.stderr.startswith("looplaw: b.c:2:")
        assert said in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_a_law_that_no_function_follows_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(
        "int f(int n) { return n; }\n// looplaw: grows no faster than n\n"
    )
    done = run("check", "a.c")
    assert (done.exit_code, "a.c:2" in done.stderr) == (2, True)


def test_strings_and_prose_state_nothing() -> None:
    text = 'char *s = "// looplaw: bad"; // looplaw is a tool\n/* see looplaw */\n'
    assert read_comments("a.c", text) == ()
    assert read_comments("a.f90", "print *, '! looplaw: bad'\n") == ()


def test_what_a_comment_is_about() -> None:
    text = (
        "// looplaw: n >= 0\n"
        "int x;\n"
        "// looplaw: m >= 0\n"
        "static int\n"
        "f(int m, int n)\n"
        "{\n"
        "    // looplaw: grows no faster than n\n"
        "    for (;;) {}\n"
        "    // looplaw: n < m\n"
        "}\n"
        "struct S {\n"
        "    // looplaw: work <= k\n"
        "    int g(int k) const { return k; }\n"
        "};\n"
    )
    about = [owner(s, text, [("f", 5), ("g", 13)], [8]) for s in read_comments("a.cc", text)]
    assert [(a.kind, a.name or a.line) for a in about] == [
        ("file", 0),
        ("function", "f"),
        ("loop", 8),
        ("function", "f"),
        ("function", "g"),
    ]


@pytest.mark.parametrize(
    ("before", "after", "relations", "faster"),
    [
        ("n", "m", "m <= n", ()),
        ("n", "m", "n <= m", ("m",)),
        ("n", "m", "m <= 4*n + 10", ()),
        ("n", "n*m", "m <= n", ("m",)),
        ("n**2", "n*m", "m < n", ()),
        ("n", "n**2", "n <= 16", ()),
        ("n", "n**2", "n <= 1e6", ("n",)),
        ("8", "n", "n <= 100", ()),
        ("n", "n*p", "p == 64", ()),
        ("n", "n**2", "n > 5", ("n",)),
    ],
)
def test_growth_where_relations_hold(
    before: str, after: str, relations: str, faster: tuple[str, ...]
) -> None:
    region = Region(parse_relations(relations))
    found = compare_laws(parse_formula(before), parse_formula(after), region=region)
    assert found.faster == faster


def test_diff_believes_what_is_stated(tmp_path: Path) -> None:
    text = "void f(int *a, int n, int m) { for (int i = 0; i < %s; i++) a[i] = n + m; }\n"
    (tmp_path / "old.c").write_text(text % "n")
    (tmp_path / "new.c").write_text(text % "m")
    assert run("diff", "old.c", "new.c").exit_code == 1
    (tmp_path / "new.c").write_text("// looplaw: m <= n\n" + text % "m")
    assert run("diff", "old.c", "new.c").exit_code == 0
    (tmp_path / "new.c").write_text(text % "m")
    (tmp_path / "laws.toml").write_text('[[assume]]\nfunction = "f"\nrelation = "m <= 2*n"\n')
    assert run("diff", "old.c", "new.c").exit_code == 0
    (tmp_path / "laws.toml").write_text('[[assume]]\nrelation = "m < "\n')
    done = run("diff", "old.c", "new.c")
    assert done.exit_code == 2
    assert "laws.toml: assume[0].relation" in done.stderr


def test_operations_asked_for_must_not_grow_either(tmp_path: Path) -> None:
    text = "void f(double *a, int n) { for (int i = 0; i < n; i++) a[i] = %s; }\n"
    (tmp_path / "old.c").write_text(text % "i")
    (tmp_path / "new.c").write_text(text % "i * 2.5")
    assert run("diff", "old.c", "new.c").exit_code == 0
    done = run("diff", "old.c", "new.c", "--metric", "flops")
    assert done.exit_code == 1
    assert "flops" in done.stdout or "grows faster: n" in done.stdout


def test_a_law_of_laws_toml_where_a_relation_holds(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(
        "#include <stdlib.h>\n"
        "void f(int *a, int n, int m) { for (int i = 0; i < n; i++) a[i] = m; }\n"
        "int main(int c, char **v) { int a[99], n = atoi(v[1]); f(a, n, 3); return 0; }\n"
    )
    law = '[[law]]\nkernel = "f"\nmetric = "work"\nexpect = "<= 50"\n'
    (tmp_path / "laws.toml").write_text(law)
    assert run("check", "a.c").exit_code == 1
    (tmp_path / "laws.toml").write_text(law + '[[assume]]\nfunction = "f"\nrelation = "n <= 50"\n')
    done = run("check", "a.c", "--json", "-")
    assert json.loads(done.stdout)["findings"][0]["status"] == "holds"


@pytest.mark.skipif(find_flang() is None, reason="needs flang")
def test_fortran(tmp_path: Path) -> None:
    (tmp_path / "s.f90").write_text(
        "! looplaw: grows no faster than n\n"
        "subroutine axpy(n, m, x)\n"
        "  integer, intent(in) :: n, m\n"
        "  real(8) :: x(n)\n"
        "  integer :: i, j\n"
        "  do j = 1, n  ! looplaw: iterations <= n\n"
        "    do i = 1, m\n"
        "      x(j) = x(j) + i\n"
        "    end do\n"
        "  end do\n"
        "end subroutine axpy\n"
    )
    found = json.loads(run("check", "s.f90", "--json", "-").stdout)["findings"]
    assert [(f["metric"], f["status"]) for f in found] == [
        ("work", "broken"),
        ("iterations", "holds where"),
    ]


def _study(text: str, law: str | None = None) -> StudyDocument:
    count = {"kind": "unknown", "reason": "data decide"}
    counted = [{"params": {"n": n}, "iterations": n * n} for n in (16, 32, 64, 128, 256)]
    loop = {"at": "a.c:4:5", "function": "main", "total": count, "counted": counted}
    if law is not None:
        loop["law"] = {"formula": law, "kind": "counted"}
    return msgspec.convert(
        {
            "parameters": [{"name": "n", "origin": "argv[1]", "values": [16, 256]}],
            "runs": [{"params": {"n": n}} for n in (16, 32, 64, 128, 256)],
            "loops": [loop],
            "functions": [{"name": "main", "file": "a.c", "line": 2}],
            "sources": [{"file": "a.c", "text": text}],
        },
        StudyDocument,
    )


@pytest.mark.parametrize(
    ("comment", "status"),
    [
        ("n <= 256", "holds"),
        ("n <= 100", "broken"),
        ("m <= n", "unchecked"),
        ("grows no faster than n**2", "holds"),
        ("work <= n**2", "holds"),
        ("work <= 2*n", "broken"),
    ],
)
def test_what_a_study_ran_decides_where_no_formula_does(comment: str, status: str) -> None:
    text = f"// looplaw: {comment}\nint main(int c, char **v) {{\n\n    while (go()) n++;\n}}\n"
    (found,) = hold_in_study(_study(text))
    assert found.status == status, found.reason
    assert found.at == "a.c:1"


def test_a_law_found_in_the_counts_decides() -> None:
    text = "// looplaw: grows no faster than n*log2(n)\nint main(int c, char **v) {\n}\n"
    assert [f.status for f in hold_in_study(_study(text, "n**2"))] == ["broken"]
    assert [f.status for f in hold_in_study(_study(text, "n"))] == ["holds"]


def test_relations_that_cannot_be_read() -> None:
    for text in ("n", "1 <= 2", "n <= m <", "<= n", "n <= 5,"):
        with pytest.raises(InputError):
            parse_relations(text)
    assert [r.text for r in parse_relations("1 <= m < Max(n, 3), p == 4")] == [
        "1 <= m",
        "m < Max(n, 3)",
        "p == 4",
    ]
