"""Where a run may leave the way that counts follow: error exits, exceptions, exit(0), second
returns.

Counts are derived along the edges of the control flow graphs, as if each call came back once. Some
do not: exit and abort end the program, throw and longjmp go on elsewhere, setjmp returns again, and
after fork two processes run the same code. Such a place decides over all that runs behind it, in
its function, in the callers behind the call, and in what those call later.

- An end by an error (abort, assert, a constant exit status that is not zero) is taken not to
  happen, which each count behind it says; so is an exception that the program throws under a
  condition, in a function that does not catch it.
- An exception that its own function catches, or that a call always ends in, goes where the edges of
  the control flow graph say. One that is thrown whenever the run comes there, and is caught
  elsewhere, leaves no count behind it; one that nothing catches is an end without error.
- So is an end without error outside of loops, or in a loop over the words of the command line, as
  behind `--help`: a run comes there or not, before it does anything else.
- Any other end leaves of a count behind it an upper bound; of code that a run comes to at most
  once, the count times a symbol that says whether the run has come there.
- What may run again has no count.
"""

from .early_ends import EarlyEnds

__all__ = ["EarlyEnds"]
