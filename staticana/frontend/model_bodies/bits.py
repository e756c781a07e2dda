"""Vectors of bits: who makes one, or changes how many bits it has, writes its own fields; which
bits it then holds nobody knows."""

from __future__ import annotations

from .code import Code, Table

BITS = "bits"
"""What vectors of bits are called here."""


def bit_models(fields: int) -> Table:
    """The models of vectors of bits with so many fields of eight bytes."""

    def changed(c: Code) -> None:
        others = [
            p
            for p, kind in zip(c.shape.parameters[1:], c.shape.kinds, strict=False)
            if kind in "ms"
        ]
        for container in (c.this, *others):
            for k in range(fields):
                c.store(c.unknown(), container, 8 * k)
        c.returned()

    changing = "vector operator= assign resize reserve push_back pop_back clear swap shrink_to_fit"
    return {name: [(".*", changed)] for name in changing.split()}
