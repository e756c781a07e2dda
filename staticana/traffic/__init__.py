"""Memory traffic: the lines that loops touch, and those that miss a cache (see `law`)."""

from .law import LoopFootprint, TrafficLaw, traffic, traffic_of
from .refusal import Refused

__all__ = ["LoopFootprint", "Refused", "TrafficLaw", "traffic", "traffic_of"]
