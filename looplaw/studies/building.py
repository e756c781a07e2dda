"""The instrumented program of a study, built in the study's directory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from looplaw_common.scratch import scratch_folder
from runtime import Program, build_program
from staticana.frontend.clang import CXX_SUFFIXES

from .prepared import Prepared


def is_cxx(prepared: Prepared) -> bool:
    """Does the program need the C++ library?"""
    return (
        any(path.suffix in CXX_SUFFIXES for path in prepared.settings.program)
        or "@__gxx_personality_v0" in prepared.text
        or "@_ZSt" in prepared.text
    )


def build(prepared: Prepared, folder: Path) -> Program:
    """Build the instrumented program, under a name of its own: another study may run the one that
    is there."""
    place = executable_of(prepared, folder)
    with scratch_folder("build", folder) as scratch:
        made = build_program(
            prepared.text,
            prepared.plan,
            scratch / place.name,
            cxx=is_cxx(prepared),
            link_flags=prepared.link_flags,
        )
        return replace(made, executable=made.executable.replace(place))


def executable_of(prepared: Prepared, folder: Path) -> Path:
    """Where the instrumented program is built."""
    return folder / f"program-{prepared.identity[:12]}"
