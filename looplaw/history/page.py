"""The history as one page: a plot and a table for each kernel and metric; no script, nothing else
to load."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape

from looplaw_common.text import visible

from .changes import Change, Entry, Line

_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 760, 180, 64, 22
_STYLE = """
body{font:14px/1.45 system-ui,sans-serif;max-width:820px;margin:2em auto;padding:0 1em;
color:#222;background:#fff}
h1{font-size:1.4em}h2{font-size:1.05em;margin:2em 0 .3em;overflow-wrap:anywhere}
svg{width:100%;height:auto;background:#fafafa;border:1px solid #ddd}
table{border-collapse:collapse;width:100%}td,th{padding:.2em .6em;text-align:left;
border-bottom:1px solid #eee;overflow-wrap:anywhere}.worse{color:#b3261e}.better{color:#1b6e3a}
.note{color:#595959}svg text{fill:#595959}code{font-size:.92em}
@media(prefers-color-scheme:dark){
body{background:#181818;color:#ddd}svg{background:#222;
border-color:#444}td,th{border-color:#333}
.note{color:#b0b0b0}svg text{fill:#b0b0b0}
.worse{color:#ff8a80}.better{color:#81c995}}
"""


def page(lines: Sequence[Line], title: str = "History of laws") -> str:
    """One HTML page."""
    changed = sum(bool(line.changes) for line in lines)
    note = f"{len(lines)} series, {changed} with changes. Dashed lines: the commits that made them."
    ordered = sorted(lines, key=lambda line: not line.changes)
    body = "".join(_section(line) for line in ordered)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{_text(title)}</title><style>{_STYLE}</style></head><body>"
        f'<h1>{_text(title)}</h1><p class="note">{note}</p>{body}</body></html>\n'
    )


def _section(line: Line) -> str:
    at = ", ".join(f"{k} = {v}" for k, v in line.at.items())
    head = f"<h2>{_text(line.kernel)}: {_text(line.metric)}{' at ' * bool(at)}{_text(at)}</h2>"
    last = line.entries[-1].record.formula if line.entries else None
    law = f"<p>law now: <code>{_text(last)}</code></p>" if last else ""
    remark = f'<p class="note">{_text(line.remark)}</p>' if line.remark else ""
    plot = _plot(line) if len(line.entries) > 1 else ""
    return head + plot + _table(line.changes) + law + remark


def _plot(line: Line) -> str:
    values = [e.value for e in line.entries]
    top = max(values) * 1.08
    span = max(len(values) - 1, 1)

    def x(k: float) -> float:
        return _LEFT + k * (_WIDTH - _LEFT - 12) / span

    def y(value: float) -> float:
        return 8 + (_HEIGHT - _BOTTOM - 8) * (1 - value / top)

    marks = "".join(
        f'<line x1="{x(c.index - 0.5):.1f}" x2="{x(c.index - 0.5):.1f}" y1="6"'
        f' y2="{_HEIGHT - _BOTTOM}" stroke="{"#c5221f" if c.is_worse else "#188038"}"'
        f' stroke-dasharray="4 3"><title>{_text(_told(c))}</title></line>'
        for c in line.changes
    )
    points = "".join(
        f'<circle cx="{x(k):.1f}" cy="{y(e.value):.1f}" r="3.2"'
        f' fill="{"none" if e.predicted else "#1a66c2"}" stroke="#1a66c2">'
        f"<title>{_text(_hint(e))}</title></circle>"
        for k, e in enumerate(line.entries)
    )
    path = " ".join(f"{x(k):.1f},{y(v):.1f}" for k, v in enumerate(values))
    ticks = "".join(
        f'<text x="{_LEFT - 6}" y="{y(v) + 4:.1f}" text-anchor="end">{v:.3g}</text>'
        f'<line x1="{_LEFT}" x2="{_WIDTH - 12}" y1="{y(v):.1f}" y2="{y(v):.1f}" stroke="#8884"/>'
        for v in (0.0, top / 2.16, top / 1.08)
    )
    ends = "".join(
        f'<text x="{x(k):.1f}" y="{_HEIGHT - 6}" text-anchor="{anchor}">'
        f"{_text(line.entries[k].record.commit[:8])}</text>"
        for k, anchor in ((0, "start"), (len(values) - 1, "end"))
    )
    first, last = line.entries[0], line.entries[-1]
    said = _text(
        f"{line.kernel}, {line.metric}: {first.value:.3g} at {first.record.commit[:8]},"
        f" {last.value:.3g} at {last.record.commit[:8]}"
    )
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" font-size="11"'
        f' aria-label="{said}">{ticks}'
        f'<polyline points="{path}" fill="none" stroke="#1a66c2" stroke-opacity=".5"/>{marks}'
        f"{points}{ends}</svg>"
    )


def _table(changes: Sequence[Change]) -> str:
    if not changes:
        return ""
    rows = "".join(
        f'<tr class="{"worse" if c.is_worse else "better"}"><td>{_text(c.commit[:10])}</td>'
        f"<td>{_text(c.subject)}</td><td>{_text(c.kind)}</td><td><code>{_text(c.before)}</code> to"
        f" <code>{_text(c.after)}</code></td></tr>"
        for c in changes
    )
    heads = "".join(f"<th>{h}</th>" for h in ("commit", "subject", "changed", "from, to"))
    return f"<table><tr>{heads}</tr>{rows}</table>"


def _told(c: Change) -> str:
    return f"{c.commit[:10]} {c.subject}: {c.kind}, {c.before} to {c.after}"


def _hint(e: Entry) -> str:
    when = datetime.fromtimestamp(e.record.date, UTC).date() if e.record.date else ""
    how = "predicted " if e.predicted else ""
    return f"{e.record.commit[:10]} {e.record.subject} {when}: {how}{e.value:.5g}"


def _text(text: str) -> str:
    return escape(visible(text))
