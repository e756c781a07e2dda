"""`make fuzz-inputs`: damaged measurements, profiles, documents, stores through the command line.
Whatever a file holds, the answer is a result or one line of refusal: no traceback, no signal, no
hang beyond ten seconds of CPU time, no more than a gigabyte of memory; nothing in it is run,
nothing is written outside of the folder, and no line of the output is a command of a build server.
Damage is hostile, too: formulas, numbers, names, nesting, keys that stand twice, wide tables.

    make fuzz-inputs ARGS='--number 5000 --subprocesses 500 --seed 1'

Most cases run in a fork of this process; `--subprocesses` of them start an interpreter anew.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from looplaw_common.errors import LooplawError
from tests.imports import SharedImports

ROOT = Path(__file__).resolve().parents[2]
SECONDS, BYTES = 10, 1 << 30
SYMPY = "sympy"
"""In place of a verb: `looplaw.load`, and all formulas as sympy expressions."""
CANARY = "canary"
"""The file that hostile formulas and names try to make."""
_CODES = (0, 1, 2, 3)
_POINTS = (4, 8, 16, 32, 64)


@dataclass(frozen=True)
class Seed:
    """A good file, and the commands that read it; {} stands for it.

    Attributes:
        name: of the file; with a folder in front, the folder is what commands are given.
        beside: other good files that commands name.
    """

    name: str
    content: bytes
    commands: tuple[tuple[str, ...], ...]
    beside: Mapping[str, bytes]


@dataclass(frozen=True)
class Outcome:
    """How a command ended: exit code, minus the signal that ended it; what it wrote to stderr; CPU
    seconds; peak memory in bytes."""

    code: int
    errors: str
    cpu_s: float
    peak: int
    harm: str | None = None

    @property
    def fault(self) -> str | None:
        """What is wrong, if anything. harm: what it did that no file may make it do."""
        if self.harm:
            return self.harm
        if self.code == -24 or self.cpu_s > SECONDS:  # SIGXCPU
            return "hang"
        if self.code < 0:
            return f"signal {-self.code}"
        if "Traceback" in self.errors:
            return "traceback"
        if "internal error" in self.errors:
            return "internal error"
        if self.code not in _CODES:
            return f"exit code {self.code}"
        if self.code == 2 and not self.errors.strip():
            return "no message"
        if any(ord(c) < 32 and c not in "\n\t" for c in self.errors):
            return "control characters"
        return "memory" if self.peak > BYTES else None


# -- good files
def _lines(parameter: str = "n", metric: str = "time") -> str:
    rows = [
        {"params": {parameter: n}, "callpath": path, "metric": metric, "value": scale * n + r}
        for path, scale in (("main->f", 2.5), ("main->g", 1e-3))
        for n in _POINTS
        for r in (0, 1)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


_MEASURED = (
    ("fit", "{}"),
    ("fit", "{}", "--json", "out.json"),
    ("import", "{}", "--out", "out.jsonl"),
    ("export", "{}", "--out", "out.csv"),
    ("report", "{}", "--out", "out.html"),
    ("clusters", "{}"),
    ("scaling", "{}"),
    ("check", "{}", "--laws", "laws.toml", "--junit", "out.xml"),
)
_LAWS = b'[[law]]\nkernel = "main->f"\nmetric = "time"\nexpect = "O(n)"\ntolerance = 0.1\n'
_STUDY_FILE = """program = ["program.c"]
about = "what it is"
entry = "main"
[param]
n = "argv[1]"
[vary]
n = [4, 8, 16]
m = "8:64:*2"
[design]
kind = "full"
[run]
args = "{n} {m}"
repetitions = 2
warmup = 1
until = "5%"
budget = "10m"
timeout = "2s"
seed = 3
launcher = "slurm"
[select]
kernel = ["main"]
max_overhead = "5%"
[slurm]
time = "30m"
mem = "4G"
together = 2
"""
_PROGRAM = b"""#include <stdlib.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  volatile long s = 0;
  for (int i = 0; i < n; i++) s += i;
  return 0;
}
"""


def seeds(folder: Path) -> list[Seed]:
    """Good files of every kind that is read here; some are made by commands."""
    lines = _lines().encode()
    (folder / "data.jsonl").write_bytes(lines)
    (folder / "laws.toml").write_bytes(_LAWS)
    for words in (
        ("fit", "data.jsonl", "--json", "models.json"),
        ("export", "data.jsonl", "--out", "data.csv"),
        ("export", "data.jsonl", "--out", "data.txt"),
        ("export", "data.jsonl", "--format", "extrap-json", "--out", "extrap.json"),
    ):
        _made(words, folder)
    beside = {"laws.toml": _LAWS, "data.jsonl": lines}
    found = [
        Seed(name, (folder / name).read_bytes(), _MEASURED, beside)
        for name in ("data.jsonl", "data.csv", "data.txt", "extrap.json")
    ]
    found += [Seed(name, text.encode(), _MEASURED, beside) for name, text in _TOOLS.items()]
    models = (folder / "models.json").read_bytes()
    found += [
        Seed("models.json", models, (
            ("predict", "{}", "--at", "n=100"), ("compare", "{}", "--at", "n=1e4"),
            ("check", "{}", "--laws", "laws.toml"), ("scaling", "{}"), (SYMPY, "{}"),
        ), beside),
        Seed("laws.toml", _LAWS, (("check", "data.jsonl", "--laws", "{}"),), beside),
        *_of_statistics(folder, beside),
        *_of_parquet(folder, beside),
        *_of_programs(folder, beside),
    ]  # fmt: skip
    return found


_TOOLS = {
    "google.json": json.dumps({"context": {}, "benchmarks": [
        {"name": f"f/{n}", "run_type": "iteration", "real_time": 2.0 * n, "cpu_time": 1.0 * n,
         "time_unit": "ns", "repetition_index": 0} for n in _POINTS]}),
    "pytest.json": json.dumps({"benchmarks": [
        {"name": f"f[{n}]", "fullname": "f", "params": {"n": n}, "stats": {"mean": n, "data": [n]}}
        for n in _POINTS]}),
    "hyperfine.json": json.dumps({"results": [
        {"command": f"f {n}", "mean": n, "times": [1.0 * n], "parameters": {"n": str(n)}}
        for n in _POINTS]}),
    "run.n8.cali": """__rec=node,id=19,attr=10,data=268,parent=3
