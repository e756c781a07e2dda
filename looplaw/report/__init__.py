"""What a study looks like: tables for terminals and texts, one HTML page for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from looplaw_common.lazy import exported

if TYPE_CHECKING:
    from .grid import ALIASES, FORMATS, Table, render
    from .html import render_html, render_listing
    from .measured import measured_study, ranked_models

__all__ = [
    "ALIASES",
    "FORMATS",
    "Table",
    "measured_study",
    "ranked_models",
    "render",
    "render_html",
    "render_listing",
]

_MODULES = {
    ".grid": ("ALIASES", "FORMATS", "Table", "render"),
    ".html": ("render_html", "render_listing"),
    ".measured": ("measured_study", "ranked_models"),
}

__getattr__, __dir__ = exported(globals(), _MODULES)
