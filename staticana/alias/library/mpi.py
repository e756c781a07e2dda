"""MPI (4.1): what its calls do with memory, and what they move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from .library_function import ALL, NOTHING_SENT, Arguments, Buffer, LibraryFunction, Message
from .rows import LEAVES, WAITS, row

_WHOLE, _UNTOLD = Buffer(1, 2), Buffer(None)


def _mpi(
    names: str, reads: Arguments = (), writes: Arguments = (), **facts: object
) -> Iterator[LibraryFunction]:
    """A row of MPI: where the row does not say otherwise, the call may wait for other processes."""
    return row(names, reads, writes, **{"control": WAITS, **facts})


def _sends(buffer: Buffer, in_place: Buffer | None = None) -> Message:
    return Message(buffer, in_place=in_place)


_AT_WINDOWS: dict[str, Any] = {"reads": ALL, "writes": ALL, "anywhere": True}
_REDUCES = ("operations",)
_REDUCING: dict[str, Any] = {
    "uses": _REDUCES,
    "message": _sends(Buffer(2, 3)),
    "fills": Buffer(2, 3),
}
_HANDLE = 8
"""Bytes of a handle at most: a number in MPICH, an address in Open MPI."""
_SENDS, _SENDS_UNTOLD, _RECEIVES = _sends(_WHOLE), _sends(_UNTOLD), Message(receives=_WHOLE)

_CALLS = (
    *_mpi("MPI_Comm_size MPI_Comm_rank", (), (1,), size=4, arguments=2),
    # -- communicators: copying one calls the functions that its attributes were made with
    *_mpi("MPI_Comm_dup", (), (1,), size=_HANDLE, uses=("attributes",), arguments=2),
    *_mpi("MPI_Comm_split", (), (3,), size=_HANDLE, uses=("attributes",), arguments=4),
    *_mpi("MPI_Comm_create_keyval MPI_Keyval_create", ALL, (2,), registers=(0, 1), to="attributes"),
    *_mpi("MPI_Cart_create", (2, 3), (5,), size=_HANDLE, uses=("attributes",), arguments=6),
    *_mpi("MPI_Dims_create", (2,), (2,), arguments=3),
    *_mpi("MPI_Cart_coords", (), (3,), arguments=4),
    *_mpi("MPI_Cart_shift", (), (3, 4), size=4, arguments=5),
    *_mpi("MPI_Cart_rank", (1,), (2,), size=4, arguments=3),
    *_mpi("MPI_Cart_get", (), (2, 3, 4), arguments=5),
    *_mpi("MPI_Cart_sub", (1,), (2,), size=_HANDLE, uses=("attributes",), arguments=3),
    *_mpi("MPI_Init MPI_Init_thread", ALL, ALL, leaves_argv=True),
    *_mpi("MPI_Initialized MPI_Is_thread_main MPI_Info_* MPI_Intercomm_*", ALL, ALL),
    *_mpi("MPI_Wtime MPI_Wtick"),
    *_mpi("MPI_Abort", control=LEAVES, arguments=2),
    # -- from one process to another
    *_mpi("MPI_Send MPI_Ssend MPI_Rsend", (0,), message=_SENDS, arguments=6),
    *_mpi("MPI_Bsend", (0,), uses=("copies",), message=_SENDS),
    *_mpi(
        "MPI_Isend MPI_Issend MPI_Ibsend MPI_Irsend",
        (0,),
        (6,),
        keeps=(0,),
        message=_SENDS,
        arguments=7,
    ),
    *_mpi("MPI_Recv", (), (0, 6), message=_RECEIVES, fills=_WHOLE, arguments=7),
    *_mpi("MPI_Irecv", (), (0, 6), keeps=(0,), message=_RECEIVES, fills=_WHOLE, arguments=7),
    *_mpi("MPI_Mrecv", (), (0, 3, 4), message=_RECEIVES),
    *_mpi("MPI_Imrecv", (), ALL, keeps=(0,), message=_RECEIVES),
    *_mpi(
        "MPI_Sendrecv",
        (0,),
        (5, 11),
        message=Message(_WHOLE, Buffer(6, 7)),
        fills=Buffer(6, 7),
        arguments=12,
    ),
    *_mpi(
        "MPI_Sendrecv_replace",
        (0,),
        (0, 8),
        message=Message(_WHOLE, _WHOLE),
        fills=_WHOLE,
        arguments=9,
    ),
    *_mpi("MPI_Start MPI_Startall", ALL, ALL, uses=("requests",), message=Message(starts=True)),
    *_mpi(
        "MPI_Send_init MPI_Ssend_init MPI_Bsend_init MPI_Rsend_init MPI_Recv_init",
        ALL,
        ALL,
        keeps=(0,),
        attaches=(0,),
        to="requests",
    ),
    # -- one-sided: other processes write to windows until a call synchronises
    *_mpi("MPI_Put MPI_Rput", (0,), (8,), keeps=(0,), message=_SENDS),
    *_mpi("MPI_Accumulate MPI_Raccumulate", (0,), (9,), keeps=(0,), message=_SENDS),
    *_mpi("MPI_Get_accumulate", (0,), (3,), keeps=(0, 3), message=_SENDS),
    *_mpi("MPI_Get MPI_Rget", (), (0, 8), keeps=(0,), message=_RECEIVES),
    *_mpi("MPI_Win_create", ALL, ALL, keeps=(0,)),
    *_mpi("MPI_Win_fence MPI_Win_start MPI_Win_complete MPI_Win_post MPI_Win_wait", **_AT_WINDOWS),
    *_mpi("MPI_Win_test MPI_Win_lock* MPI_Win_unlock* MPI_Win_flush* MPI_Win_sync", **_AT_WINDOWS),
    *_mpi("MPI_Buffer_attach", ALL, ALL, keeps=(0,), attaches=(0,), to="copies"),
    # -- operations of the program's own, which reductions call
    *_mpi("MPI_Op_create", ALL, (2,), keeps=(0,), registers=(0,), to="operations"),
    # -- collective
    *_mpi("MPI_Barrier", message=_sends(Buffer(NOTHING_SENT)), arguments=1),
    *_mpi("MPI_Bcast", (0,), (0,), message=_SENDS, fills=_WHOLE, arguments=5),
    *_mpi("MPI_Gather", (0,), (3,), message=_sends(_WHOLE, Buffer(4, 5)), arguments=8),
    *_mpi("MPI_Allgather", (0,), (3,), message=_sends(_WHOLE, Buffer(4, 5)), arguments=7),
    *_mpi("MPI_Gatherv", (0, 4, 5), (3,), message=_sends(_WHOLE, _UNTOLD), arguments=9),
    *_mpi("MPI_Allgatherv", (0, 4, 5), (3,), message=_sends(_WHOLE, _UNTOLD), arguments=8),
    *_mpi("MPI_Reduce", (0,), (1,), **_REDUCING, arguments=7),
    *_mpi("MPI_Allreduce MPI_Scan MPI_Exscan", (0,), (1,), **_REDUCING, arguments=6),
    *_mpi(
        "MPI_Reduce_scatter_block", (0,), (1,), uses=_REDUCES, message=_sends(Buffer(2, 3, True))
    ),
    *_mpi("MPI_Reduce_scatter", (0, 2), (1,), uses=_REDUCES, message=_SENDS_UNTOLD),
    *_mpi("MPI_Reduce_local", (0,), (1,), uses=_REDUCES),
    *_mpi(
        "MPI_Alltoall",
        (0,),
        (3,),
        message=_sends(Buffer(1, 2, True), Buffer(4, 5, True)),
        arguments=7,
    ),
    *_mpi("MPI_Alltoallv MPI_Alltoallw", ALL, (4,), message=_SENDS_UNTOLD),
    *_mpi("MPI_Scatter", (0,), (3,), message=_sends(Buffer(4, 5)), fills=Buffer(4, 5), arguments=8),
    *_mpi(
        "MPI_Scatterv",
        (0, 1, 2),
        (4,),
        message=_sends(Buffer(5, 6)),
        fills=Buffer(5, 6),
        arguments=9,
    ),
    *_mpi(
        "MPI_Neighbor_allgather MPI_Neighbor_allgatherv MPI_Neighbor_alltoall",
        ALL,
        (3,),
        message=_SENDS_UNTOLD,
    ),
    *_mpi("MPI_Neighbor_alltoallv MPI_Neighbor_alltoallw", ALL, (4,), message=_SENDS_UNTOLD),
    # -- the rest; what begins with MPI_I works on after it has returned
    *_mpi("MPI_I*", ALL, ALL, keeps=ALL, calls_back=ALL),
    *_mpi("MPI_*", ALL, ALL, calls_back=ALL),
)


def _without_waiting(rows: tuple[LibraryFunction, ...]) -> Iterator[LibraryFunction]:
    """The nonblocking variants of collective calls: MPI_Ibcast for MPI_Bcast. They fill and keep
    what they are handed until a request is complete."""
    first = next(at for at, f in enumerate(rows) if f.name == "MPI_Barrier")
    for f in rows[first:]:
        if f.message is not None:
            name = f"MPI_I{f.name.removeprefix('MPI_').lower()}"
            yield replace(f, name=name, reads=ALL, writes=ALL, keeps=ALL, fills=None)


MPI = (*_CALLS, *_without_waiting(_CALLS))
