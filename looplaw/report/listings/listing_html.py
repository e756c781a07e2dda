"""Annotated source as HTML: complete without scripts, everything escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from looplaw_common.text import visible

from .listing import LEGEND, MARKS, FunctionNote, Gap, Line, Listing, LoopNote

_TONES = {"exact": "good", "parametric": "odd", "bounded": "info", "unknown": "bad"}
_LONG = 40
"""Formulas above this are shown from their detail."""


def listing_section(found: Sequence[Listing], *, least: int = 0, alone: bool = False) -> str:
    """A section with every listing, folded unless it stands alone; nothing where there is none."""
    if not found:
        return (
            '<section id="source"><p class="notice">No source with loops was found.</p></section>'
            if alone
            else ""
        )
    kinds = {
        note.kind
        for listing in found
        for row in listing.rows
        if isinstance(row, Line)
        for note in row.loops
    }
    legend = "".join(
        f'<span class="tone-{_TONES[k]}"><span class="glyph">{mark}</span> {LEGEND[k]}</span>'
        for k, mark in MARKS.items()
        if k in kinds
    )
    shortened = (
        f"<span>shortened for values of at least {least}; open a count for what holds for"
        " all</span>"
        if least
        else ""
    )
    head = "" if alone else '<div class="bar"><h2 id="source-title">Source</h2></div>'
    files = "".join(_file(listing, alone or len(found) == 1) for listing in found)
    return (
        f'<section id="source" aria-label="Annotated source">{head}<p'
        ' class="legend-line"><span>Iterations in a'
        f" run:</span>{legend}{shortened}</p>{files}</section>"
    )


def _file(listing: Listing, is_open: bool) -> str:
    name = escape(visible(listing.file))
    rows = "".join(_gap(row) if isinstance(row, Gap) else _line(row) for row in listing.rows)
    lost = "".join(
        f'<p class="notice">{escape(visible(at))}: the file has no such line, so it is not what was'
        " compiled.</p>"
        for at in listing.unplaced
    )
    return (
        f'<details class="listing"{" open" if is_open else ""}><summary>{name}</summary>{lost}'
        f'<div class="scroll" tabindex="0" role="region" aria-label="{name}">'
        f'<table class="source-lines"><tbody>{rows}</tbody></table></div></details>'
    )


def _gap(gap: Gap) -> str:
    lines = f"line {gap.first}" if gap.first == gap.last else f"lines {gap.first} to {gap.last}"
    return f'<tr class="gap"><td colspan="3">… {lines} not shown …</td></tr>'


def _line(line: Line) -> str:
    tone = (
        f' class="looped tone-{_TONES[line.loops[0].kind]}"'
        if line.loops
        else ' class="head"'
        if line.functions
        else ""
    )
    margin = "".join(_count(note, len(line.loops) > 1) for note in line.loops)
    rows = (
        f'<tr{tone}><td class="m">{margin}</td><td class="n">{line.number}</td>'
        f'<td class="c">{escape(visible(line.text)) or " "}</td></tr>'
    )
    for f in line.functions:
        rows += f'<tr><td class="m"></td><td class="n"></td><td class="said">{_work(f)}</td></tr>'
    reasons = [*line.accesses, *(r for note in line.loops for r in note.reasons)]
    if reasons:
        said = "<br>".join(escape(visible(r)) for r in dict.fromkeys(reasons))
        rows += f'<tr{tone}><td class="m"></td><td class="n"></td><td class="said">{said}</td></tr>'
    return rows


def _count(note: LoopNote, several: bool) -> str:
    """The count of a loop, which opens to everything that is known of it."""
    facts = [("loop", escape(note.at))] if several else []
    facts += [
        ("in a run", _formula(note.full_run)),
        ("per call", _formula(note.full_call or note.full_run)),
        ("depends on", escape(", ".join(note.parameters) or "no parameter")),
    ]
    facts += [("kind", escape(note.kind))] + [("why", escape(visible(r))) for r in note.reasons]
    facts += [("assumes", escape(visible(a))) for a in note.assumptions]
    shown = (
        _formula(note.run)
        if len(note.run) <= 4 * _LONG
        else f"<code>{escape(visible(note.run[:_LONG]))}…</code>"
    )
    return (
        f'<details class="tone-{_TONES[note.kind]}"><summary><span'
        f' class="glyph">{MARKS[note.kind]}</span>{shown}'
        f"</summary><dl>{_terms(facts)}</dl></details>"
    )


def _terms(facts: Iterable[tuple[str, str]]) -> str:
    return "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts)


def _formula(text: str) -> str:
    return f'<code class="formula">{escape(visible(text))}</code>'


def _work(f: FunctionNote) -> str:
    name = f"<b>{escape(visible(f.name))}</b>: "
    same = f.depth == f.work and f.work != "unknown"
    said = (
        f"work = depth = {_formula(f.work)}"
        if same
        else f"work {_formula(f.work)}, depth {_formula(f.depth)}"
    )
    said += f", efficiency {_formula(f.efficiency)}" if f.efficiency else ""
    return "<br>".join([name + said, *(escape(visible(s)) for s in f.symbols)])
