"""`python -m modeling.kernel`: make the kernel's IR beside its sources, and compile it."""

from .intermediate import write_beside
from .library import kernel

print(write_beside())
kernel()
