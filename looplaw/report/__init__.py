"""What a study looks like: tables for terminals and texts, one HTML page for people."""

from .grid import ALIASES
from .html import render_html, render_listing
from .measured import measured_study, ranked_models
from .tables import FORMATS, Table, render

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
