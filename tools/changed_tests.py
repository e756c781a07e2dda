"""The tests of what was changed: of the rooms, of who imports them, and of who names the files.

    make test-changed ARGS='--base origin/main'

A changed module is tested by the folder of tests that mirrors its room, and by the files of tests
that import it; a changed page by the tests of the documentation; any other file by the files of
tests that name it, and by the folder that it lies in. `make test` runs all.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("looplaw", "looplaw_common", "modeling", "runtime", "staticana", "tests")
_PAGES = "tests/test_documentation.py"


def changed_files(base: str) -> list[Path]:
    """The files that differ from a revision, new ones among them, relative to the repository."""
    git = ["git", "-C", str(ROOT)]
    asked = (
        [*git, "diff", "--name-only", base],
        [*git, "ls-files", "--others", "--exclude-standard"],
    )
    found = (subprocess.run(a, capture_output=True, text=True, check=True).stdout for a in asked)
    return [Path(name) for text in found for name in text.splitlines()]


def tests_of(files: Iterable[Path]) -> list[str]:
    """The folders and files of tests to hand to pytest, each once."""
    graph = grimp.build_graph(*PACKAGES)
    found = dict.fromkeys(test for file in files for test in _of_file(file, graph))
    return [t for t in found if not any(t != u and t.startswith(f"{u}/") for u in found)]


def _of_file(file: Path, graph: grimp.ImportGraph) -> Iterator[str]:
    if file.suffix == ".py" and file.parts[0] in PACKAGES:
        yield from _of_module(file, graph)
    elif file.suffix == ".md":
        yield _PAGES
    elif len(file.parts) > 1:
        yield from _naming(file.name)
        if file.parts[0] == "tests":
            yield from _innermost(file.parents)


def _of_module(file: Path, graph: grimp.ImportGraph) -> Iterator[str]:
    if file.parts[0] != "tests":
        yield from _innermost(Path("tests") / room for room in file.parents if room != Path())
    elif _is_test(file):
        yield from [str(file)] if (ROOT / file).is_file() else []
    module = ".".join(file.with_suffix("").parts).removesuffix(".__init__")
    if module in graph.modules:
        for name in sorted(graph.find_modules_that_directly_import(module)):
            path = Path(*name.split(".")).with_suffix(".py")
            if path.parts[0] == "tests" and _is_test(path):
                yield str(path)


def _innermost(folders: Iterable[Path]) -> Iterator[str]:
    """The first of some folders that has tests, without all tests at once."""
    found = (f for f in folders if f != Path("tests") and any((ROOT / f).glob("test_*.py")))
    yield from (str(f) for f in islice(found, 1))


def _naming(name: str) -> Iterator[str]:
    for test in sorted((ROOT / "tests").rglob("test_*.py")):
        if name in test.read_text(encoding="utf-8"):
            yield str(test.relative_to(ROOT))


def _is_test(file: Path) -> bool:
    return file.name.startswith("test_")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="make test-changed ARGS=...",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--base", default="HEAD", help="The revision to compare with.")
    parser.add_argument("--list", action="store_true", help="Say what would run.")
    given = parser.parse_args(argv)
    try:
        tests = tests_of(changed_files(given.base))
    except subprocess.CalledProcessError as error:
        print(f"error: --base {given.base}: {error.stderr.strip()}", file=sys.stderr)
        return 2
    if not tests:
        print("nothing that was changed has tests")
        return 0
    if given.list:
        print("\n".join(tests))
        return 0
    command = [sys.executable, "-m", "pytest", "-q", "-n", "4", "--dist", "loadfile", *tests]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
