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


class LawsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All laws of a file."""

    law: tuple[LawTable, ...]
