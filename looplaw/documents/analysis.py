"""The JSON document "looplaw-analysis/1": what `looplaw analyze --json` writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import UNSET, UnsetType

from looplaw_common import graphs
from looplaw_common.documents import convert
from looplaw_common.errors import DataError
from looplaw_common.lookup import find
from modeling.data.observations import Number

from .count import CountDocument

if TYPE_CHECKING:
    from networkx import DiGraph

    from staticana import Analysis

ANALYSIS: Literal["looplaw-analysis/1"] = "looplaw-analysis/1"


class ParameterDocument(msgspec.Struct, frozen=True):
    """A parameter of the program and where its value comes from. range: the least and the largest
    value by its type, where that is known."""

    name: str
    origin: str
    range: tuple[int, int] | UnsetType = UNSET


class HiddenCostDocument(msgspec.Struct, frozen=True):
    """A call or a loop that makes the loop around it quadratic in the size of `argument`."""

    at: str
    function: str = ""
    call: str = ""
    argument: str = ""
    message: str = ""


class LibraryCallDocument(msgspec.Struct, frozen=True):
    """A call of a library function and the bytes or elements that one call passes."""

    at: str
    function: str = ""
    call: str = ""
    steps: CountDocument = CountDocument("unknown")


class LaunchDocument(msgspec.Struct, frozen=True):
    """What all threads of a launch do together: the sum over threads, their maximum, and the sum
    over warps of their lanes' number times the maximum of their lanes."""

    work: CountDocument = CountDocument("unknown")
    depth: CountDocument = CountDocument("unknown")
    warps: CountDocument = CountDocument("unknown")


class AccessDocument(msgspec.Struct, frozen=True):
    """A place of a kernel that reads or writes memory; see `staticana.results.Access`."""

    at: str
    kind: str
    space: str
    bytes: int
    sectors: CountDocument
    pattern: str
    conflicts: CountDocument | None = None
    lines: CountDocument = CountDocument("unknown")
    stride: str | None = None
    array: str = ""
    launch: LaunchDocument = LaunchDocument()
    loop: str | None = None


class LaunchSiteDocument(msgspec.Struct, frozen=True):
    """A place of the host that launches a kernel; see `staticana.results.LaunchSite`."""

    at: str
    loop: str | None = None
    grid: tuple[str | None, ...] = ()
    block: tuple[str | None, ...] = ()
    launches: CountDocument = CountDocument("unknown")
    work: CountDocument = CountDocument("unknown")
    warps: CountDocument = CountDocument("unknown")
    arguments: tuple[str | None, ...] = ()


class BytesDocument(msgspec.Struct, frozen=True):
    """Bytes between memory and multiprocessors: at best, and as a kernel makes its accesses."""

    best: CountDocument = CountDocument("unknown")
    moved: CountDocument = CountDocument("unknown")


class KernelDocument(msgspec.Struct, frozen=True):
    """The laws of the launches of a kernel; see `staticana.results.KernelResult`."""

    dimensions: int = 1
    warp: int = 32
    work: CountDocument = CountDocument("unknown")
    depth: CountDocument = CountDocument("unknown")
    warps: CountDocument = CountDocument("unknown")
    efficiency: str | None = None
    shared_bytes: CountDocument = CountDocument("unknown")
    launches: CountDocument | None = None
    accesses: tuple[AccessDocument, ...] = ()
    divergence: tuple[str, ...] = ()
    operations: dict[str, CountDocument] = {}
    sites: tuple[LaunchSiteDocument, ...] = ()
    bytes: BytesDocument = BytesDocument()
    intensity: str | None = None
    loops: dict[str, LaunchDocument] = {}
    blocks_per_multiprocessor: CountDocument | None = None


class LoopDocument(msgspec.Struct, frozen=True):
    """A loop of the source. `display` and `display_per_call` are shortened formulas; they stand in
    documents made for annotated source only."""

    at: str
    function: str = ""
    nesting: int = 1
    parent: str | None = None
    inner: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    per_entry: CountDocument = CountDocument("unknown")
    per_call: CountDocument = CountDocument("unknown")
    total: CountDocument = CountDocument("unknown")
    display: str | UnsetType | None = UNSET
    display_per_call: str | UnsetType | None = UNSET
    launch: LaunchDocument | UnsetType = UNSET


class DisplayDocument(msgspec.Struct, frozen=True):
    """Formulas of a function shortened for people."""

    work: str | None = None
    depth: str | None = None
    efficiency: str | None = None


class RooflinePoint(msgspec.Struct, frozen=True, omit_defaults=True):
    """A roofline at parameter values; `missing` names the symbols that got no value, and nothing
    else is known then."""

    missing: tuple[str, ...] = ()
    flops: Number | UnsetType = UNSET
    bytes: Number | UnsetType = UNSET
    bytes_from: str | UnsetType = UNSET
    intensity: float | UnsetType | None = UNSET
    time_s: float | UnsetType = UNSET
    bound: str | UnsetType = UNSET


class RooflineDocument(msgspec.Struct, frozen=True):
    """The roofline bound of one function, per call."""

    bytes: CountDocument
    intensity: str | None
    display: str | None
    leading: str | None
    time_s: str | None
    display_time: str | None
    bound: str | None
    reason: str | None
    at: RooflinePoint | None


