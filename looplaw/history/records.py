"""What is kept of each commit: one JSON line for each kernel and metric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from looplaw_common.commands import answered, git_words, text_of
from looplaw_common.errors import DataError, InputError
from looplaw_common.files import write_whole

from ..documents.count import Params
from ..documents.study import StudyDocument, StudyLoop

HISTORY: Literal["looplaw-history/1"] = "looplaw-history/1"
_COUNTS = "iterations"


class Measured(msgspec.Struct, frozen=True):
    """The median at one parameter vector."""

    params: Params
    value: float


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A metric of a kernel at one commit. date: seconds since 1970, of the commit; formula: of the
    model, None where there is none; identifiable: the points tell it from its rivals; exact: the
    values have no noise."""

    format: Literal["looplaw-history/1"] = HISTORY
    commit: str
    subject: str = ""
    date: int = 0
    kernel: str
    metric: str
    values: tuple[Measured, ...]
    formula: str | None = None
    identifiable: bool = False
    exact: bool = False


class Commit(msgspec.Struct, frozen=True):
    """Where measurements come from."""

    name: str
    subject: str = ""
    date: int = 0


def commit_of(name: str, folder: Path) -> Commit:
    """A commit of the repository a folder is in; outside of one, a name is taken as it is.

    Raises:
        InputError: no such revision.
    """
    words = ("show", "-s", "--format=%H%n%ct%n%s", "--end-of-options", f"{name}^{{commit}}")
    try:
        done = answered(git_words(folder, *words))
    except FileNotFoundError:
        done = None
    if done is not None and done.returncode == 0:
        found, date, subject = text_of(done.stdout).split("\n", 2)
        return Commit(found, subject.strip(), int(date))
    if name == "HEAD":
        raise InputError("--commit: no git repository here; name what was measured: --commit v1.2")
    return Commit(name)


def records_of(study: StudyDocument, commit: Commit) -> Iterator[Record]:
    """The records of a study, or of measurements in its form."""
    for loop in study.loops:
        kernel = loop.callpath if isinstance(loop.callpath, str) else f"{loop.function} {loop.at}"
        here = Record(
            commit=commit.name,
            subject=commit.subject,
            date=commit.date,
            kernel=kernel,
            metric=_COUNTS,
            values=(),
        )
        if loop.counted:
            counted = tuple(Measured(c.params, c.iterations) for c in loop.counted)
            formula, sure = _law(loop)
            yield msgspec.structs.replace(
                here, values=counted, formula=formula, identifiable=sure, exact=True
            )
        if loop.time:
            values = tuple(
                Measured(t.params, float(np.median(t.values))) for t in loop.time if t.values
            )
            model = loop.time_model
            yield msgspec.structs.replace(
                here,
                metric=loop.measured,
                values=values,
                formula=None if model is None else model.formula,
                identifiable=model is not None and model.identifiable,
                exact=model is not None and model.counted is not None,
            )


def _law(loop: StudyLoop) -> tuple[str | None, bool]:
    if loop.law is not None and not loop.law.holds_for:
        return loop.law.formula, True
    model = loop.iterations_model
    return (None, False) if model is None else (model.formula, model.identifiable)


def read_records(store: Path) -> tuple[Record, ...]:
    """All records of a file, in the order in which commits were made.

    Raises:
        InputError: no such file. DataError: a line that is no record.
    """
    try:
        lines = store.read_bytes().splitlines()
    except FileNotFoundError:
        raise InputError(
            f"{store}: no history yet; looplaw history STUDY --store {store} begins one"
        ) from None
    except OSError as error:
        raise InputError(f"{store}: {error.strerror}") from None
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found.append(msgspec.json.decode(line, type=Record))
        except msgspec.DecodeError as error:
            raise DataError(f"{store}:{number}: no record of a history: {error}") from None
    return tuple(sorted(found, key=lambda r: r.date))


def add_records(store: Path, new: Sequence[Record]) -> None:
    """Add records to a file, or replace those of the same commit, kernel and metric."""
    known = read_records(store) if store.exists() else ()
    keys = {(r.commit, r.kernel, r.metric) for r in new}
    kept = [r for r in known if (r.commit, r.kernel, r.metric) not in keys]
    lines = [msgspec.json.encode(r).decode() for r in (*kept, *new)]
    write_whole(store, "".join(f"{line}\n" for line in lines))
