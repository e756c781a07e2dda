"""Memory traffic: the lines that loops touch, and those that miss a cache.

`traffic_of(ir, entry=...)` gives a `TrafficLaw`. `law.at({"n": 400}, (32 << 10, 1 << 20))` gives an
`Evaluation`: iterations, loads, stores and footprint; for each capacity (bytes) the lines that miss
(streamed, strided, random) and are written back, in all and for each loop; bounds, and whether the
regime changes nearby. What cannot be told raises `Refused` with the reason.
"""

from .evaluation import Evaluation, Lines, LoopLines
from .law import (
    LoopFootprint,
    TrafficLaw,
    serial_program,
    traffic,
    traffic_of,
    traffic_of_functions,
)
from .refusal import Refused
from .regimes import Regime

__all__ = [
    "Evaluation",
    "Lines",
    "LoopFootprint",
    "LoopLines",
    "Refused",
    "Regime",
    "TrafficLaw",
    "serial_program",
    "traffic",
    "traffic_of",
    "traffic_of_functions",
]