class MachineDocument(msgspec.Struct, frozen=True):
    """The machine of a roofline: peaks per second, and what is assumed of bytes."""

    peak_flops: float
    peak_bandwidth: float
    balance: float
    bytes: str
    least: int
    at: dict[str, Number]


class FunctionDocument(msgspec.Struct, frozen=True):
    """A function; counts are per call."""

    name: str
    file: str | None = None
    line: int | None = None
    parameters: tuple[str, ...] = ()
    work: CountDocument = CountDocument("unknown")
    depth: CountDocument = CountDocument("unknown")
    efficiency: str | None = None
    operations: dict[str, CountDocument] = msgspec.field(default_factory=dict)
    display: DisplayDocument | UnsetType = UNSET
    roofline: RooflineDocument | UnsetType = UNSET
    kernel: KernelDocument | UnsetType = UNSET


class LoopMemory(msgspec.Struct, frozen=True):
    """Lines of 64 bytes that one execution, and one iteration, of a loop touch; None: no closed
    formula. fits: level of the machine -> when one iteration fits there."""

    at: str
    function: str
    depth: int
    lines: str | None
    lines_per_iteration: str | None
    fits: dict[str, str]


class LevelTraffic(msgspec.Struct, frozen=True):
    """Lines that miss a cache, where all parameters have values.

    streamed, strided, random: of them; written_back: lines that were written to and leave the
    cache; low, high: bounds, and in reason why they are apart; smaller, larger: lines that would
    miss a cache of 0.8 and of 1.25 times the size.
    """

    level: str
    bytes: int
    lines: float
    streamed: float = 0.0
    strided: float = 0.0
    random: float = 0.0
    written_back: float = 0.0
    low: float = 0.0
    high: float = 0.0
    smaller: float = 0.0
    larger: float = 0.0
    sure: bool = True
    reason: str = ""


class LoopTraffic(msgspec.Struct, frozen=True):
    """What a loop does in a run, without the loops inside it; lines, strided and random: by level
    of the machine."""

    at: str
    function: str
    iterations: float
    loads: float
    stores: float
    lines: dict[str, float]
    strided: dict[str, float]
    random: dict[str, float]


class RegimeMemory(msgspec.Struct, frozen=True):
    """Lines that miss where one iteration of the loops `at` fits in a cache (none: where everything
    does). needs: lines that have to fit, each of them; fits: level of the machine -> when they
    do."""

    at: tuple[str, ...]
    needs: tuple[str, ...]
    lines: str | None
    fits: dict[str, str]


class MemoryDocument(msgspec.Struct, frozen=True):
    """The memory law: `reason` says why there is none."""

    loops: tuple[LoopMemory, ...] = ()
    regimes: tuple[RegimeMemory, ...] = ()
    traffic: tuple[LevelTraffic, ...] = ()
    loop_traffic: tuple[LoopTraffic, ...] = ()
    footprint: float | None = None
    method: str = ""
    unknowns: dict[str, str] = {}
    at: dict[str, int | float] = {}
    notes: tuple[str, ...] = ()
    reason: str | None = None


class AnalysisDocument(msgspec.Struct, frozen=True):
    """All loops and functions of a program; `library` are loops in headers of libraries."""

    format: Literal["looplaw-analysis/1"]
    entry: str = "main"
    parameters: tuple[ParameterDocument, ...] = ()
    loops: tuple[LoopDocument, ...] = ()
    functions: tuple[FunctionDocument, ...] = ()
    library: tuple[LoopDocument, ...] = ()
    notes: tuple[str, ...] = ()
    findings: tuple[HiddenCostDocument, ...] = ()
    library_calls: tuple[LibraryCallDocument, ...] = ()
    roofline: MachineDocument | UnsetType = UNSET
    memory: MemoryDocument | UnsetType = UNSET

    @property
    def ranges(self) -> dict[str, tuple[int, int]]:
        """Parameter -> its least and its largest value by its type, where that is known."""
        return {p.name: p.range for p in self.parameters if p.range is not UNSET}

    @property
    def call_graph(self) -> DiGraph:
        """Documents have no calls.

        Raises:
            DataError: always; the message says what has them.
        """
        raise DataError(
            "an analysis that was read from a file has no call graph: looplaw.analyze(PROGRAM) has"
        )

    @property
    def loop_tree(self) -> DiGraph:
        """As `Analysis` has it; see `looplaw_common.graphs.loop_tree`."""
        return graphs.loop_tree((*self.loops, *self.library))

    @property
    def dependences(self) -> DiGraph:
        """As `Analysis` has it; see `looplaw_common.graphs.dependences`."""
        return graphs.dependences(
            (p.name for p in self.parameters), (*self.loops, *self.library), self.functions
        )

    def __getitem__(self, key: str) -> LoopDocument | FunctionDocument:
        """As `Analysis` has it: by "file:line", "file:line:col" or the name of a function.

        Raises:
            UnknownKey: nothing, or several, are called so.
        """
        return find(key, (*self.loops, *self.library), self.functions)


def analysis_document(analysis: Analysis) -> AnalysisDocument:
    """The document of an analysis."""
    return convert(analysis.to_json(), AnalysisDocument, "analysis")
