"""numba's runtime: memory of arrays, whose references it counts, and the errors of Python."""

from __future__ import annotations

from .rows import row

NUMBA = (
    *row(
        "NRT_Allocate NRT_MemInfo_alloc NRT_MemInfo_alloc_safe NRT_MemInfo_alloc_aligned"
        " NRT_MemInfo_alloc_safe_aligned NRT_MemInfo_alloc_dtor",
        allocates=True,
    ),
    # what it destroys are arrays of numbers, in which nothing is left to do
    *row("NRT_MemInfo_call_dtor NRT_Free"),
    *row("numba_gil_ensure numba_gil_release PyErr_SetString PyErr_SetNone PyErr_Clear"),
)
