"""Tables for notebooks: plain HTML in which all data are escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from .text import visible

SHOWN = 200
"""Rows of a table; more are counted, not shown."""


class Typeset(str):
    """LaTeX; everything else in a table is text."""


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], total: int = 0) -> str:
    """A table; cells that are `Typeset` stand between dollar signs, and no other text does.

    Args:
        total: how many rows there are, if not all of them are given.
    """
    total = max(total, len(rows))
    head = "".join(f"<th>{escape(h)}</th>" for h in heads)
    body = "".join(
        f"<tr>{''.join(f'<td>{_cell(cell)}</td>' for cell in row)}</tr>" for row in rows[:SHOWN]
    )
    more = f"<p>and {total - SHOWN} more</p>" if total > SHOWN else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cell(text: str) -> str:
    if isinstance(text, Typeset):
        return f"${escape(text)}$"
    return escape(visible(text)).replace("$", "&#36;")
