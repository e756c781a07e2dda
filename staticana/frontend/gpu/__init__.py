"""Front ends of languages for graphics processors: OpenCL C, CUDA and HIP, through clang's own
targets, with no toolkit and no card."""

from .device_code import Cuda, Hip, OpenCL
from .device_modules import with_open_shared_memory
from .opencl_host import on_one_machine, with_told_numbers
from .spirv import SpirV

__all__ = [
    "Cuda",
    "Hip",
    "OpenCL",
    "SpirV",
    "on_one_machine",
    "with_open_shared_memory",
    "with_told_numbers",
]
