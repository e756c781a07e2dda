"""The one progress display of all commands: a bar on stderr, on terminals only."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from looplaw_common.text import in_one_line

from .console import messages


class Bar:
    """A bar on stderr while something is done step by step; nothing where that is no terminal."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0
        self._task = progress.add_task("", total=total, learned="")

    def tell(self, text: str) -> None:
        """What is being done now."""
        self._progress.update(self._task, description=in_one_line(text))

    def learned(self, text: str) -> None:
        """What is known so far, at the end of the line."""
        self._progress.update(self._task, learned=in_one_line(text))

    def step(self) -> None:
        """One step is done; more than were expected make the bar longer."""
        self._done += 1
        self._progress.update(self._task, advance=1, total=max(self._total, self._done))


@contextlib.contextmanager
def bar(text: str, total: int) -> Iterator[Bar]:
    """The one progress display of all commands."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[learned]}", markup=False),
    )
    with Progress(
        *columns, console=messages, transient=True, disable=not messages.is_terminal
    ) as progress:
        shown = Bar(progress, total)
        shown.tell(text)
        yield shown
