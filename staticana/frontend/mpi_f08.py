"""The module `mpi_f08`, made of a library's mpif.h for a compiler that does not read the library's
own.

Handles are structures with one number, and arguments go by reference, so that the procedures are
those of mpif.h: `mpi_send_` for MPI_Send. What they lack is an error code that may be left out, and
the comparison of handles; both are written into the IR of a program's files. Source: MPI 4.1,
chapter 19 (Language Bindings).
"""

from __future__ import annotations

import re
from pathlib import Path

MODULE = "mpi_f08"
_HANDLES = {
    "Comm": "COMM_WORLD COMM_SELF COMM_NULL",
    "Group": "GROUP_NULL GROUP_EMPTY",
    "Request": "REQUEST_NULL",
    "Message": "MESSAGE_NULL MESSAGE_NO_PROC",
    "Info": "INFO_NULL INFO_ENV",
    "Win": "WIN_NULL",
    "File": "FILE_NULL",
    "Errhandler": "ERRHANDLER_NULL ERRORS_ARE_FATAL ERRORS_RETURN ERRORS_ABORT",
    "Op": ("OP_NULL MAX MIN SUM PROD LAND BAND LOR BOR LXOR BXOR MINLOC MAXLOC REPLACE NO_OP"),
    "Datatype": (
        "DATATYPE_NULL INTEGER REAL DOUBLE_PRECISION COMPLEX DOUBLE_COMPLEX LOGICAL CHARACTER BYTE"
        " PACKED INTEGER1 INTEGER2 INTEGER4 INTEGER8 INTEGER16 REAL2 REAL4 REAL8 REAL16 COMPLEX4"
        " COMPLEX8 COMPLEX16 COMPLEX32 LOGICAL1 LOGICAL2 LOGICAL4 LOGICAL8 2INTEGER 2REAL"
        " 2DOUBLE_PRECISION 2COMPLEX 2DOUBLE_COMPLEX CHAR SIGNED_CHAR UNSIGNED_CHAR WCHAR SHORT"
        " UNSIGNED_SHORT INT UNSIGNED LONG UNSIGNED_LONG LONG_LONG LONG_LONG_INT"
        " UNSIGNED_LONG_LONG FLOAT DOUBLE LONG_DOUBLE INT8_T INT16_T INT32_T INT64_T UINT8_T"
        " UINT16_T UINT32_T UINT64_T C_BOOL C_COMPLEX C_FLOAT_COMPLEX C_DOUBLE_COMPLEX"
        " C_LONG_DOUBLE_COMPLEX AINT OFFSET COUNT FLOAT_INT DOUBLE_INT LONG_INT 2INT SHORT_INT"
        " LONG_DOUBLE_INT"
    ),
}
"""Type -> the constants of it, without their `MPI_`; a library need not have all."""
_KINDS = {
    "i": "integer :: {}",
    "a": "integer :: {}(*)",
    "k": "integer(MPI_ADDRESS_KIND) :: {}",
    "K": "integer(MPI_ADDRESS_KIND) :: {}(*)",
    "o": "integer(MPI_OFFSET_KIND) :: {}",
    "L": "logical :: {}",
    "l": "logical :: {}(*)",
    "s": "character(len=*) :: {}",
    "P": "external :: {}",
    "C": "type(MPI_Comm) :: {}",
    "G": "type(MPI_Group) :: {}",
    "R": "type(MPI_Request) :: {}",
    "r": "type(MPI_Request) :: {}(*)",
    "M": "type(MPI_Message) :: {}",
    "N": "type(MPI_Info) :: {}",
    "W": "type(MPI_Win) :: {}",
    "F": "type(MPI_File) :: {}",
    "E": "type(MPI_Errhandler) :: {}",
    "O": "type(MPI_Op) :: {}",
    "T": "type(MPI_Datatype) :: {}",
    "t": "type(MPI_Datatype) :: {}(*)",
    "b": "!dir$ ignore_tkr {0}\n      type(*), dimension(*) :: {0}",
    "S": "!dir$ ignore_tkr {0}\n      type(*), dimension(*) :: {0}",
}
"""What a letter of `_PROCEDURES` declares: b is a buffer, S a status or several; MPI_STATUS_IGNORE
keeps the type that mpif.h gives it."""
_PROCEDURES = """
    Init: Finalize: Init_thread:ii Query_thread:i Initialized:L Finalized:L Is_thread_main:L
    Abort:Ci Barrier:C Comm_size:Ci Comm_rank:Ci Comm_dup:CC Comm_split:CiiC Comm_free:C
    Comm_create:CGC Comm_create_group:CGiC Comm_group:CG Comm_split_type:CiiNC Comm_compare:CCi
    Comm_remote_size:Ci Comm_test_inter:CL Comm_set_errhandler:CE Comm_get_errhandler:CE
    Comm_set_name:Cs Comm_get_name:Csi Comm_get_parent:C Intercomm_create:CiCiiC
    Intercomm_merge:CLC Errhandler_free:E Error_class:ii Error_string:isi
    Group_size:Gi Group_rank:Gi Group_incl:GiaG Group_excl:GiaG Group_union:GGG
    Group_intersection:GGG Group_difference:GGG Group_free:G Group_translate_ranks:GiaGa
    Send:biTiiC Ssend:biTiiC Rsend:biTiiC Bsend:biTiiC Isend:biTiiCR Issend:biTiiCR
    Irsend:biTiiCR Ibsend:biTiiCR Recv:biTiiCS Irecv:biTiiCR Sendrecv:biTiibiTiiCS
    Sendrecv_replace:biTiiiiCS Probe:iiCS Iprobe:iiCLS Mprobe:iiCMS Improbe:iiCLMS Mrecv:biTMS
    Imrecv:biTMR Get_count:STi Get_elements:STi Buffer_attach:bi Buffer_detach:bi
    Wait:RS Waitall:irS Waitany:iriS Waitsome:iriaS Test:RLS Testall:irLS Testany:iriLS
    Testsome:iriaS Request_free:R Request_get_status:RLS Cancel:R Test_cancelled:SL
    Send_init:biTiiCR Ssend_init:biTiiCR Bsend_init:biTiiCR Rsend_init:biTiiCR Recv_init:biTiiCR
    Start:R Startall:ir
    Bcast:biTiC Reduce:bbiTOiC Allreduce:bbiTOC Scan:bbiTOC Exscan:bbiTOC Gather:biTbiTiC
    Gatherv:biTbaaTiC Scatter:biTbiTiC Scatterv:baaTbiTiC Allgather:biTbiTC Allgatherv:biTbaaTC
    Alltoall:biTbiTC Alltoallv:baaTbaaTC Alltoallw:baatbaatC Reduce_scatter:bbaTOC
    Reduce_scatter_block:bbiTOC Reduce_local:bbiTO
    Ibarrier:CR Ibcast:biTiCR Ireduce:bbiTOiCR Iallreduce:bbiTOCR Igather:biTbiTiCR
    Igatherv:biTbaaTiCR Iscatter:biTbiTiCR Iscatterv:baaTbiTiCR Iallgather:biTbiTCR
    Iallgatherv:biTbaaTCR Ialltoall:biTbiTCR Ialltoallv:baaTbaaTCR
    Neighbor_allgather:biTbiTC Neighbor_alltoall:biTbiTC Neighbor_alltoallv:baaTbaaTC
    Cart_create:CialLC Dims_create:iia Cart_coords:Ciia Cart_rank:Cai Cart_shift:Ciiii
    Cart_get:Ciala Cart_sub:ClC Cartdim_get:Ci Cart_map:Ciali Topo_test:Ci
    Dist_graph_create_adjacent:CiaaiaaNLC Graph_create:CiaaLC
    Type_contiguous:iTT Type_vector:iiiTT Type_create_hvector:iikTT Type_indexed:iaaTT
    Type_create_indexed_block:iiaTT Type_create_hindexed:iaKTT Type_create_struct:iaKtT
    Type_create_subarray:iaaaiTT Type_create_darray:iiiaaaaiTT Type_create_resized:TkkT
    Type_dup:TT Type_commit:T Type_free:T Type_size:Ti Type_get_extent:Tkk
    Type_get_true_extent:Tkk Get_address:bk Pack:biTbiiC Unpack:biibiTC Pack_size:iTCi
    Type_match_size:iiT Op_create:PLO Op_free:O Op_commutative:OL
    Win_create:bkiNCW Win_fence:iW Win_free:W Win_start:GiW Win_complete:W Win_post:GiW Win_wait:W
    Win_lock:iiiW Win_unlock:iW Win_lock_all:iW Win_unlock_all:W Win_flush:iW Win_flush_all:W
    Win_flush_local:iW Win_sync:W Put:biTikiTW Get:biTikiTW Accumulate:biTikiTOW
    Get_accumulate:biTbiTikiTOW Fetch_and_op:bbTikOW Compare_and_swap:bbbTikW
    Info_create:N Info_set:Nss Info_get:NsisL Info_free:N
    File_open:CsiNF File_close:F File_delete:sN File_set_size:Fo File_get_size:Fo
    File_set_view:FoTTsN File_seek:Foi File_get_position:Fo File_read:FbiTS File_write:FbiTS
    File_read_all:FbiTS File_write_all:FbiTS File_read_at:FobiTS File_write_at:FobiTS
    File_read_at_all:FobiTS File_write_at_all:FobiTS File_read_shared:FbiTS
    File_write_shared:FbiTS File_write_ordered:FbiTS File_sync:F File_preallocate:Fo
    Get_processor_name:si Get_library_version:si Get_version:ii Pcontrol:i
"""
"""Procedure without its `MPI_` -> the letters of its arguments before the error code."""
DECLARED = f"{_HANDLES} {_KINDS} {_PROCEDURES}"
"""What the module of any library declares."""
_STATUS = ("SOURCE", "TAG", "ERROR")
_INCLUDE = re.compile(r"(?im)^\s*include\s+['\"]([\w.-]+)['\"]")
_COMPARES = re.compile(r"(?m)^declare (?:!dbg !\d+ )?i32 (@_QMmpi_f08P(eq|ne)_\w+)\(ptr, ptr\).*$")
_ABSENT = re.compile(
    r"(?m)^(.*\bcall void @p?mpi_\w+_\(.*\b)ptr null((?:, i64 [\w.%-]+)*\)[^()\n]*)$"
)
"""A call whose last argument, but for lengths of texts, is no address."""
_IGNORED = "@looplaw.mpi.error"
"""Where error codes go that a program leaves out."""


