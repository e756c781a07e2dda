"""What a newcomer types first: looplaw demo, and looplaw init of a program."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

import pytest
from click import Option
from click.testing import CliRunner

from looplaw.cli.main import FIRST_GROUPS, GROUPS, MORE_GROUPS, VERBS, command, main
from looplaw.cli.progress import last_words
from looplaw.settings.studyfile import read_study_file
from tests.command_line import looplaw
from tests.places import ROOT

_PROGRAM = """#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]), s = 0;
    for (int i = 0; i < n; i++) s += i ^ 3;
    return s == 7; }
"""
_OPTIONS = """#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    int s = 0;
    for (int i = 1; i < argc; i++) s += (int)strlen(argv[i]);
    return s == 7; }
"""


def test_the_demo_foretells_a_run(tmp_path: Path) -> None:
    done = looplaw("demo", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    foretold = re.search(
        r"Predicted for n = \d+: (\S+ \S+) \((\S+ \S+) to (\S+ \S+)\)\. Measured there: (\S+ \S+),"
        r" (within|outside)",
        done.stdout,
    )
    assert foretold is not None
    value, low, high, measured = (
        float(number) * {"h": 3600.0, "min": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6}[unit]
        for number, unit in map(str.split, foretold.groups()[:4])
    )
    assert 0 < low <= value <= high
    assert measured > 0
    if not 0.99 * low <= measured <= 1.01 * high:  # the figures are rounded
        assert foretold[5] == "outside"
    assert (tmp_path / "looplaw-demo" / "report.html").stat().st_size > 10_000
    told = looplaw("next", "looplaw-demo", "--within", "1h", "--json", cwd=tmp_path)
    assert told.returncode == 0, told.stderr
    answer = json.loads(told.stdout)
    assert answer["at"]["n"] == 4 * 768
    if answer["next"] is not None:  # noise may hide what a size would tell
        assert 768 < answer["next"]["at"]["n"] <= 4 * 768
        assert answer["next"]["interval_ratio"] <= 0.9
        assert answer["next"]["command"].startswith(
            "looplaw study looplaw-demo/stencil.c --vary n="
        )
    sample = ROOT / "samples" / "stencil" / "stencil.c"
    assert (tmp_path / "looplaw-demo" / "stencil.c").read_bytes() == sample.read_bytes()


def test_a_first_study_file_is_a_study(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(_PROGRAM)
    done = looplaw("init", "p.c", '--flag=-DQUOTE="a b"', cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().endswith("looplaw study study.toml")
    settings = read_study_file(tmp_path / "study.toml")
    assert [p.resolve() for p in settings.program] == [(tmp_path / "p.c").resolve()]
    assert len(settings.vary["n"]) >= 5
    assert settings.flags == ('-DQUOTE="a b"',)
    again = looplaw("init", "p.c", cwd=tmp_path)
    assert (again.returncode, "exists" in again.stderr) == (2, True)


def test_where_the_source_tells_no_size_the_command_line_does(tmp_path: Path) -> None:
    (tmp_path / "o.c").write_text(_OPTIONS)
    done = looplaw("init", "o.c", "--args", "-s {n} -i 'a b'", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    settings = read_study_file(tmp_path / "study.toml")
    assert settings.args == ("-s", "{n}", "-i", "a b")
    assert set(settings.vary) == {"n"}


@pytest.mark.parametrize(
    ("words", "said"),
    [(("--args", "-s 10"), "nothing to vary"), (("--out", "no/such/study.toml"), "no/such")],
)
def test_what_is_wrong_is_said_in_a_line(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    (tmp_path / "p.c").write_text(_PROGRAM)
    done = looplaw("init", "p.c", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_next_needs_a_study(tmp_path: Path) -> None:
    done = looplaw("next", "nowhere", cwd=tmp_path)
    assert (done.returncode, "looplaw study makes one" in done.stderr) == (2, True)


def test_without_a_word_three_ways_to_start_are_shown(tmp_path: Path) -> None:
    done = looplaw(cwd=tmp_path)
    assert done.returncode == 0
    ways = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("  looplaw ")]
    assert ways == ["demo", "study", "fit"]
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_help_lists_each_verb_once_by_what_it_is_for(tmp_path: Path) -> None:
    assert sorted(verb for verbs in GROUPS.values() for verb in verbs) == sorted(VERBS)
    first, more = looplaw("--help", cwd=tmp_path).stdout, looplaw("help", "more", cwd=tmp_path)
    assert _listed(first) == [verb for verbs in FIRST_GROUPS.values() for verb in verbs]
    assert len(_listed(first)) == 9
    assert len(first.splitlines()) <= 30
    assert _listed(more.stdout) == [verb for verbs in MORE_GROUPS.values() for verb in verbs]


def _listed(text: str) -> list[str]:
    return [v for v in re.findall(r"^  (\S+) {2,}", text, re.MULTILINE) if v in VERBS]


@pytest.mark.parametrize("verb", sorted(VERBS.keys() - {"cc", "c++", "fc"}))
def test_the_help_of_a_verb_fits_on_a_screen(verb: str) -> None:
    page, whole = (
        CliRunner().invoke(main, words, terminal_width=80).output
        for words in ([verb, "--help"], [verb, "--help-all"])
    )
    assert len(page.splitlines()) <= 30
    assert max(map(len, page.splitlines())) <= 80
    names = {
        n for p in command(verb).params if isinstance(p, Option) and not p.hidden for n in p.opts
    }
    assert all(name in whole for name in names)
    assert CliRunner().invoke(main, ["help", verb], terminal_width=80).output == page


def test_an_option_is_written_alike_everywhere() -> None:
    """The same name takes the same kind of value, whatever the verb."""
    kinds: dict[str, set[object]] = defaultdict(set)
    for verb in VERBS:
        for option in command(verb).params:
            for name in option.opts if isinstance(option, Option) else ():
                kinds[name].add((option.nargs, option.is_flag, option.multiple))
    assert not {name for name, found in kinds.items() if len(found) > 1}


@pytest.mark.parametrize(
    ("name", "verb"), [("p.c", "analyze"), ("m.csv", "fit"), ("study.toml", "study"), ("s", "show")]
)
def test_a_file_alone_is_asked_what_is_likely(name: str, verb: str, tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(_PROGRAM)
    (tmp_path / "m.csv").write_text("n,time_s\n1,2\n2,4\n4,8\n8,16\n16,32\n")
    (tmp_path / "study.toml").write_text("x = 1\n")
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "study.json").write_text("{}")
    done = looplaw(name, cwd=tmp_path)
    assert done.stderr.splitlines()[0].startswith(f"looplaw {verb} {name} (")
    assert done.returncode == (0 if verb in ("analyze", "fit") else done.returncode)


def test_former_names_of_options_still_work(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("n,time_s\n1,2\n2,4\n4,8\n8,16\n16,32\n")
    assert looplaw("fit", "m.csv", "--strict", cwd=tmp_path).returncode == 0


def test_headers_and_macros_are_found_as_the_compiler_finds_them(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "h.h").write_text("#define STEP 2\n")
    (tmp_path / "i.c").write_text(
        '#include <stdlib.h>\n#include "h.h"\n' + _PROGRAM.replace("i++", "i += STEP * K")
    )
    done = looplaw("analyze", "i.c", "-I", "inc", "-DK=2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "ceiling(n/4)" in done.stdout


def test_the_files_of_a_project_are_found(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    (tmp_path / "p.c").write_text(_PROGRAM)
    (tmp_path / "build" / "compile_commands.json").write_text(
        json.dumps([{"directory": str(tmp_path), "file": "p.c", "command": "cc -c p.c"}])
    )
    done = looplaw("analyze", cwd=tmp_path)
    assert (done.returncode, "p.c:4" in done.stdout) == (0, True), done.stderr


@pytest.mark.parametrize("verb", ["cc", "c++", "fc"])
def test_help_of_the_compilers_is_ours_and_short(verb: str, tmp_path: Path) -> None:
    done = looplaw(verb, "--help", cwd=tmp_path)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) <= 30
    assert all(name in done.stdout for name in ("--kernel", "--file", "--max-overhead"))
    assert f"looplaw {verb}" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("stdy", "p.c"), "did you mean study?"),
        (("nowhere.c",), "nowhere.c: no such file"),
        (("study", "f.c", "--vary", "n=1,2"), "looplaw analyze --entry f needs no main"),
        (("study", "p.c"), "add --vary NAME=VALUES"),
        (("study", "p.c", "--vary", "n=1,2", "--at", "q=3"), "the study varies n"),
        (("fit", "p.c"), "looplaw study p.c"),
        (("next", "nowhere"), "looplaw study makes one"),
    ],
)
def test_an_error_says_what_to_do(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(_PROGRAM)
    (tmp_path / "f.c").write_text("int f(int n) { return n; }\n")
    done = looplaw(*words, cwd=tmp_path)
    assert done.returncode in (2, 3)
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_program_that_misses_an_argument_is_told_which(tmp_path: Path) -> None:
    (tmp_path / "two.c").write_text(
        "#include <stdlib.h>\n"
        "int main(int argc, char **argv) {\n"
        "    int n = atoi(argv[1]), m = atoi(argv[2]), s = 0;\n"
        "    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += i ^ j;\n"
        "    return s == 7; }\n"
    )
    done = looplaw("study", "two.c", "--vary", "n=4,8", "--repetitions", "1", cwd=tmp_path)
    assert done.returncode == 3
    assert "no run succeeded: crashed: SIGSEGV; the program also reads m (argv[2])" in done.stderr


def test_the_last_words_of_a_program_are_those_that_tell() -> None:
    stack = (
        "[vm:1:0] Caught signal 11 (Segmentation fault: address not mapped)\n==== backtrace ====\n"
        " 0  /lib/libc.so.6(+0x3c050) [0x7f7834d7a050]\n=======================\n"
    )
    assert last_words(stack).startswith("[vm:1:0] Caught signal 11")
    assert last_words("a\nusage: prog N\n\n") == "usage: prog N"
    assert last_words("only words\n----\n") == "only words"
    assert last_words("") == ""


def test_the_number_of_words_is_no_size(tmp_path: Path) -> None:
    """Loops over options make argc a parameter, but nobody varies how many words there are."""
    (tmp_path / "options.c").write_text(
        "#include <stdlib.h>\n#include <string.h>\n"
        "int main(int argc, char **argv) {\n"
        "    int n = 100, s = 0;\n"
        "    for (int a = 1; a + 1 < argc; a++)\n"
        '        if (!strcmp(argv[a], "-n")) n = atoi(argv[a + 1]);\n'
        "    for (int i = 0; i < n; i++) s += i;\n"
        "    return s == 7;\n"
        "}\n"
    )
    planned = looplaw("plan", "options.c", cwd=tmp_path)
    assert planned.returncode == 0, planned.stderr
    said = " ".join(planned.stdout.split())
    assert "--args '-n {n}' --vary n=" in said
    assert "options.c:7:5: one run tells all" not in said
    drafted = looplaw("init", "options.c", cwd=tmp_path)
    assert drafted.returncode != 0
    assert "give the command line" in drafted.stderr


def test_a_dry_run_says_what_would_run_and_how_long(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(_PROGRAM)
    words = ("study", "p.c", "--vary", "n=10,400000000", "--repetitions", "2", "--dry-run")
    done = looplaw(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert sorted(line.split()[-1] for line in done.stdout.splitlines()) == sorted(
        ["10", "10", "400000000", "400000000"]
    )
    assert re.search(r"^4 runs, about \d\S* s in all; nothing was run$", done.stderr, re.MULTILINE)
    assert not (tmp_path / "looplaw-out").exists()
