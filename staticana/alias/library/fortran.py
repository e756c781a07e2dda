"""The runtime of flang (LLVM 16 and later): input and output, arrays by descriptor, and the command
line. A descriptor is an argument in which a pointer to the array stands.

Written after flang/include/flang/Runtime. What finalizes or reads derived types may call procedures
of the program, whose addresses stand in its type descriptions.
"""

from __future__ import annotations

from .library_function import ALL
from .rows import LEAVES, WAITS, row

_DESCRIPTOR = 24 + 15 * 24 + 16
"""Bytes of the largest descriptor: a header, 15 dimensions, and the type."""
_UNIT = ("fortran unit",)
"""Text variables that statements write as files."""
_CONSTRUCTORS = ("array constructor",)

FORTRAN = (
    # -- the command line and the program
    *row("_FortranAProgramStart _FortranAArgumentCount"),
    *row("_FortranAGetCommandArgument _FortranAGetCommand", behind=(0, 1, 2, 3)),
    *row("_FortranAGetEnvVariable", reads=(0,), behind=(1, 2, 4)),
    *row("_FortranAStopStatement* _FortranAExit _FortranAAbort", control=LEAVES),
    *row("_FortranAProgramEndStatement", control=WAITS),
    *row("_FortranACpuTime _FortranASystemClock*"),
    *row("_FortranADateAndTime", writes=(0, 2, 4), behind=(8,)),
    # -- input and output: a statement is begun, given its items, and ended
    *row("_FortranAioBegin*", ALL, control=WAITS),
    *row(
        "_FortranAioBeginInternalListOutput _FortranAioBeginInternalFormattedOutput",
        ALL,
        keeps=(0,),
        attaches=(0,),
        to=_UNIT[0],
    ),
    # texts behind a descriptor are written by the items that follow
    *row("_FortranAioBeginInternalArray*", ALL, keeps=(0,), meanwhile=(0,)),
    *row("_FortranAioEndIoStatement", uses=_UNIT, of=0, control=WAITS),
    *row("_FortranAioOutput*", ALL, uses=_UNIT, of=0, control=WAITS),
    *row("_FortranAioInput*", writes=(1,), control=WAITS),
    *row("_FortranAioInputDescriptor", writes=(), behind=(1,), control=WAITS),
    *row("_FortranAioInputNamelist _FortranAioInputDerivedType", ALL, ALL, anywhere=True),
    *row("_FortranAioOutputDerivedType _FortranAioOutputNamelist", ALL, calls_anything=True),
    *row("_FortranAioInquire*", writes=(2,)),
    *row("_FortranAioSet* _FortranAioEnableHandlers", ALL),
    # -- arrays: numbers that follow from them, others that are made of them, and their memory
    *row(
        "_FortranASum* _FortranAProduct* _FortranAMaxval* _FortranAMinval* _FortranADotProduct*"
        " _FortranAAll _FortranAAny _FortranACount _FortranALboundDim _FortranASize* _FortranAIs*"
        " _FortranANorm2_* _FortranACharacterCompareScalar* _FortranALenTrim1 _FortranAIndex1",
        ALL,
    ),
    # the result of these is an array that they allocate
    *row(
        "_FortranASumDim _FortranAProductDim _FortranAMaxvalDim _FortranAMinvalDim _FortranAAllDim"
        " _FortranAAnyDim _FortranACountDim _FortranAMaxloc* _FortranAMinloc* _FortranAMatmul"
        " _FortranAMatmulTranspose _FortranATranspose _FortranAReshape _FortranASpread"
        " _FortranAPack* _FortranAUnpack _FortranACshift* _FortranAEoshift* _FortranATrim"
        " _FortranAAdjust*",
        ALL,
        writes=(0,),
        size=_DESCRIPTOR,
    ),
    *row(
        "_FortranAMatmul* _FortranATranspose* _FortranACpp* _FortranARandom*",
        ALL,
        writes=(0,),
        behind=(0,),
        size=_DESCRIPTOR,
    ),
    # [a, b]: elements are put behind one another into an array that grows
    *row(
        "_FortranAInitArrayConstructorVector",
        writes=(0,),
        keeps=(1,),
        attaches=(1,),
        to=_CONSTRUCTORS[0],
    ),
    *row("_FortranAPushArrayConstructor*", ALL, writes=(0,), uses=_CONSTRUCTORS),
    *row("_FortranAAssign*", ALL, writes=(0,), behind=(0,), size=_DESCRIPTOR, calls_anything=True),
    *row("_FortranAAllocatable*", ALL, writes=(0,), behind=(2,), size=_DESCRIPTOR),
    *row("_FortranAPointer*", ALL, writes=(0,), behind=(2,), keeps=ALL, size=_DESCRIPTOR),
    *row(
        "_FortranAAllocatableDeallocate* _FortranAAllocatableMove* _FortranADestroy*",
        ALL,
        writes=(0, 1),
        size=_DESCRIPTOR,
        calls_anything=True,
    ),
    *row("_FortranAInitialize*", ALL, writes=(0,), behind=(0,), size=_DESCRIPTOR),
    # -- arithmetic
    *row("_FortranAFPow* _FortranAMod* _FortranAExponent* _FortranAFraction* _FortranASpacing*"),
)
