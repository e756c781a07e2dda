"""What an editor is told of a file: laws, findings, broken laws, and what a study measured."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest

from looplaw.documents.study import (
    CountedDocument,
    SourceDocument,
    StudyDocument,
    StudyLoop,
    SweptParameter,
    TimesDocument,
)
from looplaw.editor.answering import answer
from looplaw.editor.notes import Answer, Job, Notes, Options
from looplaw_common.errors import InputError
from staticana.frontend.fortran import find_flang
from staticana.frontend.rust import find_rustc


def _answered(
    tmp_path: Path, text: str, name: str = "a.c", *, edited: str | None = None
) -> tuple[Notes, Answer]:
    path = tmp_path / name
    path.write_text(text)
    found = answer(Job(str(path), edited, str(tmp_path)))
    return found.files[str(path)], found


def _hints(notes: Notes) -> dict[int, str]:
    return {hint.line: hint.text for hint in notes.hints}


def _codes(notes: Notes) -> dict[int, str]:
    return {problem.line: problem.code for problem in notes.problems}


# -- parts of programs
def test_variables_that_others_may_set_have_no_known_value(tmp_path: Path) -> None:
    notes, _ = _answered(
        tmp_path,
        """\
int shared = 10;
static int settable = 5, fixed = 7;
static int pointed = 9;
int *handle = &pointed;
void set(int v) { settable = v; }
void use(double *a, int *b) {
  for (int i = 0; i < shared; i++) a[i] = 0;
  for (int i = 0; i < settable; i++) b[i] = 0;
  for (int i = 0; i < fixed; i++) b[i] = 0;
  for (int i = 0; i < pointed; i++) b[i] = 0;
  for (int i = 0; i < shared; i++) b[i] = 0;
}
""",
    )
    hints = _hints(notes)
    assert hints[7] == "~ shared a call"
    assert hints[8] == "~ settable a call"
    assert hints[9] == "= 7 a call"
    assert "9" not in hints[10]
    assert "shared" not in hints[11]  # b may point to it


def test_a_main_that_calls_other_files_is_a_part_of_a_program(tmp_path: Path) -> None:
    text = """\
#include <stdlib.h>
int limit = 10;
void configure(void);
int main(int argc, char **argv) {
  int n = atoi(argv[1]), s = 0;
  configure();
  for (int i = 0; i < limit; i++) s++;
  for (int i = 0; i < n; i++) s++;
  return s;
}
"""
    notes, _ = _answered(tmp_path, text)
    assert _hints(notes) == {7: "~ limit", 8: "= n"}
    whole = text.replace("void configure(void);", "static void configure(void) { }")
    notes, _ = _answered(tmp_path, whole)
    assert _hints(notes) == {7: "= 10", 8: "= n"}


def test_laws_of_a_call_and_of_a_run_are_both_shown(tmp_path: Path) -> None:
    notes, _ = _answered(
        tmp_path,
        """\
#include <stdlib.h>
static int step(int k) {
  int s = 0;
  for (int i = 0; i < k; i++) s += i;
  return s;
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]), s = 0;
  for (int i = 0; i < n; i++) s += step(i);
  return s;
}
""",
    )
    assert _hints(notes) == {4: "= k a call, = n*(n - 1)/2 a run", 9: "= n"}
    details = next(h.text for h in notes.hovers if h.line == 4)
    assert "`k`: argument k of step" in details
    assert "`n`: `argv[1]`" in details


def test_functions_with_arguments_of_one_name_do_not_number_them(tmp_path: Path) -> None:
    one = "void f{}(int *a, int n) {{ for (int i = 0; i < n; i++) a[i] = i; }}\n"
    notes, _ = _answered(tmp_path, "".join(map(one.format, range(4))))
    assert set(_hints(notes).values()) == {"= n a call"}


def test_an_unknown_loop_says_why(tmp_path: Path) -> None:
    notes, _ = _answered(tmp_path, "int get(void);\nvoid f(void) {\n  while (get())\n    ;\n}\n")
    (hint,) = notes.hints
    assert hint.text.startswith(("~", "?", "≥"))
    assert "mean" in hint.more or "unknown" in hint.more


# -- languages
@pytest.mark.skipif(find_flang() is None, reason="no flang")
def test_fortran(tmp_path: Path) -> None:
    text = """\
