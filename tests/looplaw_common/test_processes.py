"""Programs that are over when they are said to be, and that end with the process that started
them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.hardening.processes import MARK, survivors
from looplaw_common.processes import NotStartedError, completed, run_kept
from tests.places import ROOT

HOW = {"from the small process": False, "from this one": True}
"""How a keeper is forked: what `inherits` says."""
inherits = pytest.mark.parametrize("inherits", HOW.values(), ids=HOW)
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs a subreaper")


def environment(mark: Path) -> dict[str, str]:
    return {**os.environ, MARK: str(mark)}


# A program may leave behind: a job in the background, a daemon (two forks and a session of its
# own), and one that has closed all its files.
LEAVES = {
    "background": "sleep 600 & exit 0",
    "daemon": "(setsid sleep 600 &) ; exit 0",
    "closed": "(setsid sh -c 'exec <&- >&- 2>&-; sleep 600; :' &) ; exit 0",
    "ignores": "(trap '' TERM HUP INT; setsid sh -c 'while :; do sleep 600; done' &) ; exit 0",
}


@linux
@inherits
@pytest.mark.parametrize("how", LEAVES)
def test_what_is_left_at_the_limit_is_ended_and_told(
    how: str, inherits: bool, tmp_path: Path
) -> None:
    ended = run_kept(
        ["sh", "-c", LEAVES[how]],
        environment=environment(tmp_path),
        timeout_s=0.3,
        inherits=inherits,
    )
    assert ended.code == 0
    assert not ended.late
    assert ended.left >= 1
    assert not survivors(str(tmp_path))


@linux
@pytest.mark.parametrize("how", ["{} & exit 0", "(setsid sh -c '{}' &) ; exit 0"])
def test_what_ends_by_itself_is_waited_for(how: str, tmp_path: Path) -> None:
    """The program ends at once; what it started writes a file when the test lets it."""
    gate, out = tmp_path / "gate", tmp_path / "out"
    os.mkfifo(gate)
    command = how.format(f"read word < {gate}; echo done > {out}")
    opener = subprocess.Popen(["sh", "-c", f"echo go > {gate}"])
    ended = run_kept(["sh", "-c", command], timeout_s=60)
    assert (ended.code, ended.left) == (0, 0)
    assert out.read_text() == "done\n"
    opener.wait()


def test_a_program_is_ended_at_the_limit(tmp_path: Path) -> None:
    ended = run_kept(["sleep", "600"], environment=environment(tmp_path), timeout_s=0.2)
    assert ended.late
    assert not survivors(str(tmp_path))


def test_exit_codes_and_output() -> None:
    assert run_kept(["sh", "-c", "exit 7"]).code == 7
    assert run_kept(["sh", "-c", "kill -SEGV $$"]).code == -signal.SIGSEGV
    found = completed(["sh", "-c", "echo out; echo error >&2; exit 3"], 60)
    assert (found.code, found.stdout, found.errors) == (3, b"out\n", "error\n")
    with pytest.raises(NotStartedError, match="No such file"):
        run_kept(["/nowhere/program"])
    with pytest.raises(subprocess.TimeoutExpired):
        completed(["sleep", "600"], 0.1)


@pytest.mark.parametrize("stream", [1, 2])
def test_of_what_a_program_prints_the_beginning_and_the_end_are_kept(stream: int) -> None:
    command = f"(echo first; head -c 50000000 /dev/zero; echo last) >&{stream}"
    ended = run_kept(["sh", "-c", command], keep_stdout=1000, keep_stderr=1000)
    texts = {1: ended.stdout, 2: ended.stderr}
    assert texts.pop(stream).startswith(b"first\n\0")
    kept = {1: ended.stdout, 2: ended.stderr}[stream]
    assert kept.endswith(b"\0last\n")
    assert b"\n... 49999059 bytes left out ...\n" in kept
    assert len(kept) <= 1000
    assert list(texts.values()) == [b""]


def test_a_program_that_prints_without_end_is_ended_at_the_limit() -> None:
    ended = run_kept(["sh", "-c", "yes >&2"], keep_stderr=100, timeout_s=0.3)
    assert ended.late
    assert ended.stderr.startswith(b"y\ny\n")
    assert len(ended.stderr) <= 100


@inherits
def test_an_exception_ends_the_program(inherits: bool, tmp_path: Path) -> None:
    def stop(*_: object) -> None:
        raise RuntimeError("asked to stop")

    before = signal.signal(signal.SIGUSR1, stop)
    try:
        command = f"kill -USR1 {os.getpid()}; (setsid sleep 600 &); sleep 600"
        with pytest.raises(RuntimeError, match="asked to stop"):
            run_kept(["sh", "-c", command], environment=environment(tmp_path), inherits=inherits)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert not survivors(str(tmp_path))


@linux
@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("victim", ["parent", "keeper", "both"])
def test_nothing_survives_kill_9(victim: str, small: bool, tmp_path: Path) -> None:
    """Of the process that started the program; of the keeper only the program itself dies."""
    ready = tmp_path / "ready"
    os.mkfifo(ready)
    rest = "" if victim != "parent" else "(setsid sleep 600 &); "
    inner = f"{rest}echo $PPID > {ready}; exec sleep 600"
    code = f"""
from looplaw_common.processes import run_kept, start_from_small_process
{"start_from_small_process()" if small else ""}
run_kept(['sh', '-c', {inner!r}])
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env={**environment(tmp_path), "PYTHONPATH": str(ROOT)},
        stderr=subprocess.DEVNULL,
    )
    keeper = int(ready.read_text())
    victims = {"parent": [process.pid], "keeper": [keeper], "both": [process.pid, keeper]}
    for pid in victims[victim]:
        os.kill(pid, signal.SIGKILL)
    process.wait(timeout=60)
    assert not survivors(str(tmp_path))


