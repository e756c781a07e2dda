"""Relations of parameters that users state: `n <= 1e6`, `1 <= m <= n`, `p == 4`."""

from __future__ import annotations

import re

from looplaw_common.errors import InputError
from modeling.pmnf.relation import SIGN, Relation, Sign, between, outside_parentheses

_COMMA = re.compile(",")
_EXAMPLE = "write a relation such as n <= 1e6, 1 <= m <= n or p == 4"


def parse_relations(text: str, at: str = "") -> tuple[Relation, ...]:
    """Read relations: chains such as 1 <= m <= n, several separated by commas.

    Raises:
        InputError: none of these; the message says what to write.
    """
    found: list[Relation] = []
    for part in outside_parentheses(text, _COMMA)[0]:
        sides, signs = outside_parentheses(part, SIGN)
        if not signs or not all(s.strip() for s in sides):
            raise InputError(f'"{part.strip()}": no relation; {_EXAMPLE}')
        for relation in between(sides, signs, at):
            if not relation.symbols:
                raise InputError(f'"{part.strip()}": names no parameter; {_EXAMPLE}')
            found.append(relation)
    return tuple(found)


__all__ = ["Relation", "Sign", "parse_relations"]
