"""Who can name a variable or function, by the words of its linkage (LLVM Language Reference,
"Linkage Types").
"""

from __future__ import annotations

import re

_OWN = re.compile(r"\b(?:internal|private)\b")


def is_own(words: str) -> bool:
    """Can no other module name it? words: the attributes of a variable, or how the header of a
    function begins."""
    return _OWN.search(words) is not None
