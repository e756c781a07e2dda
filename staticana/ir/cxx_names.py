"""Names of the C++ library and its runtime, as compilers write them: one table.

Mangled names are those of the Itanium C++ ABI (section 5.1), of libstdc++ (`std::`, `std::__cxx11`)
and of libc++ (`std::__1`). What a function of theirs does, tells `alias.library`; here stands which
name is which.
"""

from __future__ import annotations

import re

# -- any name
CONST_MEMBER = "_ZNK"
"""How names of member functions begin that leave their object as it is."""
OF_LIBRARY = re.compile(r"_ZN?K?(?:S[absiotd]|9__gnu_cxx|10__cxxabiv1)|_Z(?:nw|na|dl|da)")
"""Mangled names of the C++ library, which calls virtual functions of its own classes alone
(`virtual_calls.overriding`)."""
OF_LIBCXX = re.compile(r"\b_Z\w*St3__1")
OF_STANDARD = re.compile(r"_ZNK?St")
OF_LANGUAGE = re.compile(
    r"_Z(?:T[hv].*_)?N?[KVRO]*(?:S[tabsiod]|9__gnu_cxx|10__cxxabiv1)|_Z(?:nw|na|dl|da)"
)
MODELLED_OTHERWISE = ("llvm.", "_Znwm", "_Znam", "_ZdlPv", "_ZdaPv")
PASSED_ON = ("_ZSt4move", "_ZSt7forward", "_ZNSt3__14move", "_ZNSt3__17forward")
CALLS_TERMINATE = "__clang_call_terminate"
TO_STRING = re.compile(r"_ZNSt7__cxx119to_stringE\w$")

# -- allocation
NEW_OBJECT = frozenset(("_Znwm", "_ZnwmSt11align_val_t"))
NEW_SHARED = re.compile(r"_ZNSt3__117__libcpp_allocate\w*__shared_ptr_emplace")
NEW_UNSET = frozenset("malloc aligned_alloc memalign valloc _Znwm _Znam _Znwj _Znaj".split())
"""Allocations that hold nothing that a program may read."""
NEW_STRUCTURE = frozenset(("malloc", "calloc", "_Znwm", "_ZnwmRKSt9nothrow_t"))
"""Functions that allocate one structure."""
GIVE_BACK = ("free", "_ZdlPv", "_ZdlPvm")
"""Functions that take memory back; a node that they take is not used from then on."""
NEW_BY_BYTES = ("malloc", "_Znwm", "_Znam", "aligned_alloc", "realloc")
NEW_UNALIGNED = frozenset(("malloc", "calloc", "realloc", "_Znwm", "_Znam"))

# -- exceptions
THROWS = ("__cxa_throw", "__cxa_rethrow")
LENGTH_ERROR = "_ZSt20__throw_length_errorPKc"
GOES_ON_UNWINDING = ("_Unwind_Resume", "__cxa_rethrow", "__clang_call_terminate")
TERMINATE = "_ZSt9terminatev"
CHECKS = re.compile(
    r"_ZSt\d+__throw_(?!length_error|bad_alloc|bad_array_new_length)"
    r"|_ZNKSt?7?(?:__cxx11|__1)?12basic_string.*?E(?:2at|6substr|7compare|4copy)E"
    r"|_ZNK?St(?:7__cxx1112|3__112)basic_string.*?E(?:2at|6substr|7compare|4copy|5erase|7replace|6insert)E"
)
"""Functions of the C++ library that throw where an argument is out of range or no number. That
memory suffices (length_error, bad_alloc) is another assumption."""
NEW_EXCEPTION = "__cxa_allocate_exception"
CATCHES = "__cxa_begin_catch"