def module_text(header: Path) -> str | None:
    """The source of the module, with the constants of an mpif.h; None where that says nothing of
    how a status is laid out."""
    said = _read(header)
    words = {word.upper() for word in re.findall(r"\b[A-Za-z]\w*", said)}
    layout = _status(said)
    if layout is None:
        return None
    given = {
        name: kind
        for kind, names in _HANDLES.items()
        for name in names.split()
        if f"MPI_{name}" in words
    }
    renamed = "".join(f", &\n    looplaw_{name} => MPI_{name}" for name in given)
    lines = [f"module {MODULE}", f"  use mpi{renamed}", "  implicit none"]
    for kind in _HANDLES:
        lines += [f"  type, bind(c) :: MPI_{kind}", "    integer :: MPI_VAL", "  end type"]
    lines += [
        "  type, bind(c) :: MPI_Status",
        *(f"    integer :: {x}" for x in layout),
        "  end type",
    ]
    lines += [
        f"  type(MPI_{kind}), parameter :: MPI_{name} = MPI_{kind}(looplaw_{name})"
        for name, kind in given.items()
    ]
    for operator, name in (("==", "eq"), ("/=", "ne")):
        own = ", ".join(f"{name}_{kind}" for kind in _HANDLES)
        lines += [f"  interface operator({operator})", f"    procedure :: {own}", "  end interface"]
    lines.append("  interface")
    for procedure in _PROCEDURES.split():
        lines += _interface(*procedure.split(":"))
    lines += ["  end interface", "contains"]
    for kind in _HANDLES:
        lines += [*_comparison(kind, "eq", "=="), *_comparison(kind, "ne", "/=")]
    return "\n".join([*lines, f"end module {MODULE}", ""])


