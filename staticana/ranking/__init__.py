"""Upper bounds of loops whose ends data decide, by ranking arguments.

A nest is an integer transition system (`transitions`), over which linear functions are sought that
fall with each iteration (`synthesis`); that they do is proved exactly (`polyhedra`), from facts
that hold at each header (`invariants`). Where outer transitions raise a function again, they pay
for it (`bounds`).
"""
