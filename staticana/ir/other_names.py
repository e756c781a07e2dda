"""Other names of functions and variables, put right in the text of a module.

An alias is the same symbol under another name, in calls as in tables and in what variables begin
with; aliases of aliases lead on. So are some variables of the C library, of which a program only
sees that they are defined elsewhere. What the dynamic linker chooses when a program starts
(`ifunc`, `target_clones`) becomes a function that asks the resolver and calls what it names: this
is what happens, but once for each call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .tokens import NAME, split_top

_ALIAS = re.compile(
    rf"(?m)^(?P<name>@{NAME}) = [^@\n]*\balias\b[^@\n]*, (?:ptr|\S[^@\n]*\*) (?P<target>@{NAME})"
    r"(?:, partition.*)?$"
)
OF_THE_LIBRARY = (
    ("timezone", "__timezone"),
    ("daylight", "__daylight"),
    ("tzname", "__tzname"),
    ("environ", "__environ", "_environ"),
    ("signgam", "__signgam"),
    ("program_invocation_name", "__progname_full"),
    ("program_invocation_short_name", "__progname"),
)
"""The names that glibc gives one variable."""
_EXTERNAL = re.compile(
    rf"(?m)^@(?P<name>{'|'.join(n for names in OF_THE_LIBRARY for n in names)}) = external\b"
)
_CHOSEN = re.compile(
    rf"(?m)^(?P<name>@{NAME}) = (?P<linkage>[^@\n]*?)\bifunc (?P<type>[^@\n]*\)), ptr"
    rf" (?P<resolver>@{NAME})(?:, partition.*)?$"
)
_END_OF_NAME = r"(?![-\w$.])"


def has_other_names(text: str) -> bool:
    """May there be something to put right?"""
    return " alias " in text or has_choices(text) or bool(_of_the_library(text))


def has_choices(text: str) -> bool:
    """May the dynamic linker have something to choose? Such text is put right as LLVM prints it."""
    return " ifunc " in text


def with_one_name(text: str) -> str:
    """The text in which everything is called by its own name. The other names stay defined."""
    targets = {m["name"]: m["target"] for m in _ALIAS.finditer(text)} | _of_the_library(text)
    if targets:
        text = _renamed(text, {name: _last(name, targets) for name in targets})
    return _CHOSEN.sub(lambda m: _choosing(m, text), text)


def _of_the_library(text: str) -> dict[str, str]:
    """Other names of the library's variables that a program declares by several -> the first."""
    declared = {m["name"] for m in _EXTERNAL.finditer(text)} if " external " in text else set()
    found = ([n for n in names if n in declared] for names in OF_THE_LIBRARY)
    return {f"@{other}": f"@{names[0]}" for names in found for other in names[1:]}


def _last(name: str, targets: dict[str, str]) -> str:
    seen = {name}
    while (name := targets[name]) in targets and name not in seen:
        seen.add(name)
    return name


def _renamed(text: str, names: dict[str, str]) -> str:
    """The text with other names for symbols, but where they are defined and in strings."""
    pattern = re.compile(f"(?:{'|'.join(map(re.escape, names))}){_END_OF_NAME}")

    def parts() -> Iterator[str]:
        done = 0
        for m in pattern.finditer(text):
            start = text.rfind("\n", 0, m.start()) + 1
            if m.start() == start or text.count('"', start, m.start()) % 2:
                continue
            yield text[done : m.start()]
            yield names[m.group()]
            done = m.end()
        yield text[done:]

    return "".join(parts())


def _choosing(m: re.Match[str], text: str) -> str:
    """The function that asks a resolver what to call."""
    result, _, given = m["type"].partition(" (")
    given = given.removesuffix(")")
    parameters, passed = _parameters(text, m["resolver"], result, given)
    tail = "musttail " if given.endswith("...") else ""
    call = f"{tail}call {m['type'] if tail else result} %looplaw.chosen({passed})"
    ends = (
        f"  {call}\n  ret void"
        if result == "void"
        else (f"  %looplaw.result = {call}\n  ret {result} %looplaw.result")
    )
    return (
        f"define {m['linkage']}{result} {m['name']}({parameters}) {{\nentry:\n"
        f"  %looplaw.chosen = call ptr {m['resolver']}()\n{ends}\n}}\n"
    )


def _parameters(text: str, resolver: str, result: str, given: str) -> tuple[str, str]:
    """Parameters of what a resolver chooses from, as one of its functions has them (structures may
    be passed by value), and as they are passed on."""
    at = re.search(rf"(?m)^define [^\n]*{re.escape(resolver)}\(", text)
    body = text[at.start() : text.index("\n}", at.start())] if at else ""
    for name in dict.fromkeys(re.findall(rf"@{NAME}", body)):
        head = re.search(
            rf"(?m)^define [^@\n]*\b{re.escape(result)} {re.escape(name)}\(([^\n]*)\) [^\n]*\{{$",
            text,
        )
        if head is None:
            continue
        found = [p for p in split_top(_closed(head[1])) if p]
        if len(found) == len([p for p in split_top(given) if p]):
            named = [p if "%" in p or p == "..." else f"{p} %{k}" for k, p in enumerate(found)]
            return ", ".join(named), ", ".join(named)
    plain = [p if p == "..." else f"{p} %{k}" for k, p in enumerate(split_top(given)) if p]
    return ", ".join(plain), ", ".join(plain)


def _closed(text: str) -> str:
    """The text up to the parenthesis that closes what was opened before it."""
    depth = 0
    for at, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth < 0:
            return text[:at]
    return text
