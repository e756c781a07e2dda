"""Inline functions of a whole program, which nobody else calls.

C++ emits members of templates and of classes wherever they are used, for a linker to keep one of
each (linkonce_odr). Every object that calls one has its own copy, so in a whole program those whose
address is not taken can be internal, as a linker makes them that optimises at link time: what is
counted in them is then handed to their callers, and they need not ask whether their thread counts
already.
"""

from __future__ import annotations

import re
from collections import Counter

from staticana.ir.tokens import NAME, global_names

_INLINE = re.compile(
    rf"(?m)^define linkonce_odr (?P<before>[^@\n]*)(?P<name>@{NAME})(?P<after>\(.*)$"
)
_CALLED = re.compile(rf"\b(?:call|invoke) .*?(@{NAME})\(")
_VISIBILITY = re.compile(r"\b(?:hidden|protected|dso_local|dso_preemptable|dllexport) ")
_GROUP = re.compile(r" comdat(?:\([^)]*\))?(?= |$)")


def internal(text: str) -> str:
    """The module with the inline functions that are only called made internal."""
    if "define linkonce_odr " not in text:
        return text
    mentioned = Counter(global_names(text))
    called = Counter(name for line in text.split("\n") for name in _CALLED.findall(line)[:1])

    def changed(match: re.Match[str]) -> str:
        name = match["name"]
        (plain,) = global_names(name)
        if mentioned[plain] != called[name] + 1:
            return match.group()
        before = _VISIBILITY.sub("", match["before"])
        return f"define internal {before}{name}{_GROUP.sub('', match['after'])}"

    return _INLINE.sub(changed, text)