# -- classes
ELEMENT = re.compile(r"_ZNK?S.*(?:ix|2at)E[mlji]")
"""Members of containers that hand out the element at an index."""
_BITS = r"(?:St|St3__1)6vectorIbN?(?:S|_)\w*"
BIT = re.compile(rf"_ZN{_BITS}(?:ix|2at)E[mj]")
BIT_OF_CONSTANT = re.compile(rf"_ZNK{_BITS}(?:ix|2at)E[mj]")
BIT_READ = re.compile(r"_ZNKSt(?:14_Bit_reference|3__115__bit_reference\w*)cvbEv")
BIT_SET = re.compile(r"_ZNSt(?:14_Bit_reference|3__115__bit_reference\w*)aSEb")
"""Members of vectors of bits, and of the references to bits that they hand out."""
TAKES_ELEMENTS = re.compile(r"E(?:\d?3pop|8pop_back|9pop_front|5erase|4swap|6insert|aS)[BIE]")
"""Members of containers that take elements away, or put others before them."""
KEYS_ARE_NUMBERS = re.compile(r"(?:set|map)I[a-z]")
"""Sets and maps whose keys are numbers, which no pointer leads out of."""
VIRTUAL_TABLE = "_ZTV"
"""How the names of virtual tables begin (Itanium C++ ABI, section 5.1.4)."""
TYPE_INFORMATION = "_ZTI"  # Itanium C++ ABI, section 5.1.4
TABLES_OF_LIBRARY = ("_ZTVSt", "_ZTVNSt")
TABLES = (VIRTUAL_TABLE, TYPE_INFORMATION, "_ZTS", "_ZTT", "_ZTC")
"""How the names of all tables of a class begin."""
PURE_VIRTUAL = "__cxa_pure_virtual"
"""What stands in a virtual table for a function that only derived classes have."""

# -- functions as values, threads
CALL_OF_FUNCTION_OBJECT = re.compile(r"_ZNKSt8functionI(?P<signature>F.*E)EclE")
FUNCTION_WRAPPERS = re.compile(r"_ZNKSt(?:8functionIF|3__1(?:8functionIF|10__function))")
"""Functions of the library's std::function."""
THREAD = "_ZNSt6thread"

# -- containers
CONTAINER = re.compile(r"_ZN?K?(?:St)?(?:7__cxx11|3__1)?(\d*)")
STRING_SUM = re.compile(r"_Z(?:St|NSt3__1)pl")
STRING_ASSIGNED = re.compile(r"_ZNSt.*basic_string.*aS(?:B\w*?\d+)?E")
VECTOR_COPIED = re.compile(r"_ZNSt(?:3__1)?6vectorI.*EC[12](?:B\w*?\d+)?ERKS[0-9A-Z]*_$")
CONTAINERS_AS_THEY_ARE = re.compile(r"5deque|_ZNK?St3__112basic_string")  # modelled as they are
ITERATORS = re.compile(
    r"__normal_iterator|__wrap_iter|\dc?r?(?:begin|end)[BE]|_ZZNSt3__1\w+ENKUl|16__if_likely_else"
    # the least and the greatest, which hand references through
    # nodes and what points to them
    r"|_List_(?:const_)?iterator|_Rb_tree_(?:const_)?iterator|_Node_(?:const_)?iterator"
    r"|__list_(?:const_)?iterator|__(?:map|tree|hash|hash_map)_(?:const_)?iterator"
    r"|_M_begin|_M_incr|12__[nm]iter_(?:base|wrap)|__begin_node|__end_node|__as_link|__as_node|__get_np"
    r"|_ZSt[35](?:min|max|clamp)I|_ZNSt3__1[35](?:min|max|clamp)(?:B\w+?)?I|__less"
)
PARTS_OF_ITERATORS = (
    *("iterator", "__wrap_iter", "beginB", "beginE", "endB", "endE", "_ZZNSt3__1"),
    *(
        "16__if_likely_else",
        "_M_begin",
        "_M_incr",
        "iter_base",
        "iter_wrap",
        "__begin_node",
        "__end_node",
        "__as_link",
    ),
    *("__as_node", "__get_np", "_ZSt3", "_ZSt5", "_ZNSt3__1", "__less"),
    *("pairI", "tupleI", "unique_ptr", "shared_ptr", "_insert_iterator"),
    *("optional", "4swapI", "4swapB", "8exchange"),
)
"""One of them is in whatever `ITERATORS` finds; to look for words is a hundred times faster."""
TREE_STEPS = re.compile(
    r"_ZSt18_Rb_tree_(?:in|de)crementPK?St|_ZNSt3__1\d+__tree_(?:next|prev)_iter"
)
POINTER_TO = re.compile(r"_ZNSt3__114pointer_traitsI.*E10pointer_to")
"""The function of libc++ that gives the address of what it is handed."""

