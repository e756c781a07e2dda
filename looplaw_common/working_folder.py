"""Python's path without the working folder. It is asked before anything else is imported, and
imports nothing that is not loaded when Python has started."""

from __future__ import annotations

import os
import sys


def forget_working_folder() -> None:
    """Take the working folder, which `python -m` puts in front of everything, off the path of this
    interpreter; where our own packages are in it, it becomes the last place that is looked in."""
    if sys.flags.safe_path or not sys.path or sys.path[0] not in ("", os.getcwd()):
        return
    first = sys.path.pop(0) or os.getcwd()
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if os.path.realpath(first) == os.path.realpath(home):
        sys.path.append(first)
