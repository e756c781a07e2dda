"""Memory traffic: the lines that loops touch, and those that miss a cache (see `law`)."""

from .law import LoopFootprint, TrafficLaw, traffic
from .refusal import Refused

__all__ = ["LoopFootprint", "Refused", "TrafficLaw", "traffic"]