subroutine lower(n, x)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  integer :: i, j
  do i = 1, n
    do j = 1, i
      x(i) = x(i) + x(j)
    end do
  end do
end subroutine
"""
    notes, _ = _answered(tmp_path, text, "a.f90", edited="! moved\n" + text)
    assert _hints(notes) == {6: "= n a call", 7: "= n*(n + 1)/2 a call"}
    notes, found = _answered(tmp_path, text.replace("x(i) = ", "x(i) = +*"), "b.f90")
    assert not found.compiled
    assert 7 in _codes(notes)


@pytest.mark.skipif(find_rustc() is None, reason="no rustc")
def test_rust(tmp_path: Path) -> None:
    text = """\
pub fn lower(v: &[u64], n: usize) -> u64 {
    let mut s = 0;
    for i in 0..n {
        for j in 0..i {
            s += v[j];
        }
    }
    s
}
"""
    notes, _ = _answered(tmp_path, text, "a.rs", edited="// moved\n" + text)
    assert _hints(notes) == {4: "= n a call", 5: "= n*(n - 1)/2 a call"}
    notes, found = _answered(tmp_path, text.replace("s += v[j]", "s += missing(j)"), "b.rs")
    assert not found.compiled
    assert [(p.line, p.severity) for p in notes.problems] == [(5, "error")]


def test_errors_in_headers_stand_at_the_include(tmp_path: Path) -> None:
    (tmp_path / "bad.h").write_text("int x\nint y;\n")
    notes, found = _answered(tmp_path, '\n#include "bad.h"\nint f(void) { return z; }\n')
    assert not found.compiled
    assert [p.line for p in notes.problems] == [2, 3]
    assert "bad.h:1" in notes.problems[0].message


def test_errors_of_the_compiler_can_be_left_to_others(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("int x\n")
    found = answer(Job(str(path), options=Options(compile_errors=False)))
    assert not found.compiled
    assert found.files[str(path)].problems == ()


def test_what_cannot_be_read_is_one_error(tmp_path: Path) -> None:
    with pytest.raises((InputError, OSError)):
        answer(Job(str(tmp_path / "none.c")))


# -- work that loops hide
_QUADRATIC = {
    "strlen in the test": "for (int i = 0; i < strlen(s); i++) k += s[i] == 'a';",
    "strlen in a while": "int i = 0; while (strlen(s) > i) { k += s[i]; i++; }",
    "strlen of a text that is changed": "for (int i = 0; i < strlen(s); i++) s[i] ^= 1;",
    "strcat": "for (int i = 0; i < n; i++) strcat(s, w[i]);",
    "memmove": "while (n > 0) { memmove(a, a + 1, (n - 1) * sizeof *a); n--; }",
}
_INNOCENT = {
    "strlen before": "int m = strlen(s); for (int i = 0; i < m; i++) k += s[i];",
    "strlen of each": "for (int i = 0; i < n; i++) k += strlen(w[i]);",
    "strlen of each line": "while (fgets(s, 99, stdin)) k += strlen(s);",
    "until a line is empty": "while (strlen(s) > 0) fgets(s, 99, stdin);",
    "reset before strcat": "for (int i = 0; i < n; i++) { s[0] = 0; strcat(s, w[i]); puts(s); }",
    "printed before strcat": 'for (int i = 0; i < n; i++) { sprintf(s, "x"); strcat(s, w[i]); }',
    "strcat to each": "for (int i = 0; i < n; i++) strcat(w[i], s);",
    "constant memmove": "for (int i = 0; i < n; i++) memmove(a + i, a + i + 1, 8);",
    "nested loops": "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) k += j;",
}


def _loop(body: str) -> str:
    return (
        "#include <stdio.h>\n#include <string.h>\n"
        "int f(char *s, char **w, double *a, int n) {\n  int k = 0;\n"
        f"  {body}\n  return k;\n}}\n"
    )


@pytest.mark.parametrize("body", _QUADRATIC.values(), ids=_QUADRATIC)
def test_accidental_quadratics_are_found(body: str, tmp_path: Path) -> None:
    notes, _ = _answered(tmp_path, _loop(body))
    assert _codes(notes) == {5: "accidental-quadratic"}
    assert {p.severity for p in notes.problems} == {"warning"}


@pytest.mark.parametrize("body", _INNOCENT.values(), ids=_INNOCENT)
def test_loops_that_do_what_they_must_are_left_alone(body: str, tmp_path: Path) -> None:
    notes, _ = _answered(tmp_path, _loop(body))
    assert notes.problems == ()


def test_calls_of_the_library_tell_their_cost(tmp_path: Path) -> None:
    text = _loop("for (int i = 0; i < n; i++)\n    memcpy(a + i * n, a, n * sizeof *a);")
    notes, _ = _answered(tmp_path, text)
    (told,) = [h.text for h in notes.hovers if h.line == 6]
    assert "memcpy" in told
    assert "8*n" in told


def test_loops_behind_calls_are_a_remark(tmp_path: Path) -> None:
    notes, _ = _answered(
        tmp_path,
        """\
