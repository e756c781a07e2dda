"""Linked lists that a program makes itself: their lengths, as numbers beside the pointers."""

from .lengths import SOMEWHERE as SOMEWHERE
from .lengths import may_have_lists as may_have_lists
from .lengths import with_lengths as with_lengths
from .lists import Lists as Lists
from .makers import may_make_nodes as may_make_nodes
from .makers import with_makers_inlined as with_makers_inlined
