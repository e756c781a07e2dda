"""`python -m modeling.kernel`: make the kernel's IR beside its sources, and compile it."""

from looplaw_common.text import as_line

from .intermediate import write_beside
from .library import kernel

print(as_line(str(write_beside())))
kernel()
