"""Kernels of graphics processors run on this one, and counted: what the laws of launches are held
against. No card is needed."""

from .run import Buffer, Counted, CountedAccess, CountedLoop, KernelProgram, Local

__all__ = ["Buffer", "Counted", "CountedAccess", "CountedLoop", "KernelProgram", "Local"]
