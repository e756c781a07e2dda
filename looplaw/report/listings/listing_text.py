"""Annotated source in a terminal: iterations in the margin, then line number and source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from looplaw_common.text import in_one_line, visible

from ..formulas import first_part, wrap
from ..terminal_lines import terminal_lines
from .listing import LEGEND, MARKS, UNKNOWN, FunctionNote, Gap, Line, Listing, LoopNote

_STYLES = {"exact": "green", "parametric": "yellow", "bounded": "blue", "unknown": "bold red"}


def listing_text(
    found: Sequence[Listing],
    *,
    width: int = 80,
    wide: bool = False,
    color: bool = False,
    least: int = 0,
) -> str:
    """The listings for a terminal, margin at the left, and a legend.

    Args:
        width: columns of the terminal.
        wide: formulas as they are, on as many rows as they need, and nothing of a line cut off.
        color: NO_COLOR in the environment always turns it off.
        least: values from which the shortened formulas hold.
    """
    if not found:
        return "No source with loops was found."
    width = max(width, 40)
    drawn: list[Text] = []
    for k, listing in enumerate(found):
        if k:
            drawn.append(Text())
        for row in _Writer(listing, width, wide).rows():
            row.rstrip()
            drawn.append(row)
    kinds = {
        note.kind
        for listing in found
        for row in listing.rows
        if isinstance(row, Line)
        for note in row.loops
    }
    legend = "   ".join(f"{mark} {LEGEND[kind]}" for kind, mark in MARKS.items() if kind in kinds)
    if not wide:
        legend += f"\nShortened for values of at least {least}; --wide shows what holds for all."
    drawn.append(Text(f"\n{legend.strip()}"))
    return "\n".join(terminal_lines(drawn, width=width, color=color, soft_wrap=True))


class _Writer:
    """Lays out one listing: margin, line number, source."""

    def __init__(self, listing: Listing, width: int, wide: bool) -> None:
        self.listing, self.wide = listing, wide
        lines = [row for row in listing.rows if isinstance(row, Line)]
        self.digits = max((len(str(line.number)) for line in lines), default=1)
        longest = max((len(self._run(note)) for line in lines for note in line.loops), default=0)
        self.margin = max(min(longest, width * 3 // 8), len("iterations"))
        self.room = width - self.margin - self.digits - 7

    def _run(self, note: LoopNote) -> str:
        return note.full_run if self.wide else note.run

    def rows(self) -> Iterator[Text]:
        yield Text(in_one_line(self.listing.file), style="bold")
        head = "iterations in a run"
        head = head if len(head) <= self.margin else "iterations"
        yield Text(f"  {head:<{self.margin}} {'line':>{self.digits + 1}}", style="dim")
        for row in self.listing.rows:
            if isinstance(row, Gap):
                yield Text(f"{'':{self.margin + 2}} {'...':>{self.digits + 1}}", style="dim")
            else:
                yield from self._line(row)
        if self.listing.unplaced:
            yield Text(
                "The file has no lines"
                f" {', '.join(at.split(':')[-2] for at in self.listing.unplaced)}: it is not what"
                " was compiled.",
                style="yellow",
            )

    def _line(self, line: Line) -> Iterator[Text]:
        source = visible(line.text).replace("\t", " ")
        pieces = _cut(source, self.room, self.wide)
        indent = min(len(source) - len(source.lstrip()), self.room // 2)
        notes = [*line.loops]
        first = self._counts(notes[0]) if notes else [Text(" " * (self.margin + 2))]
        for k in range(max(len(first), len(pieces))):
            margin = first[k] if k < len(first) else Text(" " * (self.margin + 2))
            number = f"{line.number:>{self.digits + 1}}" if k == 0 else " " * (self.digits + 1)
            yield Text.assemble(
                margin, " ", (number, "dim"), "  ", pieces[k] if k < len(pieces) else ""
            )
        for f in line.functions:
            yield from self._notes(indent, [self._work(f, len(line.functions) > 1), *f.symbols])
        yield from self._notes(indent, line.accesses)
        for k, note in enumerate(notes):
            if k:
                counts = self._counts(note)
                yield Text.assemble(
                    counts[0],
                    " " * (self.digits + 4 + indent),
                    (f"^ the loop at column {note.column}", "dim"),
                )
                yield from counts[1:]
            call = note.full_call if self.wide else first_part(note.call, self.room - indent - 12)
            said = [f"per call {call}"] if call else []
            said += note.reasons
            if self.wide and note.assumptions:
                said.append(f"assumes: {'; '.join(note.assumptions)}")
            yield from self._notes(indent, said)

    def _counts(self, note: LoopNote) -> list[Text]:
        """The margin of a loop."""
        parts = (
            wrap(note.full_run, self.margin) if self.wide else [first_part(note.run, self.margin)]
        )
        style = _STYLES[note.kind]
        return [
            Text.assemble(
                (f"{MARKS[note.kind] if k == 0 else ' '} {visible(part):<{self.margin}}", style)
            )
            for k, part in enumerate(parts)
        ]

    def _work(self, f: FunctionNote, named: bool) -> str:
        work, depth, efficiency = (
            (f.full_work, f.full_depth, f.full_efficiency)
            if self.wide
            else (f.work, f.depth, f.efficiency)
        )
        same = depth == work and work != UNKNOWN
        said = f"{f.name}: " * named + (
            f"work = depth = {work}" if same else f"work {work}, depth {depth}"
        )
        return f"{said}, efficiency {efficiency}" if efficiency else said

    def _notes(self, indent: int, said: Sequence[str]) -> Iterator[Text]:
        """Rows below a line, where the source stands; not more than three for a note unless all is
        wanted."""
        room = max(self.room - indent - 2, 12)
        for note in said:
            parts = wrap(in_one_line(note), room)
            if not self.wide and len(parts) > 3:
                parts = [*parts[:2], first_part(" ".join(parts[2:]), room)]
            for k, part in enumerate(parts):
                yield Text.assemble(
                    " " * (self.margin + self.digits + 6 + indent),
                    (f"{'^' if k == 0 else ' '} {part}", "cyan"),
                )


def _cut(text: str, room: int, wide: bool) -> list[str]:
    """One row that ends with an ellipsis, or all rows."""
    if cell_len(text) <= room:
        return [text]
    if not wide:
        return [set_cell_size(text, room - 1) + "…"]
    rows = []
    while text:
        taken = len(text)
        while cell_len(text[:taken]) > room:
            taken -= 1
        rows.append(text[: max(taken, 1)])
        text = text[max(taken, 1) :]
    return rows
