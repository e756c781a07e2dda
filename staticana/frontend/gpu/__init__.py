"""Front ends of languages for graphics processors: OpenCL C, CUDA and HIP, through clang's own
targets, with no toolkit and no card."""

from .device_code import Cuda, Hip, OpenCL
from .device_modules import with_open_shared_memory

__all__ = ["Cuda", "Hip", "OpenCL", "with_open_shared_memory"]