def _said(words: list[str], **options: object) -> str:
    return run_kept(words, keep_stdout=10_000, **options).stdout.decode()  # type: ignore[arg-type]


@linux
@inherits
def test_a_program_starts_where_it_is_asked_for(
    inherits: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOOPLAW_TESTED", "a\udcff b\n")
    before, processors = os.umask(0o027), os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(processors)})
        asked = ["sh", "-c", 'pwd; umask; nproc; printf "%s" "$LOOPLAW_TESTED" | od -An -tx1']
        said = _said(asked, inherits=inherits).split("\n")
        within = _said(["pwd"], cwd=tmp_path.parent, inherits=inherits)
    finally:
        os.umask(before)
        os.sched_setaffinity(0, processors)
    assert said[:4] == [str(tmp_path), "0027", "1", " 61 ff 20 62 0a"]
    assert within == f"{tmp_path.parent}\n"


def test_a_program_is_started_whatever_becomes_of_the_small_process(tmp_path: Path) -> None:
    """A task may be longer than what the system takes at once, and the process may be killed."""
    code = """
import os, signal
from looplaw_common import processes
processes.start_from_small_process()
def said(**more):
    words = ["sh", "-c", 'echo ${#LONG} $PPID']
    return processes.run_kept(words, keep_stdout=100, **more).stdout.decode().split()
first = said(environment={**os.environ, "LONG": "x" * 10})
long = said(environment={**os.environ, "LONG": "x" * 120_000, "MORE": "y" * 120_000})
for s in processes._STARTERS:
    os.kill(s._pid, signal.SIGKILL)
    os.waitpid(s._pid, 0)
after = said(environment={"LONG": "x", "PATH": os.environ["PATH"]})
print(first[0], long[0], after[0], len({first[1], long[1], after[1]}))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.split() == ["10", "120000", "1", "3"]
    assert done.stderr == ""


@linux
@inherits
def test_a_program_starts_in_a_folder_that_is_gone(
    inherits: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    assert _said(["echo", "here"], inherits=inherits) == "here\n"


@linux
def test_programs_are_not_started_from_what_has_been_loaded() -> None:
    """Whose fork a keeper is, is seen by its size: this process has loaded the tests."""
    sizes = [
        int(_said(["sh", "-c", "grep VmSize /proc/$PPID/status"], inherits=i).split()[1])
        for i in (False, True)
    ]
    assert sizes[0] < sizes[1]


_TWO_ON_ONE = """
import os, time
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
child = os.fork()
while time.process_time() < 0.1: pass
if child: os.waitpid(child, 0)
"""


@linux
@inherits
def test_how_long_a_program_waits_for_a_processor_is_told(inherits: bool) -> None:
    if not Path("/proc/self/schedstat").exists():
        pytest.skip("HOW LONG PROGRAMS WAIT IS NOT TESTED: this kernel does not tell")
    alone = run_kept(["true"], inherits=inherits)
    shared = run_kept([sys.executable, "-c", _TWO_ON_ONE], inherits=inherits)
    assert 0 <= alone.waited_s <= shared.waited_s
    assert shared.waited_s > 0.005  # of 0.1 s that each of two needs of one processor


@linux
@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("victim", ["keeper", "guard"])
def test_what_a_killed_keeper_or_guard_leaves_is_ended(
    victim: str, small: bool, tmp_path: Path
) -> None:
    """The program and the daemons that it made, which no signal of the system reaches; and it is
    said what has happened, not that the program cannot start."""
    ready = tmp_path / "ready"
    os.mkfifo(ready)
    daemons = "(setsid sleep 600 &); (setsid sh -c 'trap : TERM; sleep 601; :' &)"
    inner = f"{daemons}; echo $PPID > {ready}; sleep 602"
    code = f"""
from looplaw_common.processes import UnwatchedError, run_kept, start_from_small_process
{"start_from_small_process()" if small else ""}
try:
    run_kept(['sh', '-c', {inner!r}])
except UnwatchedError as error:
    print(error.filename, error.strerror)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env={**environment(tmp_path), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    keeper = int(ready.read_text())
    guard = int(Path(f"/proc/{keeper}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill({"keeper": keeper, "guard": guard}[victim], signal.SIGKILL)
    said, _ = process.communicate(timeout=60)
    assert said.startswith("sh ended, since the process of looplaw that watched it was killed")
    assert not survivors(str(tmp_path), 0), "all are gone when it is said"


@linux
@pytest.mark.parametrize("small", [False, True])
def test_a_launcher_that_lingers_does_not_outlive_looplaw_for_long(
    small: bool, tmp_path: Path
) -> None:
    """looplaw is killed in the time that a launcher gets after SIGTERM; little of it is left."""
    ready = tmp_path / "ready"
    os.mkfifo(ready)
    stays = f"trap 'echo go > {ready}; while :; do sleep 600; done' TERM"
    inner = f"{stays}; (setsid sleep 600 &); while :; do sleep 0.01; done"
    code = f"""
from looplaw_common import keeper
from looplaw_common.processes import run_kept, start_from_small_process
keeper._GRACE_S, keeper._ORPHAN_GRACE_S = 600, 0.1
{"start_from_small_process()" if small else ""}
run_kept(['sh', '-c', {inner!r}], timeout_s=0.2, gently=True)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], env={**environment(tmp_path), "PYTHONPATH": str(ROOT)}
    )
    assert ready.read_text() == "go\n"
    process.kill()
    process.wait(timeout=60)
    assert not survivors(str(tmp_path))
