"""What others may hand to looplaw, and what they may try with it: a table of attacks and faults.

Each entry says what is untrusted, what is tried, and what the answer must be. `make attacks` prints
the table; the tests run every entry. What holds for all of them (nothing is run, nothing is written
elsewhere, no output is forged, no traceback, ten seconds and a gigabyte at most) is in `attack`.
"""
