"""Kernels of graphics processors run on this one, and counted: what the laws of launches are held
against. No card is needed."""

from .run import Argument, Buffer, Counted, CountedAccess, CountedLoop, KernelProgram, Local

__all__ = [
    "Argument",
    "Buffer",
    "Counted",
    "CountedAccess",
    "CountedLoop",
    "KernelProgram",
    "Local",
]
