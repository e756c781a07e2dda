"""laws.toml: the laws that a program's kernels are expected to obey."""

from __future__ import annotations

import msgspec


class LawTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One [[law]]: what is expected of a metric of a kernel, as in expect = "O(n*log(n))"."""

    kernel: str
    metric: str
    expect: str
    tolerance: float | None = None
    risk: float | None = None


class AssumeTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One [[assume]]: what is stated of parameters, as in relation = "m <= n". function: the name
    of the function whose parameters they are, or a pattern with *; default: all."""

    relation: str
    function: str = "*"


class LawsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All laws of a file, and what is stated of parameters."""

    law: tuple[LawTable, ...] = ()
    assume: tuple[AssumeTable, ...] = ()
