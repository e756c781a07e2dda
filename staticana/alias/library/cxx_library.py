"""The C++ library and its runtime (Itanium C++ ABI: mangled names, __cxa_*)."""

from __future__ import annotations

from collections.abc import Iterator

from .library_function import ALL, LibraryFunction
from .rows import FLOAT, INTEGER, LEAVES, MAY_LEAVE, UNSIGNED, WAITS, row


def _sto(names: str, **facts: object) -> Iterator[LibraryFunction]:
    """A row of functions that read a number from the text of a std::string."""
    return row(names, (0,), (1,), **{"errno": True, "throws": True, "of_string": True, **facts})


def _cxx(names: str) -> Iterator[LibraryFunction]:
    """Functions of the C++ library without a row of their own: they may do all that their arguments
    allow."""
    return row(
        names, ALL, ALL, calls_back=ALL, throws=True, control=MAY_LEAVE, uses=("ios", "stream")
    )


def _new(names: str) -> Iterator[LibraryFunction]:
    """Functions that allocate: where there is no memory, they call what set_new_handler was
    handed."""
    return row(names, allocates=True, throws=True, uses=("new",))


_LIBCXX_STRING = "St3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE"
CXX = (
    # -- operator new and delete
    *_new("_Znwm _Znam _Znwj _Znaj _ZnwmSt11align_val_t _ZnamSt11align_val_t"),
    *row("_ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t", allocates=True, uses=("new",)),
    *row("_ZSt15set_new_handlerPFvvE", keeps=(0,), registers=(0,), to="new"),
    *row("_Zdl* _Zda*"),
    # -- the Itanium ABI's runtime
    *row("__cxa_allocate_exception", allocates=True, control=WAITS),
    *row("__cxa_free_exception __cxa_get_exception_ptr __cxa_guard_abort", control=WAITS),
    *row("__cxa_throw __cxa_rethrow __cxa_bad_cast __cxa_bad_typeid", ALL, control=LEAVES),
    *row("__cxa_throw_bad_array_new_length __cxa_pure_virtual", control=LEAVES),
    *row("_Unwind_Resume __clang_call_terminate _ZSt9terminatev", control=LEAVES),
    *row("_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE", control=LEAVES),
    *row("_ZSt20__throw_length_errorPKc _ZSt17__throw_bad_allocv", ALL, control=LEAVES),
    *row("_ZSt24__throw_out_of_range_fmtPKcz _ZSt20__throw_out_of_rangePKc", ALL, control=LEAVES),
    *row("_ZSt19__throw_logic_errorPKc _ZSt28__throw_bad_array_new_lengthv", ALL, control=LEAVES),
    *row("_ZSt25__throw_bad_function_callv _ZSt16__throw_bad_castv", control=LEAVES),
    *row("__cxa_begin_catch __cxa_end_catch"),
    *row("__cxa_atexit __cxa_thread_atexit", keeps=(0, 1), registers=(0,), to="exit"),
    *row("__cxa_guard_acquire", (0,), (0,), control=WAITS),
    *row("__cxa_guard_release", (), (0,), control=WAITS),
    *row("__dynamic_cast", (0,), into=0, control=WAITS),
    *row("__gxx_personality_v0", control=WAITS),
    # -- <ios>: a stream keeps its buffer, and the stream that it is tied to
    *row(
        "_ZNSoC1EP* _ZNSoC2EP* _ZNSiC1EP* _ZNSiC2EP* _ZNSdC1EP* _ZNSdC2EP*"
        " _ZNSt9basic_iosIcSt11char_traitsIcEE4init* _ZNSt9basic_iosIcSt11char_traitsIcEE5rdbuf*"
        " _ZNSt9basic_iosIcSt11char_traitsIcEE3tie* _ZNSt3__18ios_base4init*",
        ALL,
        ALL,
        keeps=(1,),
        calls_back=ALL,
        throws=True,
        control=MAY_LEAVE,
    ),
    # -- <ios>: an address as text; functions that streams call
    *row(
        "_ZNSo9_M_insertIPKvEERSoT_ _ZNSolsEPKv"
        " _ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEElsEPKv",
        ALL,
        (0,),
        keeps=(1,),
        calls_back=ALL,
        throws=True,
        control=MAY_LEAVE,
        uses=("ios", "stream"),
    ),
    *row(
        "_ZNSt8ios_base17register_callbackEPFvNS_5eventERS_iEi",
        (0,),
        (0,),
        keeps=(1,),
        registers=(1,),
        to="ios",
    ),
    # -- <memory_resource>
    *row("_ZNSt3pmr20set_default_resourceEPNS_15memory_resourceE", keeps=(0,)),
    # -- <string>: what reads a string
    *(
        reader
        for prefix in ("St7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE", _LIBCXX_STRING)
        for reader in (
            *row(f"_ZN{prefix}2atEm _ZNK{prefix}2atEm", (0,), into=0, throws=True),
            *row(f"_ZNK{prefix}4find* _ZNK{prefix}5rfind*", ALL, throws=True),
            *row(f"_ZNK{prefix}7compare*", ALL, throws=True),
            *row(f"_ZNK{prefix}13find_first_of* _ZNK{prefix}12find_last_of*", ALL, throws=True),
        )
    ),
    *row(  # the text of a string, of the capacity that it is handed
        "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm",
        (1,),
        (1,),
        allocates=True,
        throws=True,
    ),
    # -- <string>: numbers from the text of a std::string
    *_sto(
        "_ZNSt7__cxx114stoiE* _ZNSt7__cxx114stolE* _ZNSt7__cxx115stollE*"
        " _ZNSt3__14stoiE* _ZNSt3__14stolE* _ZNSt3__15stollE*",
        parses=INTEGER,
        base=2,
    ),
    *_sto(
        "_ZNSt7__cxx115stoulE* _ZNSt7__cxx116stoullE* _ZNSt3__15stoulE* _ZNSt3__16stoullE*",
        parses=UNSIGNED,
        base=2,
    ),
    *_sto(
        "_ZNSt7__cxx114stodE* _ZNSt7__cxx114stofE* _ZNSt3__14stodE* _ZNSt3__14stofE*", parses=FLOAT
    ),
    # -- libc++: output, which calls virtual functions of streams and locales
    *row(
        "_ZNSt3__1lsB* _ZNSt3__14endlB* _ZNSt3__15flushB* _ZNSt3__124__put_character_sequenceB*",
        ALL,
        (0,),
        calls_back=ALL,
        throws=True,
        control=MAY_LEAVE,
        in_header=True,
    ),
    # -- libstdc++: the next and the previous node of a tree
    *row("_ZSt18_Rb_tree_increment* _ZSt18_Rb_tree_decrement*", (0,)),
    # -- libstdc++ and libc++: what has no row of its own may fill what it is handed, and throw
    *_cxx("_ZNSt* _ZNKSt* _ZSt* _ZNSo* _ZNKSo* _ZNSi* _ZNSd* _ZNSs* _ZNKSs* _ZNSa*"),
    *_cxx("_ZN9__gnu_cxx* std::*"),
    *row(
        "_ZNSt6thread15_M_start_threadE* _ZNSt3__16thread*",
        ALL,
        ALL,
        keeps=ALL,
        calls_back=ALL,
        throws=True,
        control=MAY_LEAVE,
        concurrent=True,
    ),
    *row("_Znw* _Zna*", throws=True, control=MAY_LEAVE),
)
