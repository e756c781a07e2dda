"""Nothing that looplaw starts is found in the working folder."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from looplaw_common import commands
from tests.places import ROOT

PACKAGES = ("looplaw", "looplaw_common", "modeling", "runtime", "staticana")
STARTS = {"subprocess": ("run", "Popen", "call", "check_call", "check_output", "getoutput")}
STARTS["os"] = (
    *("system", "popen", "posix_spawn", "posix_spawnp", "startfile"),
    *(f"exec{end}" for end in ("l", "le", "lp", "lpe", "v", "ve", "vp", "vpe")),
    *(f"spawn{end}" for end in ("l", "le", "lp", "lpe", "v", "ve", "vp", "vpe")),
)
STARTERS = {
    "looplaw_common/commands.py": "the one place that starts tools and interpreters",
    "looplaw_common/keeper.py": "starts what `run_kept` is given",
    "runtime/machine/measure.py": "starts the program that it has just built, by its path",
}
PLACES = {"which", "executable", "find_library"}
"""What asks PATH, or names an interpreter or library."""
WORTH_READING = re.compile(
    r"subprocess|shutil|sys\.executable|from (?:os|sys) import|shell="
    r"|os\.(?:system|popen|posix|exec|spawn|startfile)|run_kept|completed\(|answered\(|passed_on\("
)
"""Most modules hold nothing that the test looks for; to parse all takes seconds."""
GIVEN_TO = ("run_kept", "completed", "answered", "passed_on", "create_subprocess_exec")


def nodes() -> Iterator[tuple[str, ast.AST]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            text = path.read_text()
            for node in ast.walk(ast.parse(text)) if WORTH_READING.search(text) else ():
                yield str(path.relative_to(ROOT)), node


def offences(file: str, node: ast.AST) -> Iterator[str]:
    """What this node does that only `commands` may do."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        module, name = node.value.id, node.attr
        if name in STARTS.get(module, ()) and file not in STARTERS:
            yield f"{file}:{node.lineno}: starts a process: {module}.{name}"
        asks = (module == "sys" and name == "executable") or (module == "shutil" and name in PLACES)
        if asks and file != "looplaw_common/commands.py":
            yield f"{file}:{node.lineno}: {module}.{name} is for looplaw_common.commands"
    if isinstance(node, ast.ImportFrom) and node.module in ("subprocess", "shutil", "os", "sys"):
        taken = {a.name for a in node.names} & {*STARTS.get(node.module, ()), *PLACES}
        if taken:
            yield f"{file}:{node.lineno}: import {node.module}, so that this test sees {taken}"
    if isinstance(node, ast.Call):
        called = getattr(node.func, "attr", getattr(node.func, "id", ""))
        first = node.args[0] if node.args else None
        words = first.elts if isinstance(first, ast.List | ast.Tuple) else [first]
        bare = isinstance(words[0], ast.Constant) if words else False
        if called in GIVEN_TO and bare:
            yield f"{file}:{node.lineno}: {called} is given a bare name"
        if any(k.arg == "shell" for k in node.keywords):
            yield f"{file}:{node.lineno}: a shell"


def test_one_place_starts_tools_and_interpreters() -> None:
    found = [said for file, node in nodes() for said in offences(file, node)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "line",
    [
        "subprocess.run(['git', 'log'])",
        "os.execvp('cc', ['cc'])",
        "from subprocess import Popen",
        "shutil.which('cc')",
        "print(sys.executable)",
        "completed(['git', *words], 1.0)",
        "start(words, shell=True)",
    ],
)
def test_the_lint_sees(line: str) -> None:
    assert [said for node in ast.walk(ast.parse(line)) for said in offences("x.py", node)]


