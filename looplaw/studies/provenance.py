"""What is kept beside the runs of a study: the environment, and what the counters are."""

from __future__ import annotations

from dataclasses import asdict

from looplaw_common.version import __version__
from runtime import CounterPlace, Provenance, describe
from runtime.launch.environment import Environment
from staticana import find_compiler

from ..settings.settings import Settings
from .prepared import Prepared


def provenance(prepared: Prepared) -> Provenance:
    """What is kept beside the runs."""
    counters = [asdict(c) for c in places(prepared)]
    return Provenance(
        environment(prepared.settings), {"identity": prepared.identity, "counters": counters}
    )


def places(prepared: Prepared) -> tuple[CounterPlace, ...]:
    """What the counters of the plan are, in their order."""
    found = {s.kernel: s.parameters for s in prepared.symbols}
    return tuple(
        CounterPlace(
            c.at,
            c.function,
            prepared.plan.timed and c.nesting == 1,
            found.get((c.function, c.header)),
        )
        for c in prepared.plan.counters
    )


def environment(settings: Settings) -> Environment:
    """What a measurement depends on besides the program."""
    return describe(
        source=settings.program[0],
        compiler=str(find_compiler()),
        flags=" ".join(("-O3", *settings.flags)),
        version=__version__,
    )
