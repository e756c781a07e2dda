"""The settings of the search and of the rooms below it, where a reader looks for them.

They are defined in `modeling.settings`, beneath all rooms, since the evidence, the least squares
and the dictionary take theirs from the same object and no room imports another in a circle.
"""

from ..settings import ARITHMETIC, DEFAULT, Settings, at

__all__ = ["ARITHMETIC", "DEFAULT", "Settings", "at"]
