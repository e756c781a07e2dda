"""The parts of our pages: style sheet and scripts, read from the folder `page` and made small."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files

_COMMENT = re.compile(r"^\s*/\*(?:(?!\*/)[\s\S])*\*/[ \t]*$|/\* [^*\n]* \*/|  // .*$", re.MULTILINE)
"""Comments stand on lines of their own, between blanks or behind two of them; no text of the page's
own sources holds one."""
_TEXT = re.compile(
    r"`"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'(?:[^'\\\n]|\\.)*'"
    r"|(?<=[(,=:!&|?{;\[])\s*/(?![*/ ])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*"
)
"""The beginning of a template literal, a string, or a regular expression where no quotient can
be."""
_AROUND = re.compile(r" ?([,;:?=(){}\[\]<>&|]+|=>) ?")
"""Blanks beside these say nothing; those beside +, - and / may."""


def page(name: str, scripts: Sequence[str], **parts: str) -> str:
    """A page of ours with style, scripts and a policy that lets nothing else run.

    Args:
        name: of the frame in the folder `page`, with {{placeholders}}.
        scripts: their names, in the order in which they need each other.
        parts: placeholder -> HTML.
    """
    style, script = _style(), _script(tuple(scripts))
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        f"base-uri 'none'; form-action 'none'"
    )
    parts |= {"policy": html.escape(policy), "style": style, "script": script}
    # one pass, so that a placeholder inside a part (the data may say anything) stays as it is
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], _asset(name))


@lru_cache(1)
def _style() -> str:
    text = re.sub(r"\s*([{};])\s*", r"\1", _lines(_asset("page.css")))
    return re.sub(r"(?<=[:,]) |;(?=\})", "", text)


@lru_cache(4)
def _script(names: tuple[str, ...]) -> str:
    return lean_script(_lines("\n".join(_asset(s) for s in names)))


def _asset(name: str) -> str:
    return (files(__package__) / "page" / name).read_text(encoding="utf-8").strip()


def _lines(text: str) -> str:
    """Without indentation, comments and empty lines."""
    lines = (line.strip() for line in _COMMENT.sub("", text).split("\n"))
    return "\n".join(line for line in lines if line)


def lean_script(text: str) -> str:
    """A script without the blanks that say nothing; texts stay as they are."""
    return "".join(part if is_text else _AROUND.sub(r"\1", part) for part, is_text in _parts(text))


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """The pieces of a script, and whether each is a text."""
    start = 0
    while match := _TEXT.search(text, start):
        at, end = match.span()
        if text[at] == "`":
            end = _template_end(text, at)
        yield text[start:at], False
        yield text[at:end], True
        start = end
    yield text[start:], False


def _template_end(text: str, start: int) -> int:
    """Behind a template literal, with those inside its ${...}."""
    k = start + 1
    while text[k] != "`":
        if text.startswith("${", k):
            depth, k = 1, k + 2
            while depth:
                if text[k] == "`":
                    k = _template_end(text, k)
                    continue
                depth += (text[k] == "{") - (text[k] == "}")
                k += 1
        else:
            k += 2 if text[k] == "\\" else 1
    return k + 1


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
