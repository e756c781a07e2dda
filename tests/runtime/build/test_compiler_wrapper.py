"""`looplaw cc` in place of a compiler: make and cmake build as before, and the program counts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from looplaw.cli.main import main
from runtime.build.compiler_wrapper import parse_invocation
from staticana import find_compiler

FILES = {
    "lib.h": "long total(int n);\nint twice(int n);\n",
    "lib.c": (
        """#include "lib.h"
long total(int n) {
    long s = 0;
    for (int i = 0; i < n; i++) {
        s += twice(i);
    }
    return s;
}
"""
    ),
    "twice.c": (
        """#include "lib.h"
int twice(int n) {
    int s = 0;
    for (int k = 0; k < n; k++) {
        s += 2;
    }
    return s;
}
"""
    ),
    "unused.c": "#error a member of the archive that nobody needs is never compiled\n",
    "main.c": (
        """#include <stdlib.h>
#include "lib.h"
int main(int argc, char **argv) {
    long s = 0;
    for (int r = 0; r < SCALE; r++) {
        s += total(argc > 1 ? atoi(argv[1]) : 10);
    }
    return s < 0;
}
"""
    ),
    "Makefile": (
        """CFLAGS = -O2 -MMD
program: main.o libsum.a
\t$(CC) -o $@ main.o -L. -lsum
main.o: main.c
\t$(CC) $(CFLAGS) -DSCALE=3 -c $<
libsum.a: lib.o twice.o
\tar rcs $@ $^
libsum.so: lib.c twice.c
\t$(CC) $(CFLAGS) -fPIC -shared -o $@ $^
"""
    ),
    "CMakeLists.txt": (
        """cmake_minimum_required(VERSION 3.10)
