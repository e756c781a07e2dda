"""Streams that are closed or full, text that no terminal should get, and bounds of messages."""

from __future__ import annotations

import json
import mmap
import os
import re
import resource
import shlex
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from looplaw.cli import console
from looplaw.cli.console import brief
from looplaw_common import limits
from looplaw_common.errors import LooplawWarning
from looplaw_common.limits import lift_limits, limit_memory, parse_size
from tests import command_line
from tests.places import ROOT

HOSTILE = "\x1b]0;title\x07\u202ename\ud800 [bold]x[/y]"
full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


def measurements(folder: Path, name: str = "f", count: int = 5) -> Path:
    path = folder / "data.jsonl"
    rows = [
        {"params": {"n": n}, "callpath": name, "metric": "t", "value": n}
        for n in range(1, count + 1)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def looplaw(shell: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = f"{sys.executable} -m looplaw {shell}"
    return subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        errors="surrogateescape",
        check=False,
        timeout=120,
    )


@full
@pytest.mark.parametrize(
    ("shell", "code", "said"),
    [
        ("fit data.jsonl 2>/dev/full", 0, ""),
        ("fit data.jsonl 2>&-", 0, ""),
        ("fit none.jsonl 2>/dev/full", 2, ""),
        ("fit none.jsonl 2>&-", 2, ""),
        ("fit data.jsonl >/dev/full", 2, "No space left"),
        ("fit - <&-", 3, "is empty"),
        ("fit data.jsonl --json /dev/full", 2, "/dev/full: No space left"),
    ],
)
def test_streams_that_fail(shell: str, code: int, said: str, tmp_path: Path) -> None:
    measurements(tmp_path)
    done = looplaw(shell, tmp_path)
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


def test_no_raw_control_characters_reach_a_terminal(tmp_path: Path) -> None:
    measurements(tmp_path, HOSTILE)
    (tmp_path / "bad.jsonl").write_text(json.dumps({"params": {HOSTILE: []}}) + "\n")
    (tmp_path / "laws.toml").write_text(f"[[law]]\n{json.dumps('k' + HOSTILE[:4])} = 1\n")
    for line in (
        "fit data.jsonl",
        "fit data.jsonl --format markdown",
        "fit data.jsonl --format latex",
        "fit bad.jsonl",
        "check data.jsonl --laws laws.toml",
        "predict data.jsonl --at n=3",
        "fit '\x1b[31m.jsonl'",
    ):
        done = command_line.looplaw(*shlex.split(line), cwd=tmp_path)
        text = done.stdout + done.stderr
        assert "internal error" not in text
        assert not [c for c in text if (ord(c) < 32 and c != "\n") or "\u202a" <= c <= "\u202e"], (
            line
        )
        assert max(text) < "\udcff"


def test_messages_have_a_bound() -> None:
    quoted = brief(f"'{'x' * 10_000}': is wrong; write it so")
    assert len(quoted) < 240
    assert quoted.endswith("': is wrong; write it so")
    plain = brief("y" * 10_000 + ".c: what to do")
    assert len(plain) <= 200 + len(" what to do")
    assert plain.endswith("y.c: what to do")
    words = brief("many words " * 1000 + "and what to do")
    assert len(words) < 1100
    assert words.endswith("and what to do")
    assert brief("two\nlines") == "two lines"


@pytest.mark.parametrize(
    ("text", "size"), [("1", 1), ("512M", 512 << 20), ("1.5 GiB", 3 << 29), ("2kb", 2048)]
)
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text) == size


def test_a_size_is_read_as_it_is_written() -> None:
    words = {1: "1 B", 1023: "1023 B", 1024: "1 KiB", 1536 << 20: "1.5 GiB", 3 << 40: "3 TiB"}
    for size, text in words.items():
        assert limits.written_size(size) == text
        assert parse_size(text) == size
    for power in range(1, 45):
        for size in ((1 << power) - 1, 1 << power, 5 << power):
            assert parse_size(limits.written_size(size)) == pytest.approx(size, rel=5e-4)


