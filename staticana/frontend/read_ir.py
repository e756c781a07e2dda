"""Reads a file of LLVM IR, text or bitcode, checks it and writes it as text.

A program of its own: over some broken modules LLVM ends the process that reads them, or never comes
to an end.
"""

from __future__ import annotations

import sys
from pathlib import Path

import llvmlite.binding as llvm

_BITCODE = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")


def main(path: str) -> int:
    """The exit code: 3 with the reason on stderr when it is not valid IR."""
    data = Path(path).read_bytes()
    try:
        if data[:4] in _BITCODE:
            module = llvm.parse_bitcode(data)
            text = str(module)
        else:
            text = data.decode("utf-8", errors="surrogateescape")
            module = llvm.parse_assembly(text)
        module.verify()
    except (RuntimeError, UnicodeError) as error:
        print(error, file=sys.stderr)
        return 3
    sys.stdout.buffer.write(text.encode("utf-8", errors="surrogateescape"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
