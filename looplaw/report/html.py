"""The report: one HTML file that works from disk, without network and without any library.

The page is static; data are embedded as JSON and put into the document as text, never as markup.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files


def render_html(study: Mapping[str, object]) -> str:
    """The page for a study in the form "looplaw-study/1"."""
    page = files("looplaw.report").joinpath("page")
    text = page.joinpath("page.html").read_text(encoding="utf-8")
    for name in ("css", "js"):
        text = text.replace(f"/*{name}*/", page.joinpath(f"page.{name}").read_text(encoding="utf-8"))
    return text.replace("/*data*/", embed(study))


def embed(data: object) -> str:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