# -- strings, and vectors of them
_STRING = r"(?:St7__cxx11|NSt7__cxx11|NSt3__1|St3__1)12basic_string"
STRING_OF_TEXT = re.compile(rf"_ZN?{_STRING}.*C[12](?:B\w+?)?(?:I.*E)?EPKc(?!m|jm)")
STRING_ENDED = re.compile(rf"_ZN?{_STRING}.*D[12]Ev$")
STRING_ASKED = re.compile(r"_ZNK(?:St7__cxx11|St3__1)12basic_string")
STRING_READ = re.compile(r"_Z(?:NSt3__1|St)?(?:eq|ne|lt|gt|le|ge|ls|pl)[BI]")
STRING_PARSED = re.compile(r"_ZNSt(?:7__cxx11|3__1)\d+sto\w+RKNS_12basic_string")
_VECTOR = r"(?:St|St3__1)6vectorIN"
VECTOR_OF_WORDS = re.compile(rf"_ZN{_VECTOR}.*basic_string.*C[12](?:B\w+?)?IPPc")
VECTOR_ELEMENT = re.compile(rf"_ZNK?{_VECTOR}.*basic_string.*E(?:ix|2at|5front)(?:B\w+?)?E[vm]$")
VECTOR_NUMBER = re.compile(rf"_ZNK{_VECTOR}.*basic_string.*E(?:4size|(5empty))(?:B\w+?)?Ev$")
VECTOR_ENDED = re.compile(rf"_ZN{_VECTOR}.*D[12](?:B\w+?)?Ev$")
VECTOR_ASKED = re.compile(rf"_ZNK{_VECTOR}")
CONST_VECTOR_HANDED = re.compile(r"RK(?:St|NSt3__1|NS_)6vectorIN")
VECTOR_CHANGED = re.compile(r"(?<!K)[RPO](?:St|NSt3__1|NS_)6vectorIN")

# -- streams, views
VIRTUAL_OUTPUT = "_ZNSt15basic_streambufIcSt11char_traitsIcEE6xsputnEPKcl"
"""What a virtual function of a class of the library is taken for."""
STREAM_OUTPUT = (
    "_ZNSo",
    "_ZStls",
    "_ZSt16__ostream_insert",
    "_ZNSt3__1ls",
    "_ZNSt3__113basic_ostream",
)
STREAM_OF_ERRORS = ("stderr", "__stderrp", "_ZSt4cerr", "_ZNSt3__14cerrE")
_ISTREAM = r"(?:Si|NSt3__113basic_istreamIcNS_11char_traitsIcEEE)"
_STRINGSTREAM = r"N?(?:St7__cxx11|St3__1)1[89]basic_i?stringstreamIc\w*?"
STREAM_EXTRACTS = re.compile(
    rf"_ZN?{_ISTREAM}E?rsER([a-z])$|_ZStrsI{_STRINGSTREAM}R([a-z])EO\w+$"
    r"|_ZNSt3__1rs(?:B\w+?)?INS_1[89]basic_i?stringstreamIc\w*?R([a-z])(?:Tn|Li0|E)\w+$"
)
FROM_CHARS = re.compile(r"_Z(?:St|NSt3__1)10from_chars(?:B\w+?)?I([a-z])")
STRING_SIZE = re.compile(r"_ZNKSt\w*1[27]basic_string(?:_view)?I.*(?:4size|6length)(?:B\w+?)?Ev$")
_VIEW = r"St(?:3__1)?17basic_string_view"
VIEW_OF_TEXT = re.compile(rf"_ZN{_VIEW}.*C[12](?:B\w+?)?EPKc$")
VIEW_ASKED = re.compile(rf"_ZNK{_VIEW}")
VIEW_START = re.compile(rf"_ZNK{_VIEW}.*(?:4data|5begin|6cbegin)(?:B\w+?)?Ev$")
TEXT_LENGTH = re.compile(r"strlen$|_ZNSt(?:3__1)?11char_traitsIcE6lengthE")
STREAM_OF_STRING = re.compile(rf"_Z{_STRINGSTREAM}C[12](?:B\w+?)?ERKNS_12basic_string")
STREAM_EMPTY = re.compile(rf"_Z{_STRINGSTREAM}C[12](?:B\w+?)?Ev$")
STREAM_ENDED = re.compile(rf"_Z{_STRINGSTREAM}D[12](?:B\w+?)?Ev$")
STREAM_PUTS_TEXT = re.compile(r"_Z(?:St|NSt3__1)ls.*char_traits.*basic_ostream.*PKc$")
STREAM_ASKED = re.compile(r"_ZNK(?:St9basic_ios|St3__1(?:8ios_base|9basic_ios))")