__rec=node,id=20,attr=8,data=function,parent=19
__rec=node,id=96,attr=10,data=21,parent=5
__rec=node,id=97,attr=8,data=sum#time.duration,parent=96
__rec=node,id=155,attr=20,data=main
__rec=ctx,ref=155,attr=97,data=3.5
__rec=node,id=156,attr=20,data=solve,parent=155
__rec=ctx,ref=156,attr=97,data=1.5
""",
}  # fmt: skip


def _of_statistics(folder: Path, beside: Mapping[str, bytes]) -> list[Seed]:
    from modeling import read
    from modeling.readers.statistics import write_statistics

    with (folder / "a.stats").open("wb") as stream:
        write_statistics(stream, read(folder / "data.jsonl"))
    content = (folder / "a.stats").read_bytes()
    _made(("merge", "a.stats", "--out", "sums.stats"), folder)
    commands = (("merge", "{}", "--out", "out.stats"), ("fit", "{}"))
    return [
        Seed("a.stats", content, commands, beside),
        Seed("sums.stats", (folder / "sums.stats").read_bytes(), commands, beside),
    ]


def _of_parquet(folder: Path, beside: Mapping[str, bytes]) -> list[Seed]:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return []
    _made(("export", "data.jsonl", "--format", "parquet", "--out", "parquet"), folder)
    (part,) = (folder / "parquet").glob("*.parquet")
    commands = (("fit", "{}"), ("export", "{}", "--out", "out.csv"))
    return [Seed(f"parquet/{part.name}", part.read_bytes(), commands, beside)]


def _of_programs(folder: Path, beside: Mapping[str, bytes]) -> list[Seed]:
    """What a compiler is needed for: analyses, studies and their stores."""
    from looplaw_common.errors import LooplawError
    from staticana import find_compiler

    try:
        find_compiler()
    except LooplawError:
        return []
    (folder / "program.c").write_bytes(_PROGRAM)
    _made(("analyze", "program.c", "--json", "analysis.json"), folder)
    _made(
        ("study", "program.c", "--vary", "n=4,8,16,32", "--repetitions", "1", "--out", "study"),
        folder,
    )
    (runs,) = (folder / "study" / "runs").glob("*.jsonl")
    reading = (
        ("report", "{}", "--out", "out.html"), ("findings", "{}", "--sarif", "out.sarif"),
        ("check", "{}"), ("diff", "{}", "{}"), ("compare", "{}"),
        ("predict", "{}", "--at", "n=100"),
        (SYMPY, "{}"),
    )  # fmt: skip
    return [
        Seed("study.json", (folder / "study" / "study.json").read_bytes(), reading, beside),
        Seed("analysis.json", (folder / "analysis.json").read_bytes(), (
            ("findings", "{}"), ("diff", "{}", "{}"), ("check", "{}"),
            ("fit", "data.jsonl", "--analysis", "{}"), (SYMPY, "{}"),
        ), beside),
        Seed("store/runs/a.jsonl", runs.read_bytes(), (
            ("runs", "{}"), ("export", "{}", "--format", "jsonl"), ("fit", "{}"),
        ), beside),
        Seed("study.toml", _STUDY_FILE.encode(), (("run", "{}", "--dry-run"),), {
            **beside, "program.c": _PROGRAM,
        }),
    ]  # fmt: skip


def _made(words: Sequence[str], folder: Path) -> None:
    found = in_a_fork(words, folder)
    if found.code not in (0, 1, 3):
        raise RuntimeError(f"{' '.join(words)}: {found.code}: {found.errors}")


# -- damage
_HOSTILE = (
    b"NaN", b"-1", b"0", b"1e999", b"-0.0", b"1" * 400, b"99999999999999999999", b"1e-320", b"null",
    b"[]", b"{}", b'""', b'"\\ud800"', b'"\\u0000"', b'"' + b"x" * 5000 + b'"', b"[" * 3000,
    b"true", b"\xff\xfe", b"\x00", b"\x1b[31m", "‮".encode(), b"=cmd|x", b"\r", b"n**n**n", b"1/0",
    b"log(0)", b"9**9**9**9", b"(" * 2000, b"n" * 3000, b"../../../etc/passwd", b"2147483648",
)  # fmt: skip
_CODE = f"__import__('pathlib').Path('{CANARY}').touch()"
_HOSTILE_FORMULAS = (
    _CODE, f"n*({_CODE} or 1)", "().__class__.__base__", "9**9**9**9", "(n - n + 9)**(9**9)",
    "(9*n)**(9**9)", "2**65000*" * 500 + "n",
    "Sum(Sum(Sum(i*j*k*n, (k, 0, n)), (j, 0, n)), (i, 0, n))",
    "Sum(i*n, (i, 0, 10**9))", "Mod(Mod(Mod(n + 1, 7) + 1, 7) + 1, 7)", "(a + b + c + n)**60",
    "Mod((a + b + c + n)**60, (a + b)**59)", "n**n**n", "floor(sqrt(2)**(sqrt(2)**(sqrt(2)**40)))",
    "Max(" + ", ".join(f"n**{k} + m" for k in range(200)) + ")", "(" * 99 + "n" + ")" * 99,
    "ceiling(log(n, 1))", "1/(n - n)", "1e999", "9" * 5000, "floor(log(2**60000 + n, 3)*10**9000)",
    "Piecewise(" + "(1, n > 1), " * 500 + "(0, True))", "n\n::error::forged", "\x1b[2J",
)  # fmt: skip
_HOSTILE_NUMBERS = (
    b"1e400", b"-1e400", b"9" * 5000, b"NaN", b"Infinity", b"-Infinity", b"1e-400", b"9" * 400,
    b"1.7976931348623157e308", b"9223372036854775808", b"-9223372036854775809",
)  # fmt: skip
_HOSTILE_NAMES = (
    "f\n::error file=a.c,line=1::forged", "f\r\n##[error]forged", "\x1b]0;title\x07", "\u202egnp.c",
    "../../outside", "/etc/passwd",
    "=cmd|'/c calc'!A1", "</script><script>alert(1)</script>", _CODE,
    "$(touch canary)", "`touch canary`;touch canary", "-" * 20, "--out", "x" * 5000, "a\0b",
)  # fmt: skip


def _with_formulas(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """All formulas of a document, one of them, or some text of it, exchanged for a hostile one."""
    text = json.dumps(rng.choice(_HOSTILE_FORMULAS)).encode()
    found = list(re.finditer(rb'"(?:formula|lower|upper|expect|law)"\s*[:=]\s*("[^"]*")', data))
    found = found or list(re.finditer(rb'("[^"]*")', data))
    chosen = set(found if rng.random() < 0.5 else rng.sample(found, min(len(found), 1)))
    for match in reversed(found):
        if match in chosen:
            data = data[: match.start(1)] + text + data[match.end(1) :]
        if len(data) > 1 << 20:
            break
    return data


def _with_numbers(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    found = list(re.finditer(rb"(?<=[\s:,\[])-?[0-9][0-9.eE+-]*", data))
    for match in reversed(rng.sample(found, min(len(found), rng.choice((1, 1, 3))))):
        data = data[: match.start()] + rng.choice(_HOSTILE_NUMBERS) + data[match.end() :]
    return data


def _with_names(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """A text exchanged for a hostile one wherever it stands."""
    found = sorted({m[0] for m in re.finditer(rb'"[^"\n]{1,80}"', data)})
    if not found:
        return data
    return data.replace(rng.choice(found), json.dumps(rng.choice(_HOSTILE_NAMES)).encode())


def _nested(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    found = list(re.finditer(rb"(?<=[:,\[])\s*(\{|\[)", data))
    if not found:
        return data
    at, depth = rng.choice(found).start(), rng.choice((50, 99, 101, 2000, 100_000))
    opening, closing = rng.choice(((b"[", b"]"), (b'{"a":', b"}")))
    return data[:at] + opening * depth + b"1" + closing * rng.choice((0, depth)) + b"," + data[at:]


def _repeated(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """A member of an object twice."""
    found = list(re.finditer(rb'"[^"\n]{1,40}"\s*:\s*(?:"[^"\n]*"|[0-9.]+|null|true|false),', data))
    if not found:
        return data
    match = rng.choice(found)
    return data[: match.end()] + match[0] + data[match.end() :]


def _widened(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """Columns added to each line of a table."""
    number = rng.choice((70, 1000, 5000))
    first, *rest = data.split(b"\n")
    head = b",".join(b"%s%d" % (rng.choice((b"c", b"metric:c")), k) for k in range(number))
    cells = b",".join([b"1"] * number)
    return b"\n".join([first + b"," + head, *(line and line + b"," + cells for line in rest)])


def damaged(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """A file damaged in one to three ways."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = rng.choice(_WAYS)(data, rng, others)
    return data


