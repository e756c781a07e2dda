"""What rich draws, as lines of text: the one console that tables and listings are drawn with."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable

from rich.console import Console, RenderableType


def terminal_lines(
    drawn: Iterable[RenderableType], *, width: int, color: bool, soft_wrap: bool = False
) -> list[str]:
    """Draw for a terminal of `width` columns; no line ends in blanks.

    Args:
        color: NO_COLOR in the environment always turns it off.
        soft_wrap: lines may be longer than the terminal is wide.
    """
    out = io.StringIO()
    color = color and not os.environ.get("NO_COLOR")
    console = Console(
        file=out,
        width=width,
        force_terminal=color,
        color_system="standard" if color else None,
        no_color=not color,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        _environ={},
    )
    for one in drawn:
        console.print(one, soft_wrap=soft_wrap)
    return [line.rstrip() for line in out.getvalue().rstrip("\n").split("\n")]
