"""Where the lines of a text are after it was edited."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

_END = re.compile(r"\r\n|\n|\r")


def lines_of(text: str) -> list[str]:
    """The lines of a text as editors and compilers count them: a form feed ends none."""
    return _END.split(text)


def moved_lines(before: str, after: str) -> dict[int, int]:
    """Line before -> line after, from 1, of the lines that did not change.

    What both texts begin and end with is compared line by line, so that one edit costs nothing;
    the rest is matched by difflib.
    """
    old, new = lines_of(before), lines_of(after)
    shorter = min(len(old), len(new))
    head = next((k for k in range(shorter) if old[k] != new[k]), shorter)
    left = shorter - head
    tail = next((k for k in range(left) if old[-1 - k] != new[-1 - k]), left)
    found = {k + 1: k + 1 for k in range(head)}
    middle = old[head : len(old) - tail], new[head : len(new) - tail]
    if all(middle):
        for match in SequenceMatcher(None, *middle).get_matching_blocks():
            for k in range(match.size):
                found[head + match.a + k + 1] = head + match.b + k + 1
    for k in reversed(range(tail)):
        found[len(old) - k] = len(new) - k
    return found
