"""What is known of a machine: the JSON document "looplaw-machine/1", frozen and checked when read.

Costs are nanoseconds: for a line of 64 bytes where data stream, for one load where addresses are
random. They are what code compiled at -O3 for the generic target meets, on one core.
"""

from __future__ import annotations

import bisect
import math
from typing import Annotated

import msgspec

MACHINE = "looplaw-machine/1"
LINE_BYTES = 64
"""Length of a cache line of every processor that is measured here."""


class Level(msgspec.Struct, frozen=True):
    """One level of the memory hierarchy.

    bytes: the capacity that a program on one core meets, which on shared machines is less than what
    the system tells (`nominal_bytes`); None for memory. read, written, updated: ns for a line that
    streams from (to, from and to) this level; dependent, independent: ns for one random load.
    """

    level: str
    bytes: int | None
    nominal_bytes: int | None
    ns_per_line_read: float
    ns_per_line_written: float
    ns_per_line_updated: float
    ns_per_dependent_load: float
    ns_per_independent_load: float


class Curve(msgspec.Struct, frozen=True):
    """Cost by size: of the working set, or of the stride, in bytes; ascending."""

    bytes: tuple[int, ...]
    ns: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.bytes) != len(self.ns) or not self.bytes:
            raise ValueError("a curve needs as many costs as sizes, and one at least")
        if any(b <= a for a, b in zip(self.bytes, self.bytes[1:], strict=False)):
            raise ValueError("the sizes of a curve must ascend")

    def at(self, size: float) -> float:
        """The cost at a size: linear in the logarithm of the size, constant beyond the ends."""
        at = bisect.bisect_left(self.bytes, size)
        if at == 0 or at == len(self.bytes):
            return self.ns[min(at, len(self.ns) - 1)]
        low, high = self.bytes[at - 1], self.bytes[at]
        share = math.log(size / low) / math.log(high / low)
        return self.ns[at - 1] + share * (self.ns[at] - self.ns[at - 1])


class System(msgspec.Struct, frozen=True):
    """What the system tells and nothing measures: ways of each cache by its level, bytes of a page,
    when it makes huge pages (Linux: always, madvise, never), and whether the machine is virtual;
    None where it does not tell."""

    ways: dict[str, int] = {}
    page_bytes: int | None = None
    huge_pages: str | None = None
    is_virtual: bool | None = None


class Machine(msgspec.Struct, frozen=True):
    """A machine as measured.

    caches: from the fastest to memory, which is the last. Curves by working set: `read`, `written`,
    `updated` for streams, `dependent` and `independent` for random loads of lines, `pages` for
    random loads of one line a page (address translation); `strided` by stride, in memory.
    ns_per_timestamp: of the counter that times kernels.
    """

    format: str
    host: str
    cpu: str
    created: str
    cores: int
    caches: tuple[Level, ...]
    read: Curve
    written: Curve
    updated: Curve
    dependent: Curve
    independent: Curve
    pages: Curve
    strided: Curve
    ns_per_timestamp: float
    seconds: float
    """How long measuring took."""
    fresh: Curve | None = None
    """ns of a line's part of a page that the system provides, by the bytes that are new; None in
    descriptions without it."""
    branches: Curve | None = None
    """ns of a branch that a random byte decides, by the bytes that decide one after the other and
    then again; None in descriptions without it."""
    operations: dict[str, Annotated[float, msgspec.Meta(gt=0)]] = {}
    """ns of operations of the processor's core by name; empty in descriptions without them."""
    system: System = System()

    def __post_init__(self) -> None:
        if not self.caches or self.caches[-1].bytes is not None:
            raise ValueError("the last of the caches must be memory, without a size")
        sizes = [c.bytes for c in self.caches[:-1]]
        if any(s is None or s <= 0 for s in sizes) or sizes != sorted(sizes, key=lambda s: s or 0):
            raise ValueError("the sizes of the caches must be positive and ascend")
