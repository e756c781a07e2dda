"""Hidden cost: library calls and loops that make an innocent loop quadratic."""

from .detector import hidden_costs
from .finding import HiddenCost
from .library_calls import LibraryCall, library_calls

__all__ = ["HiddenCost", "LibraryCall", "hidden_costs", "library_calls"]
