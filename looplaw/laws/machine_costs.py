"""A measured machine as models of time need it."""

from __future__ import annotations

import os
from collections.abc import Callable

from looplaw_common.errors import InputError, RunError
from modeling.pmnf.machine_costs import Costs, Level
from runtime.machine.description import LINE_BYTES, Machine
from runtime.machine.description import Level as MeasuredLevel
from runtime.machine.known import cached_file, read_machine, this_machine

_FAULT_NS = 700.0
"""What the system takes to map a page, for machines described without it: small sets take 750 to
800 ns a page where `looplaw machine` measures in a virtual machine, with clearing the page."""


NO_MACHINE = "none"
MACHINE_VARIABLE = "LOOPLAW_MACHINE"
PAGE_BYTES = 4096
"""The probe loads one line of each page, which comes from a cache as the lines of a dense set do:
what it takes longer is translation."""
HELD_PAGES_BYTES = 2 << 20
"""The second-level buffer of every processor of the last decade holds the translations of 512 pages
and more; what lies between the first and the second level is hidden where loads overlap."""
_OVERLAPPED = 3.0
"""Loads from the second level that a program has under way at a time, as kernels of PolyBench show
that walk down columns."""


def costs_for(choice: str | None, say: Callable[[str], None] = lambda text: None) -> Costs | None:
    """What memory costs where a study is run; None where it is not to be known.

    Args:
        choice: a file that `looplaw machine --json` wrote, "none", or None for what LOOPLAW_MACHINE
            says, which is this machine, measured if it is not known, where it is not set.
        say: told what is done that takes time, and what went wrong.

    Raises:
        InputError, DataError: the file that was chosen is none.
    """
    chosen = choice or os.environ.get(MACHINE_VARIABLE) or None
    if chosen == NO_MACHINE:
        return None
    if chosen is not None:
        return costs_of(read_machine(chosen))
    if not cached_file().is_file():
        say("measuring this machine's caches once, in 10 s; --machine none leaves it out")
    try:
        return costs_of(this_machine())
    except (InputError, RunError) as error:
        say(f"{error}; times are modelled without the machine")
        return None


def costs_of(machine: Machine) -> Costs:
    """What a machine's memory costs."""
    return Costs(
        _levels(machine),
        tuple(map(float, machine.independent.bytes)),
        machine.independent.ns,
        *_translation(machine),
        *_fresh(machine),
        *_branches(machine),
        machine.operations,
    )


def _branches(machine: Machine) -> tuple[tuple[float, ...], tuple[float, ...]]:
    if machine.branches is None:
        return (), ()
    return tuple(map(float, machine.branches.bytes)), machine.branches.ns


def _fresh(machine: Machine) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """What a line's part of a new page costs, ns, by the bytes of all new pages; where it was not
    measured, mapping a page and writing its lines."""
    if machine.fresh is not None:
        return tuple(map(float, machine.fresh.bytes)), machine.fresh.ns
    mapped = _FAULT_NS / (PAGE_BYTES // LINE_BYTES)
    return (
        tuple(map(float, machine.written.bytes)),
        tuple(mapped + ns for ns in machine.written.ns),
    )


def _translation(machine: Machine) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """What the translation of an address costs, ns, by the bytes of all pages in turn."""

    def beyond_load(size: float) -> float:
        return machine.pages.at(size) - machine.dependent.at(size * LINE_BYTES / PAGE_BYTES)

    sizes = machine.pages.bytes
    held = max(map(beyond_load, [s for s in sizes if s <= HELD_PAGES_BYTES] or [HELD_PAGES_BYTES]))
    larger = [s for s in sizes if s > HELD_PAGES_BYTES]
    return (
        (float(HELD_PAGES_BYTES), *map(float, larger)),
        (0.0, *(max(0.0, beyond_load(s) - held) for s in larger)),
    )


def _levels(machine: Machine) -> tuple[Level, ...]:
    """The levels, each as expensive as the one before at least.

    A line that is far from the last one takes as much more there as an independent load does, and
    an updated one as much more as a written one, since both come and go back: the probe's updates
    hide what caches cost.
    """
    found: list[Level] = []
    for k, c in enumerate(machine.caches):
        read, written, far, updated = _measured(machine, c)
        if found:
            before, last = machine.caches[k - 1], found[-1].ns
            step = c.ns_per_independent_load - before.ns_per_independent_load
            far = max(far, last[2] + step if c.bytes is not None else last[2])
            updated = max(updated, last[3] + written - last[1])
        found.append(Level(c.level, c.bytes, (read, written, far, updated)))
    return tuple(found)


def _measured(machine: Machine, c: MeasuredLevel) -> tuple[float, float, float, float]:
    """Lines far from each other cost what independent loads cost: those of memory, too, since
    strides of a page and more are not prefetched (the probe's strides, which are shorter, or of
    lines that caches hold, are); from the second level a part of its latency, since the probe's
    independent loads hide it."""
    far = c.ns_per_independent_load
    if c is machine.caches[1]:
        far = max(far, c.ns_per_dependent_load / _OVERLAPPED)
    read, written, updated = (c.ns_per_line_read, c.ns_per_line_written, c.ns_per_line_updated)
    return read, written, max(far, read), updated
