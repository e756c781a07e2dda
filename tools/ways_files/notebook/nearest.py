import numba
import numpy as np

import looplaw as ll


@numba.njit
def nearest(x, y):
    best = np.empty(len(x))
    for i in range(len(x)):
        least = np.inf
        for j in range(len(x)):
            if i != j:
                d = (x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2
                if d < least:
                    least = d
        best[i] = least
    return best


# %%
x = np.random.default_rng(1).random(100)
nearest(x, x)
ll.analyze(nearest)
