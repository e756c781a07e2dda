"""A study ready to run: everything that does not depend on measurements."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass

from runtime import Experiment, LeftOut, Plan
from staticana import Analysis, InputError, Module, find_compiler
from staticana.frontend.mpi import mpi_flags

from ..laws.metrics import OPERATIONS, Operations
from ..laws.symbols import KernelSymbols
from ..settings.settings import Settings
from .design import MPI_SIZE, parallel_origins, rank_number


@dataclass(frozen=True)
class Prepared:
    """A study ready to run: everything that does not depend on measurements."""

    settings: Settings
    text: str
    module: Module
    analysis: Analysis
    plan: Plan
    experiments: tuple[Experiment, ...]  # one for each point
    left_out: tuple[LeftOut, ...] = ()  # kernels that would cost too much
    symbols: tuple[KernelSymbols, ...] = ()  # of the kernels whose calls are kept apart
    handlers: tuple[str, ...] = ()  # of signals, that leave: why counters are precise

    @property
    def identity(self) -> str:
        """Changes when the program or what is counted changes, so that old runs are not taken for
        new ones."""
        more = "".join(
            json.dumps(words) for words in (self.settings.link, self.settings.events) if words
        )
        return hashlib.sha256(
            (self.text + self.plan.digest + str(find_compiler()) + more).encode()
        ).hexdigest()[:24]

    @property
    def link_flags(self) -> tuple[str, ...]:
        """What the linker gets: for a program of MPI the library at hand, where the settings name
        none; for one of Fortran its part of it, too."""
        given = self.settings.link
        if MPI_SIZE not in parallel_origins(self.module):
            return given
        with suppress(InputError):  # the linker names what it misses
            is_at_hand = {*mpi_flags()[1]} <= {*given}
            if is_at_hand or not any("mpi" in word for word in given):
                return *given, *mpi_flags(fortran="DW_LANG_Fortran" in self.text)[1]
        return given

    @property
    def operations(self) -> Operations:
        """The operations to report beside what is measured."""
        metrics = tuple(dict.fromkeys(name for name in self.settings.metrics if name in OPERATIONS))
        return Operations(self.analysis, self.plan, metrics, rank_number(self.analysis))

    @property
    def lowest(self) -> dict[str, int]:
        """Smallest swept value of every parameter, and the first rank."""
        rank = rank_number(self.analysis)
        return {name: min(values) for name, values in self.settings.vary.items()} | (
            {rank: 0} if rank else {}
        )
