"""Seven ways to an answer, each from an empty folder, as a person would type them: the screens are
written to docs/ways (make ways)."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
FILES = Path(__file__).with_name("ways_files")
_WIDTH = 96
_GIT = ("-c", "user.name=maintainer", "-c", "user.email=maintainer@example.org")


@dataclass(frozen=True)
class Way:
    """One person's way. asked: what they want; prepare: puts into an empty folder what they have;
    commands: what they type; pictures: files that these leave, which are kept beside the screen;
    needs: programs and modules without which it cannot be gone."""

    name: str
    asked: str
    prepare: Callable[[Path], None]
    commands: tuple[str, ...]
    pictures: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


def _copied(*files: Path) -> Callable[[Path], None]:
    def prepare(folder: Path) -> None:
        for file in files:
            shutil.copy(file, folder)

    return prepare


def _repository(folder: Path) -> None:
    """A library of which the last commit makes a function slow."""

    def git(*words: str) -> None:
        subprocess.run(["git", *_GIT, *words], cwd=folder, check=True, capture_output=True)

    (folder / "src").mkdir()
    (folder / ".github/workflows").mkdir(parents=True)
    shutil.copy(FILES / "gate/growth.yml", folder / ".github/workflows")
    shutil.copy(FILES / "gate/queue.h", folder / "src")
    git("init", "--quiet", ".")
    for version, subject in (("before", "Count jobs as they come"), ("after", "Ask for a count")):
        shutil.copy(FILES / f"gate/queue-{version}.c", folder / "src/queue.c")
        git("add", "--all")
        git("commit", "--quiet", "--message", subject)


def _spreadsheet(folder: Path) -> None:
    """Two versions of a sort, with a title, a blank row and a column of remarks."""
    import numpy as np
    from openpyxl import Workbook

    noise = np.random.default_rng(5)
    book = Workbook()
    sheet = book.active
    sheet.append(["Sorting times, laptop"])
    sheet.append([])
    sheet.append(["Records", "old [ms]", "new [ms]", "remark"])
    for n in (1_000, 2_000, 4_000, 8_000, 16_000, 32_000):
        for k in range(3):
            times = np.array([2e-6 * n * n + 1, 4e-4 * n + 6]) * noise.normal(1, 0.02, 2)
            sheet.append([n, *(round(float(t), 3) for t in times), None if k else "warm"])
    book.save(folder / "times.xlsx")


def _notebook(folder: Path) -> None:
    """A function that numba compiles."""
    import nbformat

    cells = (FILES / "notebook/nearest.py").read_text(encoding="utf-8").split("# %%\n")
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(cell.strip()) for cell in cells]
    nbformat.write(notebook, folder / "nearest.ipynb")


WAYS = (
    Way(
        "gate",
        "A maintainer of a C library wants pull requests to fail that make it slow.",
        _repository,
        ("looplaw diff --base HEAD~1 src",),
    ),
    Way(
        "mpi",
        "A student of parallel computing needs a figure of the speed-up.",
        _copied(REPOSITORY / "samples/heat-mpi/heat.c"),
        (
            "looplaw study heat.c --mpi --vary p=1,2 --vary n=256,512,1024 --args '{n} 50'",
            "looplaw plot looplaw-out/heat --over p --speedup --out speedup.png",
        ),
        ("speedup.png",),
        ("mpiexec", "matplotlib"),
    ),
    Way(
        "spreadsheet",
        "Somebody has a spreadsheet with two versions: is the new one faster, and from where on?",
        _spreadsheet,
        ("looplaw compare times.xlsx", "looplaw plot times.xlsx --out versions.png"),
        ("versions.png",),
        ("openpyxl", "pandas", "matplotlib"),
    ),
    Way(
        "notebook",
        "A scientist asks in a notebook how a function of numba scales.",
        _notebook,
        (f"{shlex.quote(sys.executable)} -m tools.ways --notebook nearest.ipynb",),
        (),
        ("numba", "nbclient", "ipykernel"),
    ),
    Way(
        "gpu",
        "Somebody has a kernel and no graphics processor: is anything wrong with it?",
        _copied(FILES / "gpu/transpose.cu"),
        ("looplaw findings transpose.cu", "looplaw transpose.cu"),
    ),
    Way(
        "lesson",
        "A teacher shows two sorts in an editor.",
        _copied(FILES / "lesson/sort.c"),
        (f"{shlex.quote(sys.executable)} -m tools.ways --editor sort.c", "looplaw sort.c"),
        (),
        ("pygls",),
    ),
    Way(
        "extrap",
        "A user of Extra-P brings its text file.",
        _copied(REPOSITORY / "examples/extrap.txt"),
        ("looplaw extrap.txt",),
    ),
)


def missing(way: Way) -> list[str]:
    """What a way needs and is not there."""
    from importlib.util import find_spec

    return [n for n in way.needs if shutil.which(n) is None and find_spec(n) is None]


def screen(way: Way, pictures: Path | None = None) -> str:
    """What a person sees who goes this way.

    Args:
        pictures: a folder for those that the commands leave.

    Raises:
        AssertionError: a command ends in an error.
    """
    lines = [*textwrap.wrap(way.asked, _WIDTH), ""]
    with tempfile.TemporaryDirectory(prefix="way-") as name:
        folder = Path(name)
        way.prepare(folder)
        for command in way.commands:
            started = time.perf_counter()
            shown, code = _typed(shlex.split(command), folder)
            assert code in (0, 1), f"{way.name}: {command}: exit code {code}\n{shown}"
            typed = command.replace(f"{shlex.quote(sys.executable)} -m tools.ways --", "open in ")
            lines += [f"$ {typed}", shown.replace(f"{folder}/", ""), ""]
            lines += [f"({time.perf_counter() - started:.0f} s, exit code {code})", ""]
        for picture in way.pictures if pictures is not None else ():
            assert pictures is not None
            shutil.copy(folder / picture, pictures / f"{way.name}.png")
    return "\n".join(lines).rstrip() + "\n"


def _typed(words: Sequence[str], folder: Path) -> tuple[str, int]:
    """What a command prints to a terminal, and its exit code."""
    environment = {
        **os.environ,
        "PYTHONWARNINGS": "ignore",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
        "PYTHONPATH": str(REPOSITORY),
        "COLUMNS": str(_WIDTH),
        "NO_COLOR": "1",
    }
    done = subprocess.run(
        words,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
    )
    return done.stdout.rstrip(), done.returncode


def _run_notebook(file: Path) -> None:
    """Print the cells of a notebook with what they show."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(file, as_version=4)
    NotebookClient(notebook, kernel_name="python3").execute()
    for cell in notebook.cells:
        print(textwrap.indent(cell.source, "    "), end="\n\n")
        for output in cell.outputs:
            print((output.get("data", {}).get("text/plain") or output.get("text", "")).rstrip())


def _open_in_editor(file: Path) -> None:
    """Print a source as an editor shows it, with what the language server hints behind lines."""
    from tests.looplaw.editor.client import served

    with served(file.resolve().parent, debounce=0.05) as client:
        hints = client.hints(client.open(file.resolve()))
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        print(f"{line:<48}  {hints[number]}" if number in hints else line)


def main(words: Sequence[str]) -> int:
    """Write the screens of all ways, or those named; of others say what is missing."""
    if words[:1] == ["--notebook"]:
        _run_notebook(Path(words[1]))
        return 0
    if words[:1] == ["--editor"]:
        _open_in_editor(Path(words[1]))
        return 0
    out = REPOSITORY / "docs/ways"
    out.mkdir(exist_ok=True)
    for way in WAYS:
        if words and way.name not in words:
            continue
        if gone := missing(way):
            print(f"{way.name}: not gone, without {', '.join(gone)}")
            continue
        (out / f"{way.name}.txt").write_text(screen(way, out), encoding="utf-8")
        print(f"docs/ways/{way.name}.txt")
    return 0


if __name__ == "__main__":
    with suppress(BrokenPipeError):
        sys.exit(main(sys.argv[1:]))
