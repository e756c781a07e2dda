"""The JSON document "looplaw-study/1": what `looplaw study` writes and reports are made from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from modeling.pmnf.documents import ModelDocument

from .analysis import DisplayDocument, FunctionDocument, LoopDocument
from .count import CountDocument, Finite, Params

STUDY: Literal["looplaw-study/1"] = "looplaw-study/1"
LAUNCHES = "launches"
"""The kind of a study of kernels of graphics processors, whose launches were counted."""
RANK = "mpi:rank"
"""The origin of the number of a process, which is no size."""
Exact = int | str | None
"""A number of iterations; a fraction is a text."""


class SweptParameter(msgspec.Struct, frozen=True):
    """A parameter and the values that were run."""

    name: str
    origin: str
    values: tuple[Finite, ...] = ()


class RunDocument(msgspec.Struct, frozen=True):
    """One run of the program. waited_s: for a processor that other programs had."""

    params: Params
    repetition: int = 0
    status: str = "ok"
    exit_code: int | None = None
    reason: str | None = None
    elapsed_s: float | None = None
    cpu_s: float | None = None
    stderr: str | None = None
    waited_s: float | None = None


class MatrixDocument(msgspec.Struct, frozen=True):
    """The matrix form of a nest, as text."""

    text: str


class CountedDocument(msgspec.Struct, frozen=True):
    """A loop at one parameter vector: what was counted and what the formula says."""

    params: Params
    iterations: int
    entries: int = 0
    predicted: Exact = None
    lower: Exact = None
    upper: Exact = None
    equal: bool | None = None


class TimesDocument(msgspec.Struct, frozen=True):
    """Times of a kernel at one parameter vector in seconds, one for each repetition; of a file of
    measurements the mean, perhaps between mean minus and plus the standard deviation."""

    params: Params
    values: Annotated[tuple[float, ...], msgspec.Meta(min_length=1)]


class BeforeDocument(msgspec.Struct, frozen=True):
    """What a loop was in the study that this one is compared with."""

    at: str
    law: str | None
    verdict: str | None
    time: tuple[TimesDocument, ...] | None
    time_model: ModelDocument | None


class LoopLaw(msgspec.Struct, frozen=True):
    """The law of a loop's iterations in the swept parameters.

    kind: "exact", proved from the source; "bound", to the inputs by what every run showed, `where`
    has symbol -> expression; "counted", an exact formula found in the counts alone. seen: runs that
    it agrees with. values: parameter -> how many values of it these runs had. holds_for: parameter
    -> for which values alone it is known to hold, as in "power of two"; see
    `modeling.pmnf.count_law`.
    """

    formula: str
    kind: Literal["exact", "bound", "counted"]
    where: dict[str, str] = msgspec.field(default_factory=dict)
    seen: int = 0
    holds_for: dict[str, str] = msgspec.field(default_factory=dict)
    values: dict[str, int] = msgspec.field(default_factory=dict)


def at_values(values: Mapping[str, int]) -> str:
    """At how many values of each parameter something was seen."""
    told = [f"{count} value{'s' * (count != 1)} of {name}" for name, count in values.items()]
    return f", at {' and '.join(told)}" if told else ""


class SettleDocument(msgspec.Struct, frozen=True):
    """What would settle a loop that is open, weak or unchecked: why it is, what to type (None where
    the study does not tell how it was made), and how many seconds the new runs take."""

    reason: str
    command: str | None
    seconds: float


class StudyLoop(msgspec.Struct, frozen=True):
    """A loop of a study, or a series of measurements in its place: then `total` is None, and
    `metric` and `callpath` are set. `before`, `changes` and `time_ratio` are set where the study is
    compared with an earlier one."""

    at: str
    function: str = ""
    nesting: int = 1
    parent: str | None = None
    inner: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    per_entry: CountDocument | None = None
    per_call: CountDocument | None = None
    total: CountDocument | None = None
    source: str = ""
    display: str | None = None
    display_per_call: str | None = None
    matrix: MatrixDocument | None = None
    counted: tuple[CountedDocument, ...] = ()
    law: LoopLaw | None = None
    obeys: str = "unchecked"
    iterations_model: ModelDocument | None = None
    kernel: str | None = None
    time: tuple[TimesDocument, ...] | None = None
    time_model: ModelDocument | None = None
    growth_ratio: str | None = None
    verdict: str = "unmeasured"
    verdict_reason: str | None = None
    model_quality: str | None = None
    model_error: float | None = None
    settle: SettleDocument | None = None
    metric: str | UnsetType = UNSET
    callpath: str | UnsetType = UNSET
    before: BeforeDocument | UnsetType | None = UNSET
    changes: tuple[str, ...] | UnsetType = UNSET
    time_ratio: float | UnsetType | None = UNSET

    @property
    def measured(self) -> str:
        """The metric that `time` holds."""
        return self.metric if isinstance(self.metric, str) else "time"

    @property
    def unjudged(self) -> tuple[CountedDocument, ...]:
        """The points whose counts were held against nothing, of a loop with an exact formula: the
        runs there broke what it assumes."""
        if self.total is None or self.total.kind != "exact":
            return ()
        return tuple(
            c for c in self.counted if c.predicted is None and c.lower is None and c.upper is None
        )

    @property
    def static_law(self) -> str | None:
        """The iterations in a run that the source proves, as people read them; None where there is
        no formula."""
        return self.display or (self.total.formula if self.total is not None else None)

    @property
    def shown_law(self) -> str | None:
        """The iterations in a run as people read them, by the law in the swept parameters if there
        is one; None where there is no formula."""
        if self.law is not None and self.law.kind != "exact":
            return self.law.formula
        return self.static_law


class CallDocument(msgspec.Struct, frozen=True):
    """A call of a function, from inside a loop or from outside all loops."""

    caller: str
    loop: str | None
    callee: str


class RankLaw(msgspec.Struct, frozen=True):
    """How the number of ranks in a class grows."""

    formula: str
    exact: bool


class RankModel(msgspec.Struct, frozen=True):
    """A model of a class of ranks, as the report shows it."""

    formula: str
    identifiable: bool


class RankClassSummary(msgspec.Struct, frozen=True):
    """A class of ranks, as the report shows it."""

    name: str
    sizes: tuple[int, ...]
    law: RankLaw | None
    models: dict[str, RankModel]


class RankStrip(msgspec.Struct, frozen=True):
    """Values of single ranks of one experiment."""

    ranks: tuple[int, ...]
    classes: tuple[int, ...]
    values: dict[str, tuple[float, ...]]


class RankExperiment(msgspec.Struct, frozen=True):
    """A parameter vector at which ranks were measured."""

    params: Params
    ranks: int
    clusters: int
    matched: bool
    imbalance: dict[str, float | None]
    strip: RankStrip | None = None


class RankedKernel(msgspec.Struct, frozen=True):
    """A kernel and the classes of its ranks; imbalance: metric -> model of largest over mean."""

    callpath: str
    diverges: bool
    by: tuple[str, ...]
    metrics: tuple[str, ...]
    classes: tuple[RankClassSummary, ...]
    experiments: tuple[RankExperiment, ...]
    imbalance: dict[str, ModelDocument]


class SourceDocument(msgspec.Struct, frozen=True):
    """A source file that holds loops."""

    file: str
    text: str


class SummaryDocument(msgspec.Struct, frozen=True):
    """Numbers of loops and runs. unchecked: loops that were held against no law. conclusion: what
    the study as a whole says, where that is less than it seems; "inconclusive: ..." where most
    loops are unchecked. disturbed_runs: those that waited for a processor that other programs had,
    whose times are left out where another repetition has quieter ones; disturbed_points: parameter
    values where none has."""

    loops: int = 0
    exact: int = 0
    obey: int = 0
    miscounted: int = 0
    failed_runs: int = 0
    disturbed_runs: int = 0
    disturbed_points: int = 0
    runs: int = 0
    unchecked: int = 0
    conclusion: str | None = None
    good: int = 0
    weak: int = 0
    extrapolating: int = 0


class BaselineDocument(msgspec.Struct, frozen=True):
    """The earlier study that this one is compared with; gone: loops that no longer exist."""

    title: str | None
    created: str | None
    revision: str | None
    gone: tuple[str, ...]


class Advice(msgspec.Struct, frozen=True):
    """The one run that would tell most: what to measure and what that costs, and what to type."""

    text: str
    command: str | None = None


class StudyDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A finished study, of programs or of kernels (`kind` "launches"), or measurements and their
    models in its form ("measurements").

    options: what `looplaw study` is given besides the program and the values to make it again; None
    where that is not known. target: the size that a run is to be foretold at, if one was given.
    """

    format: Literal["looplaw-study/1"] = STUDY
    title: str = ""
    about: str = ""
    program: tuple[str, ...] = ()
    created: str | None = None
    parameters: tuple[SweptParameter, ...] = ()
    environment: dict[str, Any] = msgspec.field(default_factory=dict)
    runs: tuple[RunDocument, ...] = ()
    loops: tuple[StudyLoop, ...]
    functions: tuple[FunctionDocument, ...] = ()
    calls: tuple[CallDocument, ...] = ()
    ranks: tuple[RankedKernel, ...] = ()
    sources: tuple[SourceDocument, ...] = ()
    summary: SummaryDocument = SummaryDocument()
    options: tuple[str, ...] | None = None
    target: Params | None = None
    advice: Advice | None = None
    cost_per_hour: float | None = None
    kind: str | UnsetType = UNSET
    baseline: BaselineDocument | UnsetType = UNSET


__all__ = [
    "STUDY",
    "Advice",
    "BaselineDocument",
    "BeforeDocument",
    "CallDocument",
    "CountedDocument",
    "DisplayDocument",
    "LoopDocument",
    "LoopLaw",
    "MatrixDocument",
    "RankClassSummary",
    "RankExperiment",
    "RankLaw",
    "RankModel",
    "RankStrip",
    "RankedKernel",
    "RunDocument",
    "SettleDocument",
    "SourceDocument",
    "StudyDocument",
    "StudyLoop",
    "SummaryDocument",
    "SweptParameter",
    "TimesDocument",
]