@pytest.mark.parametrize("text", ["", "0", "-1G", "1X", "1e9", "G"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        parse_size(text)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_is_that_of_the_machine_or_of_the_container(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """/proc/meminfo has what the kernel leaves of it; a control group may allow less."""
    text = Path("/proc/meminfo").read_text()
    total = 1024 * int(re.findall(r"MemTotal: +(\d+)", text)[0])
    group = tmp_path / "memory.max"
    monkeypatch.setattr(limits, "_CONTROL_GROUPS", (str(tmp_path / "none"), str(group)))
    for said in ("max\n", "0\n", "-1\n", "9223372036854771712\n"):
        group.write_text(said)
        assert 0.95 * total <= limits.memory_of_machine() <= 1.1 * total, said
    group.write_text("123456789\n")
    assert limits.memory_of_machine() == 123456789


@pytest.mark.skipif(sys.platform != "linux", reason="needs RLIMIT_DATA")
def test_resident_memory_grows_with_what_is_used() -> None:
    before = limits.resident()
    held = b"x" * (1 << 26)
    assert abs(limits.resident() - before - len(held)) < 1 << 23
    status = Path("/proc/self/status").read_text()
    told = 1024 * int(re.findall(r"VmRSS:\s+(\d+)", status)[0])
    assert limits.resident() == pytest.approx(told, rel=0.05)


@pytest.mark.skipif(sys.platform != "linux", reason="needs RLIMIT_DATA")
def test_a_bound_is_on_what_is_used() -> None:
    """Memory that is only reserved is left out of the account, memory in use is not."""
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(tell, " ".join(map(str, _bounds())).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.close(tell)
    with os.fdopen(told) as answer:
        first, reserved, used = map(int, answer.read().split())
    assert first >= 1 << 30
    # libraries may reserve some more meanwhile
    assert abs(reserved - first - (1 << 30)) < 1 << 24
    assert abs(used - reserved) < 1 << 24


def _bounds() -> list[int]:
    """What is allowed beside 1 GiB: at first, with 1 GiB that is reserved, with 64 MiB in use."""
    limit_memory(1 << 30)  # loads what it needs
    lift_limits()
    found, held = [], []
    for size, is_used in ((0, False), (1 << 30, False), (1 << 26, True)):
        if size:
            held.append(mmap.mmap(-1, size, mmap.MAP_PRIVATE))
        if is_used:
            held[-1].write(b"x" * size)
        limit_memory(1 << 30)
        found.append(resource.getrlimit(resource.RLIMIT_DATA)[0])
        lift_limits()
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="needs RLIMIT_DATA")
def test_memory_has_a_bound(tmp_path: Path) -> None:
    measurements(tmp_path, count=200_000)
    done = looplaw("fit data.jsonl --max-memory 80M", tmp_path)
    assert done.returncode == 3, done.stderr
    assert "not enough memory" in done.stderr
    wrong = looplaw("fit data.jsonl --max-memory lots", tmp_path)
    assert (wrong.returncode, "as in --max-memory 4G" in wrong.stderr) == (2, True)


def test_the_stream_of_messages_is_left_alone_when_the_interpreter_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is collected when the names of its module are gone; since Python 3.13 an error there is
    shown."""
    stream = type(console.messages.file)()
    monkeypatch.setattr(console, "contextlib", None)
    stream.close()
    stream.__del__()


def test_what_libraries_warn_of_is_for_those_who_debug(capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> None:
        warnings.warn("overflow encountered in reduce", RuntimeWarning, stacklevel=1)
        warnings.warn("n: taken as 3", LooplawWarning, stacklevel=1)

    with console.guarded(debug=False):
        work()
    assert capsys.readouterr().err == "looplaw: n: taken as 3\n"
    with pytest.warns(RuntimeWarning, match="overflow encountered"), console.guarded(debug=True):
        work()