def with_error_codes(text: str) -> str:
    """The IR of a file in which calls of MPI hand over a place for each error code, and handles are
    compared without the object of the module."""
    given = _ABSENT.sub(rf"\1ptr {_IGNORED}\2", text)
    if given != text:
        given += f"\n{_IGNORED} = internal global i32 0\n"
    return _COMPARES.sub(_defined, given)


def _defined(declared: re.Match[str]) -> str:
    name, relation = declared.groups()
    lines = (
        f"define linkonce_odr i32 {name}(ptr %a, ptr %b) {{",
        "  %first = load i32, ptr %a, align 4",
        "  %second = load i32, ptr %b, align 4",
        f"  %is = icmp {relation} i32 %first, %second",
        "  %said = zext i1 %is to i32",
        "  ret i32 %said",
        "}",
    )
    return "\n".join(lines)


def _read(header: Path) -> str:
    """A header with what it includes from its own folder."""
    text = header.read_text(encoding="utf-8", errors="replace")
    others = [header.parent / name for name in _INCLUDE.findall(text)]
    return "\n".join([text, *(_read(other) for other in others if other.is_file())])


def _status(said: str) -> list[str] | None:
    """The members of a status, in their order."""
    found = {
        name: int(number)
        for name in ("STATUS_SIZE", *_STATUS)
        for number in re.findall(rf"(?i)\bMPI_{name}\s*=\s*(\d+)", said)[:1]
    }
    if len(found) <= len(_STATUS):
        return None
    at = {found[name]: f"MPI_{name}" for name in _STATUS}
    return [at.get(k, f"looplaw_{k}") for k in range(1, found["STATUS_SIZE"] + 1)]


def _interface(name: str, letters: str = "") -> list[str]:
    arguments = [f"a{k}" for k in range(len(letters))]
    return [
        f"    subroutine MPI_{name}({', '.join([*arguments, 'ierror'])})",
        "      import",
        *(
            f"      {_KINDS[kind].format(argument)}"
            for kind, argument in zip(letters, arguments, strict=True)
        ),
        "      integer, optional :: ierror",
        "    end subroutine",
    ]


def _comparison(kind: str, name: str, operator: str) -> list[str]:
    return [
        f"  elemental logical function {name}_{kind}(a, b)",
        f"    type(MPI_{kind}), intent(in) :: a, b",
        f"    {name}_{kind} = a%MPI_VAL {operator} b%MPI_VAL",
        "  end function",
    ]
