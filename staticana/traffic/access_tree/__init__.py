"""The loads and stores of a program as a tree of loops, with gaps where something is not known.

Models of time weigh the memory traffic of whole programs, of which a part is often no formula: a
trip count that data decide, a subscript that is loaded, a pointer that is swapped. Such parts stay
in an `access_tree` and say what is not known of them; its lines are estimated (`layer_conditions`).
A `placed_tree` has no gaps and knows the bytes of each access, so that its lines are counted.
"""

from .nodes import (
    AccessNode,
    AccessTree,
    Guard,
    LoopNode,
    Making,
    Place,
    Spread,
    TreeNode,
    unguarded,
)
from .reader import access_tree, placed_tree
from .repeated_branches import repeated_branches

__all__ = [
    "AccessNode",
    "AccessTree",
    "Guard",
    "LoopNode",
    "Making",
    "Place",
    "Spread",
    "TreeNode",
    "access_tree",
    "placed_tree",
    "repeated_branches",
    "unguarded",
]
