"""The loads and stores of a program as a tree of loops, with gaps where something is not known.

Models of time weigh the memory traffic of whole programs, of which a part is often no formula: a
trip count that data decide, a subscript that is loaded, a pointer that is swapped. Here such parts
stay in the tree and say what is not known of them, while `references` refuses the program: its
lines are counted, those of this tree estimated (see `layer_conditions`).
"""

from .nodes import AccessNode, AccessTree, LoopNode, TreeNode
from .reader import access_tree
from .repeated_branches import repeated_branches

__all__ = ["AccessNode", "AccessTree", "LoopNode", "TreeNode", "access_tree", "repeated_branches"]