static double dot(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i] * b[i];
  return s;
}
void product(const double *a, const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) y[i] = dot(a + i * n, x, n);
}
""",
    )
    (found,) = notes.problems
    assert (found.line, found.severity, found.code) == (7, "hint", "hidden-work")
    assert "calls dot" in found.message
    assert "n**2" in found.message


# -- laws that users state
def test_a_broken_law_in_a_comment(tmp_path: Path) -> None:
    square = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[j] = i;"
    law = "// looplaw: grows no faster than n\n"
    notes, _ = _answered(tmp_path, f"{law}void f(int *a, int n) {{\n  {square}\n}}\n")
    (found,) = notes.problems
    assert (found.line, found.code, found.severity) == (1, "broken-law", "warning")
    assert "expected O(n): grows like Max(0, n)**2, faster in n" in found.message
    kept = law.replace("than n", "than n^2")
    notes, _ = _answered(tmp_path, f"{kept}void f(int *a, int n) {{ {square} }}\n")
    assert notes.problems == ()
    edited = f"\n\n{law}void f(int *a, int n) {{ {square} }}\n"
    notes, _ = _answered(tmp_path, "int x;\n", edited=edited)
    assert _codes(notes) == {3: "broken-law"}


def test_a_comment_that_cannot_be_read(tmp_path: Path) -> None:
    notes, _ = _answered(
        tmp_path, "\n// looplaw: grows slowly\nvoid f(int *a, int n) { while (n--) a[n] = 0; }\n"
    )
    assert _codes(notes) == {2: "unreadable-law"}


def test_laws_of_a_file_are_held(tmp_path: Path) -> None:
    (tmp_path / "laws.toml").write_text(
        '[[law]]\nkernel = "main[1]"\nmetric = "iterations"\nexpect = "O(1)"\n'
        '[[law]]\nkernel = "elsewhere"\nmetric = "work"\nexpect = "O(n)"\n'
    )
    text = """\
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]), s = 0;
  for (int i = 0; i < n; i++) s += i;
  return s;
}
"""
    notes, _ = _answered(tmp_path, text)
    assert _codes(notes) == {4: "broken-law"}


def test_laws_that_cannot_be_read_are_a_message(tmp_path: Path) -> None:
    (tmp_path / "laws.toml").write_text("law = 3\n")
    notes, found = _answered(tmp_path, "int x;\n")
    assert notes.problems == ()
    assert any("laws.toml" in message for message in found.messages)


# -- studies
_STUDIED = """\
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  volatile int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) s++;
  return 0;
}
"""


def _study(folder: Path, verdict: str = "obeys") -> None:
    """A study of `_STUDIED`, measured at n = 10 and n = 1000: 2 ns an iteration."""

    def loop(at: str, power: int, times: bool) -> StudyLoop:
        return StudyLoop(
            f"a.c:{at}",
            "main",
            counted=tuple(
                CountedDocument({"n": n}, n**power, 1, n**power, equal=True) for n in (10, 1000)
            ),
            kernel="a.c:5:3",
            time=tuple(TimesDocument({"n": n}, (2e-9 * n * n,)) for n in (10, 1000))
            if times
            else (),
            verdict=verdict if times else "obeys",
            verdict_reason="as told",
        )

    document = StudyDocument(
        program=("a.c",),
        parameters=(SweptParameter("n", "argv[1]", (10, 1000)),),
        loops=(loop("5:3", 1, True), loop("6:5", 2, False)),
        sources=(SourceDocument("a.c", _STUDIED),),
    )
    folder.mkdir(parents=True)
    (folder / "study.json").write_bytes(msgspec.json.encode(document))


def test_times_and_verdicts_of_a_study(tmp_path: Path) -> None:
    _study(tmp_path / "looplaw-out" / "a")
    notes, _ = _answered(tmp_path, _STUDIED)
    assert _hints(notes) == {5: "= n; 2 ms at n=1000, obeys", 6: "= n**2; 2 ns an iteration, obeys"}
    details = next(h.text for h in notes.hovers if h.line == 5)
    assert "verdict: obeys: as told" in details
    assert "counted as predicted at 2 of 2 points" in details
    assert notes.problems == ()


def test_findings_of_a_study(tmp_path: Path) -> None:
    _study(tmp_path / "looplaw-out" / "a", "exceeds")
    notes, _ = _answered(tmp_path, _STUDIED)
    (found,) = notes.problems
    assert (found.line, found.severity, found.code) == (5, "warning", "exceeds")


def test_a_study_of_an_earlier_text_says_so_and_finds_its_loops_again(tmp_path: Path) -> None:
    _study(tmp_path / "looplaw-out" / "a", "exceeds")
    notes, _ = _answered(tmp_path, "// new\n" + _STUDIED.replace("return 0", "return 1"))
    hints = _hints(notes)
    assert hints[6] == "= n; 2 ms at n=1000, exceeds, before the last edit"
    assert notes.problems == ()
    changed = _STUDIED.replace("j < n", "j < i")
    notes, _ = _answered(tmp_path, changed)
    assert _hints(notes)[6] == "= n*(n - 1)/2"


def test_a_study_of_another_program_is_not_taken(tmp_path: Path) -> None:
    _study(tmp_path / "looplaw-out" / "a")
    inner = tmp_path / "inner"
    inner.mkdir()
    path = inner / "a.c"
    path.write_text(_STUDIED)
    found = answer(Job(str(path), top=str(tmp_path)))
    assert [h.text for h in found.files[str(path)].hints] == ["= n", "= n**2"]


def test_a_damaged_study_is_a_message(tmp_path: Path) -> None:
    folder = tmp_path / "looplaw-out" / "a"
    _study(folder)
    text = (folder / "study.json").read_text()
    (folder / "study.json").write_text(text[: len(text) // 2])
    notes, found = _answered(tmp_path, _STUDIED)
    assert _hints(notes)[5] == "= n"
    assert any("study.json" in message for message in found.messages)


# -- flags
def test_a_database_below_the_top_is_found_and_a_damaged_one_told(tmp_path: Path) -> None:
    text = "void f(int *a) { for (int i = 0; i < ROWS; i++) a[i] = i; }\n"
    (tmp_path / "build").mkdir()
    database = tmp_path / "build" / "compile_commands.json"
    entry = {
        "directory": str(tmp_path / "build"),
        "file": "../a.c",
        "arguments": ["cc", "-I../include", "-DROWS=3", "../a.c"],
    }
    database.write_text(json.dumps([entry]))
    notes, _ = _answered(tmp_path, text)
    assert _hints(notes) == {1: "= 3 a call"}
    database.write_text("{")
    notes, found = _answered(tmp_path, text)
    assert not found.compiled
    assert any("compile_commands.json" in message for message in found.messages)


def test_no_file_outside_of_the_workspace_says_how_to_compile(tmp_path: Path) -> None:
    top = tmp_path / "work"
    top.mkdir()
    shutil.copy(Path(__file__), tmp_path / "other.py")
    entry = {"directory": str(top), "file": "a.c", "arguments": ["cc", "-DROWS=3", "a.c"]}
    (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))
    (top / "a.c").write_text("void f(int *a) { for (int i = 0; i < ROWS; i++) a[i] = i; }\n")
    assert not answer(Job(str(top / "a.c"), top=str(top))).compiled
    assert not answer(Job(str(top / "a.c"))).compiled