project(sums C)
add_library(sum lib.c twice.c)
add_executable(program main.c)
target_compile_definitions(program PRIVATE SCALE=3)
target_link_libraries(program sum)
"""
    ),
}
EXPECTED = {"main.c:5": 3, "lib.c:4": 3 * 20, "twice.c:4": 3 * 190}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if find_compiler().kind == "zig":
        pytest.skip("needs a clang: what make passes on is meant for the system's compiler")
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(p for p in sys.path if p))
    return tmp_path


COMMAND = f"{sys.executable} -m looplaw"


def build(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def iterations(cells: Path) -> dict[str, int]:
    """file:line -> iterations, as `looplaw counts` prints them."""
    done = CliRunner().invoke(main, ["counts", str(cells), "--at", "n=20"])
    assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(row["params"] == {"n": 20} for row in rows)
    return {
        ":".join(row["callpath"].rsplit("/", 1)[-1].split(":")[:2]): row["value"]
        for row in rows
        if row["metric"] == "iterations"
    }


def test_make_with_objects_and_an_archive(project: Path) -> None:
    build("make", f"CC={COMMAND} cc", "program")
    assert "lib.h" in (project / "lib.d").read_text()
    assert (project / "lib.d").read_text().startswith("lib.o:")
    subprocess.run(["./program", "20"], check=True, env={**os.environ, "LOOPLAW_CELLS": "cells"})
    assert iterations(project / "cells") == EXPECTED


def test_collapsed_loops_are_counted_as_the_source_has_them(project: Path) -> None:
    (project / "nest.c").write_text(
        """#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]), s = 0;
    #pragma omp simd collapse(2) reduction(+ : s)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 7; j++)
            s += i * j;
    return s < 0;
}
"""
    )
    build(*COMMAND.split(), "cc", "-O2", "-fopenmp-simd", "nest.c", "-o", "nest")
    subprocess.run(["./nest", "20"], check=True, env={**os.environ, "LOOPLAW_CELLS": "cells"})
    assert iterations(project / "cells") == {"nest.c:5": 20, "nest.c:6": 140}


def test_cmake(project: Path) -> None:
    if shutil.which("cmake") is None:
        pytest.skip("no cmake here")
    build(
        "cmake",
        "-S",
        ".",
        "-B",
        "out",
        "-DCMAKE_BUILD_TYPE=Release",
        f"-DCMAKE_C_COMPILER={sys.executable};-m;looplaw;cc",
    )
    build("cmake", "--build", "out")
    subprocess.run(["out/program", "20"], check=True, env={**os.environ, "LOOPLAW_CELLS": "cells"})
    assert iterations(project / "cells") == EXPECTED


def test_library_called_from_python(project: Path) -> None:
    build("make", f"CC={COMMAND} cc", "libsum.so")
    script = "import ctypes\nlib = ctypes.CDLL('./libsum.so')\nlib.total(20)\nlib.twice(5)\n"
    subprocess.run(
        [sys.executable, "-c", script], check=True, env={**os.environ, "LOOPLAW_CELLS": "cells"}
    )
    assert iterations(project / "cells") == {"lib.c:4": 20, "twice.c:4": 195}


def test_library_that_is_closed_and_opened_again(project: Path) -> None:
    build("make", f"CC={COMMAND} cc", "libsum.so")
    script = (
        "import ctypes, _ctypes, threading\n"
        "def use():\n"
        "    lib = ctypes.CDLL('./libsum.so')\n"
        "    lib.total(20)\n"
        "    _ctypes.dlclose(lib._handle)\n"
        "for _ in range(3):\n"
        "    thread = threading.Thread(target=use)\n"
        "    thread.start()\n"
        "    thread.join()\n"
    )
    subprocess.run(
        [sys.executable, "-c", script], check=True, env={**os.environ, "LOOPLAW_CELLS": "cells"}
    )
    assert iterations(project / "cells") == {"lib.c:4": 60, "twice.c:4": 570}


def test_library_in_a_program_that_exports_its_symbols(project: Path) -> None:
    """Each has a runtime of its own: what the library counted in is gone when the program ends."""
    (project / "host.c").write_text(
        "#include <dlfcn.h>\n"
        "int main(int argc, char **argv) {\n"
        "    void *lib = dlopen(argv[1], RTLD_NOW);\n"
        '    int (*total)(int) = (int (*)(int))dlsym(lib, "total"), s = 0;\n'
        "    for (int k = 0; k < argc; k++) s += total(20);\n"
        "    return dlclose(lib) + (s == 12345);\n"
        "}\n"
    )
    build("make", f"CC={COMMAND} cc", "libsum.so")
    build(*COMMAND.split(), "cc", "-O2", "-rdynamic", "host.c", "-ldl", "-o", "host")
    subprocess.run(
        ["./host", "./libsum.so"], check=True, env={**os.environ, "LOOPLAW_CELLS": "cells"}
    )
    assert iterations(project / "cells") == {"host.c:5": 2, "lib.c:4": 40, "twice.c:4": 380}


def test_everything_at_once_without_object_files(project: Path) -> None:
    build(*COMMAND.split(), "cc", "-O2", "-DSCALE=3", "main.c", "lib.c", "twice.c", "-o", "program")
    subprocess.run(["./program", "20"], check=True, env={**os.environ, "LOOPLAW_CELLS": "cells"})
    assert iterations(project / "cells") == EXPECTED


@pytest.mark.parametrize(
    "arguments",
    [
        ["-E", "main.c"],
        ["-S", "-O1", "lib.c", "-o", "-"],
        ["-MM", "lib.c"],
        ["--version"],
        ["-print-prog-name=ld"],
    ],
)
def test_what_makes_no_object_is_passed_through(arguments: list[str], project: Path) -> None:
    compiler = find_compiler().command
    own = subprocess.run(
        [*COMMAND.split(), "cc", *arguments], capture_output=True, text=True, check=False
    )
    real = subprocess.run([*compiler, *arguments], capture_output=True, text=True, check=False)
    assert (own.returncode, own.stdout, own.stderr) == (real.returncode, real.stdout, real.stderr)


def test_errors_are_the_compilers(project: Path) -> None:
    done = subprocess.run(
        [*COMMAND.split(), "cc", "-c", "unused.c"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "a member of the archive that nobody needs" in done.stderr
    assert not (project / "unused.o").exists()


@pytest.mark.skipif(find_compiler().kind == "zig", reason="zig has words of its own")
def test_options_of_another_compiler_are_left_out_and_said(project: Path) -> None:
    done = subprocess.run(
        [*COMMAND.split(), "cc", "-ftree-vectorizer-verbose=0", "-O2", "-c", "lib.c"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.endswith("does not know -ftree-vectorizer-verbose=0: left out\n")
    assert (project / "lib.o").exists()


def test_command_lines() -> None:
    call = parse_invocation(["-c", "-I", "x.c", "a.c", "-o", "b.o", "-O1", "-O2"], (".c",))
    assert ([call.arguments[k] for k in call.sources], call.output, call.level, call.links) == (
        ["a.c"],
        "b.o",
        2,
        False,
    )
    assert not call.is_untouched
    assert parse_invocation(["a.o", "-lm", "-o", "a"], (".c",)).sources == ()
    assert parse_invocation(["-dumpversion"], (".c",)).is_untouched
