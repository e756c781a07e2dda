"""Lines that miss caches, estimated from layer conditions: fast enough to ask at many sizes.

A loop's iterations reuse each other's lines where what one iteration touches fits in the cache
(the layer condition of Stengel, Treibig, Hager and Wellein, ICS 2015). So, from the inside out, the
lines that one execution of a loop of T iterations misses are

    M = h F + (1 - h) T M',    h = 1 / (1 + (W / C)**s)

with M' those of an iteration, F the distinct lines of the loop, W the bytes of one iteration and C
the capacity: the condition is taken as smooth, since real caches are neither fully associative nor
strictly LRU. References to one object that follow each other through the same lines are counted
once (Wolf and Lam, PLDI 1991). Loops whose trip counts depend on outer ones are averaged over some
iterations of these (Gauss and Legendre).

Rows that lie a multiple of a page or of half a page apart share few sets of a cache, as if each
line took the room of several; large caches choose sets by a hash.

What data choose is kept apart as random accesses to an object of known size.

Address translation is followed alike, with pages in place of lines: a translation is kept where the
pages of one iteration are few. Pages that a walk enters one after the other are not counted, since
the cost of streams holds them; those that it jumps to are.
"""

from .estimate import READ, SAMPLED, STRIDED, UPDATED, WRITTEN, Touched, touched, visits
from .iteration_formulas import IterationFormula
from .streams import LINE, PAGE, Apart

__all__ = [
    "LINE",
    "PAGE",
    "READ",
    "SAMPLED",
    "STRIDED",
    "UPDATED",
    "WRITTEN",
    "Apart",
    "IterationFormula",
    "Touched",
    "touched",
    "visits",
]
