"""What a function does where constants decide: its instructions run, up to a number of steps.

A value is a number, an address in an object, or unknown (None). What depends on something unknown
is unknown; where it decides a branch, both ways are left out, and what they may have set is not
known either. Partial evaluation as in N. Jones, C. Gomard and P. Sestoft, "Partial Evaluation and
Automatic Program Generation", 1993, section 4.
"""
