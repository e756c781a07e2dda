"""Laws of launches: what all threads of a kernel do together, from what one of them does.

The count of one thread is a formula in where it stands (`tid`, `ctaid`). Over all threads its sum
is the work, its maximum the depth; a warp takes as long as its slowest lane. No card is asked.
"""

from .findings import copies_beside_launches, efficiency_of, kernel_findings, usual_value
from .host import kernel_of_stub, with_launches
from .kernels import Kernel, kernel_text, kernels_of
from .laws import KernelLaws, by_place, kernel_laws

__all__ = [
    "Kernel",
    "KernelLaws",
    "by_place",
    "copies_beside_launches",
    "efficiency_of",
    "kernel_findings",
    "kernel_laws",
    "kernel_of_stub",
    "kernel_text",
    "kernels_of",
    "usual_value",
    "with_launches",
]
