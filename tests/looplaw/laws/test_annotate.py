"""Annotated source: counts beside the lines they belong to, on a terminal and as a page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from looplaw.cli.main import main
from looplaw.report import render_html, render_listing
from looplaw.report.listings.listing import Gap, Line, listings
from looplaw.report.listings.listing_text import listing_text
from tests.looplaw.report.test_report import Page
from tests.looplaw.study_example import HOSTILE, count, example_study, typed, typed_analysis

PROGRAM = """#include <stdlib.h>
static volatile long s;
static void work(int n, int m) {
    for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) s++; }
}


// far
// from
// every
// loop
// there
// are
// lines
// that
// nobody
// needs


static void search(const int *a, int n) {
\tfor (int i = 0; i < n; i++)
\t\twhile (a[i] > s) s++;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), a[8] = {0};
    for (int k = 0; k < n; k++)
        work(k, n);
    search(a, n);
    return 0;
}
"""


def looplaw(*words: object) -> Result:
    return CliRunner().invoke(main, [str(w) for w in words])


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("nest.c").write_text(PROGRAM)
    return "nest.c"


def rows(text: str) -> dict[int, tuple[str, str]]:
    """Line number -> (margin, source) of the first row of each line."""
    found = (re.match(r"(.*?) +(\d+)  (.*)", line) for line in text.split("\n"))
    return {int(m[2]): (m[1].strip(), m[3]) for m in found if m}


def test_counts_stand_beside_their_loops(program: str) -> None:
    done = looplaw("analyze", program, "--annotate")
    assert done.exit_code == 0, done.stderr
    lines = rows(done.stdout)
    assert lines[27] == ("= n", "    for (int k = 0; k < n; k++)")
    assert lines[4][0] == "= n*(n - 1)/2"
    assert lines[4][1].startswith("    for (int i = 0; i < n; i++) { for (int j = 0;")
    assert lines[4][1].endswith("…")
    after = done.stdout.split("\n")
    below = "\n".join(after[next(k for k, line in enumerate(after) if "for (int i" in line) :][:6])
    assert re.search(r"= n\*\*2\*\(n - 1\)/2 +\^ the loop at column 35", below)
    assert "^ per call n*n_2" in below
    assert "^ n_2: argument n of work" in done.stdout
    assert lines[22][0].startswith("~ ")
    assert "parametric: its end depends on data (line 22)" in " ".join(
        done.stdout.replace("^", "").split()
    )
    assert "^ work = depth = n*n_2" in done.stdout
    assert 12 not in lines
    assert "..." in done.stdout
    assert max(map(len, done.stdout.split("\n"))) <= 80
    assert "\x1b" not in done.stdout


def test_every_line_is_there_with_enough_context(program: str) -> None:
    lines = rows(looplaw("analyze", program, "--annotate", "--context", 99).stdout)
    for k, text in enumerate(PROGRAM.splitlines(), 1):
        assert not text or text.expandtabs(8).startswith(lines[k][1].removesuffix("…"))


def test_only_the_functions_asked_for(program: str) -> None:
    text = looplaw("analyze", program, "--annotate", "--function", "search").stdout
    lines = rows(text)
    assert min(lines) == 20
    assert "work = depth" in text
    assert "main" not in text
    both = rows(
        looplaw(
            "analyze", program, "--annotate", "--function", "search", "--function", "work"
        ).stdout
    )
    assert {3, 4, 21, 22} <= set(both)
    assert 27 not in both


def test_wide_says_everything(program: str) -> None:
    text = looplaw("analyze", program, "--annotate", "--wide").stdout
    flat = "".join(re.sub(r"^(.{0,32}).*", r"\1", line).strip("= ~") for line in text.split("\n"))
    assert "n**2*(n-1)/2ifn>=0" in flat.replace(" ", "")
    assert "…" not in text
    assert "assumes: the program is called with 1" in " ".join(text.replace("^", "").split())


def test_long_formulas_end_in_an_ellipsis() -> None:
    long = " + ".join(f"n**{k}" for k in range(30, 1, -1))
    data = {
        "loops": [
            {
                "at": "a.c:2:1",
                "function": "f",
                "total": count("exact", long),
                "per_call": count("exact", long),
            }
        ]
    }
    found = listings(typed_analysis(data), {"a.c": "one\nfor (;;)\n" + "x" * 200})
    text = listing_text(found, width=80)
    assert re.search(r"= n\*\*30 \+ [^…]*…  +2  for", text)
    assert max(map(len, text.split("\n"))) <= 80
    wide = listing_text(found, width=80, wide=True)
    margin = "".join(line[2:32].strip() for line in wide.split("\n")[3:])
    assert long.replace(" ", "") in margin.replace(" ", "").replace("forexact", "")
    assert "x" * 200 in "".join(line[32:].strip() for line in wide.split("\n"))


def test_kinds_and_lines_that_do_not_exist() -> None:
    data = {
        "loops": [
            {
                "at": "a.c:1:1",
                "function": "f",
                "total": count("bounded", lower="1", upper="n", reason="two exits"),
            },
            {"at": "a.c:2:1", "function": "f", "total": count("unknown", reason="f calls itself")},
            {"at": "a.c:9:1", "function": "f", "total": count("exact", "n")},
            {"at": "f:%3", "total": count("exact", "n")},
        ]
    }
    found = listings(typed_analysis(data), {"a.c": "for (;;)\r\nwhile (1)\r\n"})
    text = listing_text(found, width=80)
    assert rows(text)[1] == ("≤ 1 .. n", "for (;;)")
    assert rows(text)[2] == ("? unknown", "while (1)")
    assert "^ bounded: two exits" in text
    assert "^ unknown: f calls itself" in text
    assert "no lines 9: it is not what was compiled" in text
    assert (
        listing_text(listings(typed_analysis(data), {"b.c": "x"}))
        == "No source with loops was found."
    )


def test_short_stretches_are_shown() -> None:
    data = {"loops": [{"at": f"a.c:{k}:1", "total": count("exact", "n")} for k in (1, 4, 20)]}
    shown = listings(typed_analysis(data), {"a.c": "x\n" * 30}, context=0)[0].rows
    assert [row.number if isinstance(row, Line) else (row.first, row.last) for row in shown] == [
        1,
        2,
        3,
        4,
        (5, 19),
        20,
        (21, 30),
    ]
    assert isinstance(shown[4], Gap)


def test_nothing_in_a_source_reaches_terminal_or_browser() -> None:
    evil = f"{HOSTILE} \x9b31m"
    data = {
        "loops": [
            {
                "at": "a.c:1:1",
                "function": evil,
                "parameters": [evil],
                "total": count("unknown", reason=evil, assumptions=[evil]),
            }
        ],
        "functions": [
            {
                "name": evil,
                "file": "a.c",
                "line": 1,
                "work": count("unknown", reason=evil),
                "efficiency": evil,
            }
        ],
    }
    text = listing_text(listings(typed_analysis(data), {"a.c": evil}), wide=True)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028]", text)
    page = render_listing(typed_analysis(data), {"a.c": evil}, title=evil)
    parsed = Page(page)
    assert page.count("</script>") == 1
    assert not {t for t, _ in parsed.elements} & {
        "img",
        "link",
        "iframe",
        "object",
        "embed",
        "base",
        "form",
    }
    assert "alert(1)" not in "".join(parsed.raw["script"])
    study = render_html(
        typed(
            example_study()
            | {"sources": [{"file": "kernels/matmul.c", "text": "\n" * 9 + HOSTILE}]}
        )
    )
    assert study.count("</script>") == 2


def test_page_holds_the_whole_source_of_loops(program: str) -> None:
    done = looplaw("analyze", program, "--html", "nest.html", "--format", "json")
    assert done.exit_code == 0, done.stderr
    assert {loop["at"] for loop in json.loads(done.stdout)} >= {
        "nest.c:4:5",
        "nest.c:4:35",
    }  # the usual output, unchanged
    page = Path("nest.html").read_text()
    text = re.sub(r"<[^>]*>", "", page)
    assert "=n**2*(n - 1)/2" in text
    assert "for (int j = 0; j &lt; m; j++) s++; }" in text
    assert "work = depth = n*n_2" in text
    assert "if n &gt;= 0" in text  # in full, in the detail
    assert not re.search(r"https?://(?!www\.w3\.org)", page)


def test_study_page_has_the_source() -> None:
    study = example_study()
    page = render_html(
        typed(
            study
            | {
                "sources": [
                    {"file": "kernels/matmul.c", "text": "int x;\n" * 11 + "for (k) c += a*b;\n"}
                ]
            }
        )
    )
    text = re.sub(r"<[^>]*>", "", page[page.index('<section id="source"') :])
    assert "=n**3" in text
    assert "for (k) c += a*b;" in text
    assert 'id="source"' not in render_html(typed(study))


def test_missing_source_is_said_and_the_rest_goes_on(program: str) -> None:
    Path("other.c").write_text("void other(int n) { for (volatile int i = 0; i < n; i++); }\n")
    from staticana import compile_sources

    Path("both.ll").write_text(compile_sources([program, "other.c"]))
    Path("other.c").unlink()
    done = looplaw("analyze", "both.ll", "--annotate")
    assert done.exit_code == 0
    assert done.stderr == "other.c: no such file; it is not annotated\n"
    assert "= n*(n - 1)/2" in done.stdout


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (
            ("--annotate", "--function", "nothing"),
            "the program has no function nothing; it has main, search, work",
        ),
        (("--function", "main"), "--function needs annotated source: add --annotate"),
        (("--annotate", "--format", "csv"), "use --html FILE or --json FILE"),
    ],
)
def test_errors(words: tuple[str, ...], part: str, program: str) -> None:
    done = looplaw("analyze", program, *words)
    assert done.exit_code == 2
    assert part in done.stderr


def test_parallel_programs_have_depth_and_efficiency(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("par.c").write_text("""int atoi(const char *);
static volatile long s;
int main(int argc, char **argv) {
    int n = atoi(argv[1]), p = atoi(argv[2]);
    for (int i = 0; i < n / p; i++) s++;
    for (int q = 1; q < p; q *= 2) s++;
    for (int i = 0; i < 100; i++) s++;
    return 0;
}
""")
    text = " ".join(looplaw("analyze", "par.c", "--annotate").stdout.split())
    assert "= ceiling(log(p, 2)) 6 for (int q" in text
    assert "work ceiling(log(p, 2)) + floor(n/p) + 100, depth" in text
    assert "efficiency (n + 100)/(p*" in text


def test_what_one_process_alone_does_has_no_efficiency(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("alone.c").write_text("""int atoi(const char *);
static volatile long s;
static void alone(int p) { if (p == 1) for (int i = 0; i < 9; i++) s++; }
int main(int argc, char **argv) {
    int p = atoi(argv[1]);
    alone(p);
    for (int i = 0; i < 100 / p; i++) s++;
    return 0;
}
""")
    done = looplaw("analyze", "alone.c", "--annotate")
    assert done.exit_code == 0, done.output
    assert "alone.c" in done.stdout