def _truncated(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _flipped(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 2, 8, 64)) if changed else 0):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _replaced(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """A value replaced: what stands between two delimiters."""
    ends = [k for k, c in enumerate(data) if c in b' ,:{}[]"\n=']
    if len(ends) < 2:
        return data
    at = rng.randrange(len(ends) - 1)
    return data[: ends[at] + 1] + rng.choice(_HOSTILE) + data[ends[at + 1] :]


def _rearranged(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """Lines deleted, repeated or exchanged."""
    lines = data.split(b"\n")
    at, some = rng.randrange(len(lines)), rng.choice((1, 2, 20))
    where = rng.randrange(len(lines))
    if rng.random() < 0.5:
        return b"\n".join(lines[:at] + lines[at + some :])
    return b"\n".join([*lines[:where], *lines[at : at + some], *lines[where:]])


def _spliced(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    other = rng.choice(others)
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other)) :]


def _changed_json(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """One value of a JSON document exchanged for another of it, or for something else: it stays
    JSON, so that the damage reaches what is behind the parser."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines)) if data[:1] == b"{" and len(lines) < 60 else 0
    whole = len(lines) == 1 or lines[0].rstrip() in (b"{", b"[")
    try:
        document = json.loads(data if whole else lines[at])
    except (ValueError, RecursionError):  # damaged before, by nesting it
        return _replaced(data, rng, others)
    places: list[tuple[object, object]] = []
    _places(document, places)
    if not places:
        return data
    holder, key = rng.choice(places)
    other, of = rng.choice(places)
    values = [None, -1, 0, 1e308, 10**30, "", "\ud800", [], {}, "n**n", True, other[of]]  # type: ignore[index]
    value = rng.choice(values)
    if json.dumps(value).count("{") < 500:
        holder[key] = json.loads(json.dumps(value))  # type: ignore[index]
    text = json.dumps(document).encode()
    return text if whole else b"\n".join([*lines[:at], text, *lines[at + 1 :]])


def _places(document: object, found: list[tuple[object, object]]) -> None:
    items = (
        document.items()
        if isinstance(document, dict)
        else enumerate(document)
        if isinstance(document, list)
        else ()
    )
    for key, inner in items:
        found.append((document, key))
        _places(inner, found)


_WAYS: tuple[Callable[[bytes, random.Random, Sequence[bytes]], bytes], ...] = (
    _truncated, _flipped, _replaced, _rearranged, _spliced, _changed_json, _changed_json,
    _with_formulas, _with_formulas, _with_numbers, _with_names, _with_names, _nested, _repeated,
    _widened,
)  # fmt: skip


# -- commands
def in_a_fork(
    action: Sequence[str] | Callable[[], object],
    folder: Path,
    prepare: Callable[[], object] | None = None,
) -> Outcome:
    """A command, or a function that answers with an exit code or nothing, in a fork of this
    process.

    Args:
        prepare: called before it, in the folder.
    """
    with SharedImports() as imports:
        inherited = _resident()
        child = os.fork()
        if child == 0:
            _become(action, folder, imports, prepare)
        _, status, used = os.wait4(child, 0)
    return _outcome(os.waitstatus_to_exitcode(status), folder, used, inherited)


def _outcome(code: int, folder: Path, used: resource.struct_rusage, inherited: int = 0) -> Outcome:
    """inherited: bytes that the process had when it began."""
    errors = (folder / ".stderr").read_text(errors="replace")
    peak = max(0, used.ru_maxrss * 1024 - inherited)
    return Outcome(code, errors, used.ru_utime + used.ru_stime, peak)


def _resident() -> int:
    """Bytes of memory that this process has, which a fork of it begins with."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return 0
    return int(pages) * resource.getpagesize()


def _limits() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS + 1, SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _become(
    action: Sequence[str] | Callable[[], object],
    folder: Path,
    imports: SharedImports,
    prepare: Callable[[], object] | None,
) -> None:
    code = 99
    try:
        os.chdir(folder)
        for number, name in ((1, ".stdout"), (2, ".stderr")):
            os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8")  # not what tests have put in their place
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace")
        _limits()
        os.environ["LOOPLAW_MACHINE"] = "none"
        if prepare is not None:
            prepare()
        code = _done(action if callable(action) else partial(_command, action))
        with contextlib.suppress(OSError, AttributeError):  # closed, or a full device
            sys.stdout.flush()
        sys.stderr.flush()
        imports.tell()
    except BaseException:
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _command(words: Sequence[str]) -> object:
    sys.argv = ["looplaw", *words]
    from looplaw.cli.main import main as looplaw

    return looplaw()


def _done(action: Callable[[], object]) -> int:
    """The exit code of what is done; an error that a user can cause is what a message would be."""
    try:
        found = action()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1 if end.code else 0
    except LooplawError as error:
        print(f"looplaw: {error}", file=sys.stderr)
        return error.exit_code
    return found if isinstance(found, int) else 0


def in_a_process(words: Sequence[str], folder: Path) -> Outcome:
    """The command as a user types it."""
    before = _resident()  # what exec replaces counts for the peak, too
    with (folder / ".stdout").open("wb") as out, (folder / ".stderr").open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "looplaw", *words],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "LOOPLAW_MACHINE": "none"},
            stdout=out,
            stderr=errors,
            stdin=subprocess.DEVNULL,
            preexec_fn=_limits,
        )
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    is_ours = used.ru_maxrss * 1024 > 1.1 * before
    return _outcome(process.returncode, folder, used, 0 if is_ours else before)


