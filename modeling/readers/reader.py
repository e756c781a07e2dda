"""What a reader of measurements is. Adding a format takes one file in this folder, which ends with
`READERS = (TextReader(...),)` (or `FILE_READERS`); `registry` finds it there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from ..data.columns import Columns
from ..data.measurements import Measurements
from ..data.observations import Observation, sound
from .choice import NOTHING, Choice, regrouped

Observe = Callable[[str, str], Iterable[Observation]]
"""(text, name for messages) -> observations, with a `Fault` for a value that cannot be used;
DataError says FILE:LINE: what is wrong where nothing says which series it belongs to."""

ObserveParts = Callable[[Iterator[str], str], Columns]
"""The same in columns, of a text in parts of whole lines, so that a large one is never held."""


@runtime_checkable
class Reader(Protocol):
    """A text format of measurements."""

    @property
    def name(self) -> str:
        """What people call the format."""
        ...

    @property
    def suffix(self) -> str:
        """How names of such files end; several formats may share an ending."""
        ...

    @property
    def order(self) -> int:
        """Readers are asked in ascending order whether they know a text."""
        ...

    def matches(self, text: str) -> bool:
        """Is the text in this format, as far as a quick look tells?"""
        ...

    def has_ranks(self, text: str) -> bool:
        """May observations name their ranks?"""
        ...

    def observations(self, text: str, name: str, *, strict: bool = False) -> Iterable[Observation]:
        """Every observation with all that the file says of it.

        Args:
            strict: refuse what an observation has no field for, take names with the blanks around
                them, and number the values of a point as repetitions; otherwise unknown fields are
                ignored and padding is removed.

        Raises:
            DataError: FILE:LINE: what is wrong with that line.
        """
        ...

    def columns(self, text: str, name: str, choice: Choice = NOTHING) -> Columns:
        """All observations, to be aggregated; those that cannot be used are `faults` of it.

        Args:
            choice: what the user says of parameters, values and labels.

        Raises:
            InputError: there is nothing of a name that is chosen.
            DataError: FILE:LINE: what is wrong with a line that belongs to no series.
        """
        ...

    @property
    def observe_parts(self) -> ObserveParts | None:
        """`columns` of a text that comes in parts of whole lines; None where all of it is needed
        at once."""
        ...

    def metadata(self, text: str, name: str) -> Mapping[str, object]:
        """What the text says of the run as a whole, for files that are one run each."""
        ...

    def diagnose(self, text: str, name: str) -> None:
        """Raise an error that says what is wrong with a text that no reader knows, if it resembles
        this format; otherwise do nothing."""
        ...


@dataclass(frozen=True)
class TextReader:
    """A `Reader` made of functions; those that a format does not need have defaults."""

    name: str
    suffix: str
    matches: Callable[[str], bool]
    observe: Observe
    order: int = 50
    observe_strictly: Observe | None = None
    observe_parts: ObserveParts | None = None
    has_ranks: Callable[[str], bool] = lambda text: False
    choose: Callable[[Iterator[str], str, Choice], Columns] | None = None
    metadata: Callable[[str, str], Mapping[str, object]] = lambda text, name: {}
    diagnose: Callable[[str, str], None] = lambda text, name: None

    def observations(self, text: str, name: str, *, strict: bool = False) -> Iterable[Observation]:
        """See `Reader.observations`."""
        return sound(
            (self.observe_strictly if strict and self.observe_strictly else self.observe)(
                text, name
            )
        )

    def columns(self, text: str, name: str, choice: Choice = NOTHING) -> Columns:
        """See `Reader.columns`."""
        if self.choose is not None:
            return self.choose(iter((text,)), name, choice)
        if self.observe_parts is not None:
            found = self.observe_parts(iter((text,)), name)
        else:
            found = Columns.of(self.observe(text, name))
        return regrouped(found, choice, name) if choice else found


@dataclass(frozen=True)
class FileReader:
    """A format that is not text: the pattern of its files' names, and how to read all such files
    below a folder, or one of them (None: only folders are read)."""

    pattern: str
    read_folder: Callable[[Path], Measurements]
    read_file: Callable[[Path], Measurements] | None = None

    def is_in(self, folder: Path) -> bool:
        """Does a folder hold such files?"""
        return next(folder.rglob(self.pattern), None) is not None
