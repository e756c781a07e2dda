"""Text of others as people may see it: names and messages hold whatever a file held.

Control characters move the cursor of a terminal, directional ones show a name backwards, and a
lone surrogate is not text at all. All are shown as escapes; nothing is dropped silently.
"""

from __future__ import annotations

import re
from pathlib import Path

MOST_QUOTED = 200
"""Characters of somebody's input that a message quotes at most."""
_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufffe\uffff]"
)
"""Characters without a shape, or that change the direction of the text around them; neither tab
nor newline."""


_FORMULA = frozenset("=+-@|%'＝＋－＠")
"""What formulas begin with; an apostrophe among them, so that one in front always is ours."""


def escaped(character: str) -> str:
    """A character as its escape in Python: \\x1b, \\u202e."""
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def visible(text: str) -> str:
    """The text with control characters, directional ones and lone surrogates as escapes."""
    return _CONTROL.sub(lambda match: escaped(match[0]), text)


def in_one_line(text: str) -> str:
    """As `visible`, and blanks where lines break."""
    return visible(" ".join(text.split("\n"))).replace("\t", " ")


def shortened(text: str, most: int = MOST_QUOTED) -> str:
    """A text of any length for a message: its beginning."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def for_spreadsheets(text: str) -> str:
    """A cell that spreadsheets show and do not compute: what would be a formula gets an apostrophe
    in front, control characters are escapes (OWASP, "CSV injection")."""
    shown = in_one_line(text)
    return f"'{shown}" if shown.lstrip(" ")[:1] in _FORMULA else shown


def encodable(text: str) -> bool:
    """Can UTF-8 hold it, that is, has it no lone surrogates?"""
    return not any("\ud800" <= c <= "\udfff" for c in text)


def as_word(path: Path | str) -> str:
    """A path as a word of a command line: one that begins with - is no option."""
    return f"./{path}" if str(path).startswith("-") else str(path)