def case(good: Sequence[Seed], number: int, seed: int, folder: Path, *, apart: bool) -> tuple[
    str, tuple[str, ...], Outcome
]:  # fmt: skip
    """What the command line does with one damaged file: (name, command, outcome)."""
    rng = random.Random(f"input {seed} {number}")
    chosen = rng.choice(good)
    data = damaged(chosen.content, rng, [s.content for s in good])
    for name, content in {**chosen.beside, chosen.name: data}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    given = chosen.name.split("/")[0]
    words = tuple(w.replace("{}", given) for w in rng.choice(chosen.commands))
    around = sorted(p.name for p in folder.parent.iterdir())
    if words[0] == SYMPY:
        from tests.attacks.documents import read_by_sympy

        found = in_a_fork(read_by_sympy(words[1]), folder)
    else:
        found = (in_a_process if apart else in_a_fork)(words, folder)
    return chosen.name, words, replace(found, harm=_harm(folder, around))


_FORGED = re.compile(rb"^(?:::|##\[)|\x1b", re.MULTILINE)


def _harm(folder: Path, around: Sequence[str]) -> str | None:
    """What was run, written elsewhere, or said in the name of a build server."""
    if any(p.name == CANARY for p in (folder / CANARY, folder.parent / CANARY) if p.exists()):
        return "ran"
    if sorted(p.name for p in folder.parent.iterdir()) != list(around):
        return "wrote outside"
    said = [(folder / name).read_bytes() for name in (".stdout", ".stderr")]
    return "forged" if any(_FORGED.search(text) for text in said) else None


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; 1 if a case has a fault."""
    parser = argparse.ArgumentParser(prog="make fuzz-inputs ARGS=...", description=__doc__)
    parser.add_argument("--number", type=int, default=1000, help="Damaged files.")
    parser.add_argument("--first", type=int, default=0, help="Number of the first one.")
    parser.add_argument("--subprocesses", type=int, default=50, help="Of them, in a process.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="Keep the folders of faults here.")
    parser.add_argument("--json", type=Path, help="Write the figures to this file.")
    options = parser.parse_args(arguments)
    faults: Counter[str] = Counter()
    codes: Counter[tuple[str, int]] = Counter()
    most_s, most_bytes, apart = 0.0, 0, 0
    with tempfile.TemporaryDirectory(prefix="looplaw-inputs-") as scratch:
        made = Path(scratch) / "good"
        made.mkdir()
        good = seeds(made)
        told_s = time.monotonic()
        for k in range(options.first, options.first + options.number):
            folder = Path(scratch) / str(k)
            folder.mkdir()
            is_apart = (k - options.first) * options.subprocesses // options.number != (
                k - options.first + 1
            ) * options.subprocesses // options.number
            apart += is_apart
            name, words, found = case(good, k, options.seed, folder, apart=is_apart)
            codes[name, found.code] += 1
            most_s, most_bytes = max(most_s, found.cpu_s), max(most_bytes, found.peak)
            if found.fault:
                faults[found.fault] += 1
                print(f"-- {k}: {name}: {found.fault}: looplaw {' '.join(words)}")
                print(f"   {found.errors.strip()[-600:]}", flush=True)
                if options.keep:
                    shutil.copytree(folder, options.keep / str(k), dirs_exist_ok=True)
            shutil.rmtree(folder)
            if time.monotonic() - told_s > 60:
                told_s = time.monotonic()
                print(f"{k + 1 - options.first} files", file=sys.stderr, flush=True)
    for name in sorted({name for name, _ in codes}):
        each = ", ".join(
            f"{n} with exit code {c}" for (m, c), n in sorted(codes.items()) if m == name
        )
        print(f"{name:22} {each}")
    print(
        f"{options.number} files of seed {options.seed}, {apart} in processes of their own:"
        f" {faults.total()} faults {dict(faults) or ''}; at most {most_s:.1f} s of CPU time and"
        f" {most_bytes >> 20} MiB more than the process that starts them"
    )
    if options.json:
        document = {
            "format": "looplaw-fuzz-inputs/1", "seed": options.seed, "files": options.number,
            "processes": apart, "faults": dict(faults), "cpu_s": most_s, "bytes": most_bytes,
        }  # fmt: skip
        options.json.write_text(json.dumps(document, indent=1) + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