def program(path: Path, text: str = "#!/bin/sh\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("entry", ["", ".", "here", "./here", "../{cwd}", "..//{cwd}/here"])
def test_a_tool_is_not_looked_up_in_the_working_folder(
    entry: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    entry = entry.format(cwd=tmp_path.name)
    program(tmp_path / "cc")
    program(tmp_path / "here" / "cc")
    installed = program(tmp_path / "bin" / "cc")
    monkeypatch.setenv("PATH", entry)
    assert commands.tool("cc") is None
    monkeypatch.setenv("PATH", f"{entry}:{tmp_path / 'bin'}")
    assert commands.tool("cc") == str(installed)
    assert commands.tool_environment()["PATH"] == str(tmp_path / "bin")
    with pytest.raises(FileNotFoundError) as error:
        commands.tool_words(["none", "--version"])
    assert error.value.filename == "none"


def test_a_file_that_is_named_is_taken_from_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program(tmp_path / "cc")
    assert commands.tool("./cc") == str(tmp_path / "cc")
    assert commands.tool("./none") is None


def test_a_command_is_started_by_its_absolute_path() -> None:
    for words in (["git", "log"], ["./git"], [""]):
        with pytest.raises(ValueError, match="absolute"):
            commands.answered(words)
        with pytest.raises(ValueError, match="absolute"):
            commands.passed_on(words)


HIDES = ("looplaw", "looplaw_common", "runtime", "modeling", "ziglang", "json", "numpy", "site")


def hostile(folder: Path, mark: Path, names: tuple[str, ...] = HIDES) -> None:
    """Packages that leave a mark where they are imported."""
    for name in names:
        (folder / name).mkdir()
        for file in ("__init__.py", "__main__.py"):
            (folder / name / file).write_text(f"open({str(mark)!r}, 'a').write(__name__ + '\\n')\n")


@pytest.mark.parametrize("path", [None, "", ".", ":", "{root}:"])
def test_our_interpreter_takes_no_module_of_the_working_folder(
    path: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And finds our packages where only this process's path has them."""
    hostile(tmp_path, tmp_path / "mark")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    if path is not None:
        monkeypatch.setenv("PYTHONPATH", path.format(root=ROOT))
    code = "import json, numpy, looplaw_common, runtime; print(looplaw_common.__file__)"
    done = commands.answered(
        commands.own_python("-c", code), environment=commands.own_environment()
    )
    assert done.stdout.decode().strip() == str(ROOT / "looplaw_common" / "__init__.py"), done.stderr
    assert not (tmp_path / "mark").exists()


def test_a_package_of_the_working_folder_is_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = commands.package_folder("ziglang")
    hostile(tmp_path, tmp_path / "mark")
    monkeypatch.chdir(tmp_path)
    for entry in ("", ".", str(tmp_path), f"{tmp_path}/"):
        monkeypatch.setattr(sys, "path", [entry, *sys.path])
        assert commands.package_folder("ziglang") == before
    assert commands.package_folder("no_such_package") is None


@pytest.mark.parametrize("name", ["-x.c", "--help", "-fplugin=evil.so", "@flags.c", "+x.f90"])
def test_a_file_name_is_no_option(name: str) -> None:
    assert commands.as_argument(name) == f"./{name}"
    assert commands.as_argument(f"/tmp/{name}") == f"/tmp/{name}"
    assert commands.as_argument("x.c") == "x.c"


GIT = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


def test_a_repository_names_no_commands(tmp_path: Path) -> None:
    """Its settings are a file that an archive may hold."""
    mark = program(tmp_path / "hook", f"#!/bin/sh\ntouch {tmp_path}/mark\n")

    def git(*words: str) -> None:
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True, env=GIT)

    git("init", "-q")
    git("config", "core.fsmonitor", str(mark))
    git("config", "gpg.program", str(mark))
    git("config", "log.showSignature", "true")
    git("config", "core.hooksPath", str(tmp_path))
    (tmp_path / "a.c").write_text("int a;\n")
    for words in (["status", "--porcelain"], ["log", "--oneline"], ["ls-files", "-o"]):
        commands.answered(commands.git_words(tmp_path, *words))
    assert not (tmp_path / "mark").exists()
    git("status")
    assert (tmp_path / "mark").exists(), "that the setting is one which runs"
