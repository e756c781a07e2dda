"""`python -m looplaw`, and the script `looplaw`, are the command line."""

from __future__ import annotations

import os
import sys

from looplaw_common.working_folder import forget_working_folder

forget_working_folder()  # all that `run` imports is found elsewhere from here on


def run() -> None:
    """The command line as the whole of a process."""
    _hold_standard_streams()
    try:
        from looplaw_common.collection import collect_rarely

        from .cli.main import main

        collect_rarely()
        main()
    except Exception as error:  # before a command is there to say it: what it needs did not load
        if "--debug" in sys.argv:
            raise
        lines = str(error).splitlines() or [""]
        said = f"looplaw: cannot start: {type(error).__name__}: {lines[0][:200]}"
        hint = "is there enough memory (ulimit -v), and does looplaw doctor find all it needs?"
        os.write(2, f"{said}; {hint}\n".encode("ascii", "backslashreplace"))
        sys.exit(2)


def _hold_standard_streams() -> None:
    """Where a caller closed stdin, stdout or stderr, the next file that is opened would be in its
    place, and what is printed would go into that file."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free


if __name__ == "__main__":
    run()
