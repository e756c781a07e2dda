"""Programs that a file beside their sources describes: how they are built and run is not kept here.

PROGRAMS=DIR:DIR names folders with a bench.toml:

    name = "heat"                       # the folder's name where it is left out
    root = "src"                        # of the sources, relative to the file
    [[build]]
    sources = ["*.c"]
    runs = [["100", "5"], ["64", "8"]]
    flags = ["-DFAST"]                  # fields of `programs.Build` by their names
    [build.sweep]
    args = ["{n}", "{steps}"]
    vary = {n = [16, 24, 32], steps = [2, 3, 5]}
    check = [{n = 40, steps = 4}]
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from ..programs import Benchmark, Build, Sweep

FILE = "bench.toml"


def described_program(folder: Path) -> tuple[Benchmark, Path]:
    """(the program that the file in a folder describes, the root of its sources).

    Raises:
        ValueError: the folder has no such file, or a field of it is not known.
    """
    path = folder / FILE
    try:
        found = tomllib.loads(path.read_text())
        builds = tuple(_build(table, found.get("name", folder.name)) for table in found["build"])
    except (OSError, KeyError, TypeError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"{path}: {error}") from error
    root = (folder / found.get("root", ".")).resolve()
    return Benchmark(found.get("name", folder.name), str(path), builds), root


def _build(table: dict[str, Any], name: str) -> Build:
    sweep = table.pop("sweep", None)
    fields = {key: _frozen(value) for key, value in table.items()}
    if sweep is not None:
        fields["sweep"] = Sweep(
            tuple(sweep["args"]),
            {k: tuple(v) for k, v in sweep["vary"].items()},
            tuple(sweep["check"]),
        )
    return Build(**{"unit": name, **fields})


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
