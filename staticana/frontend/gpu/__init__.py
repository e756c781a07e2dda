"""Front ends of languages for graphics processors: OpenCL C, CUDA and HIP, through clang's own
targets, with no toolkit and no card."""

from .device_code import OPENCL, Cuda, Hip, PythonHost, compile_texts
from .device_modules import with_open_shared_memory
from .host_options import options_of_hosts
from .kernel_text import is_part, kernels_in, texts_in_ir, texts_in_source
from .opencl_host import on_one_machine, with_told_numbers
from .spirv import SpirV

__all__ = [
    "OPENCL",
    "Cuda",
    "Hip",
    "PythonHost",
    "SpirV",
    "compile_texts",
    "is_part",
    "kernels_in",
    "on_one_machine",
    "options_of_hosts",
    "texts_in_ir",
    "texts_in_source",
    "with_open_shared_memory",
    "with_told_numbers",
]
