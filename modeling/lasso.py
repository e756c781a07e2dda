"""LASSO on a Gram matrix: minimise 1/2 b'Gb - m'b + lambda sum |b| by coordinate descent.

G = X'WX and m = X'Wy are all it needs, so its cost does not depend on how many observations went into them; this is
what makes the online fitter possible (Bhattacharyya and Hoefler, PEMOGEN, PACT 2014; Friedman et al., 2010).
"""

from __future__ import annotations

import numpy as np

from .measurements import Floats


def coordinate_descent(gram: Floats, moment: Floats, penalty: float, start: Floats, *, tolerance: float = 1e-7,
                       sweeps: int = 200) -> Floats:
    """Minimiser for one penalty, from a warm start; columns with no variance stay at zero."""
    beta = start.copy()
    gradient = moment - gram @ beta
    diagonal = np.diag(gram)
    for _ in range(sweeps):
        largest = 0.0
        for k in np.flatnonzero(diagonal > 0):
            old = beta[k]
            z = gradient[k] + diagonal[k] * old
            new = np.sign(z) * max(abs(z) - penalty, 0.0) / diagonal[k]
            if new != old:
                gradient -= gram[:, k] * (new - old)
                beta[k] = new
                largest = max(largest, abs(new - old))
        if largest <= tolerance * max(1e-300, np.abs(beta).max(initial=0.0)):
            break
    return beta


def active_sets(gram: Floats, moment: Floats, *, limit: int = 3, steps: int = 40) -> list[tuple[int, ...]]:
    """The sets of columns that enter along the path from the largest penalty down, up to `limit` columns."""
    top = float(np.abs(moment).max(initial=0.0))
    if top <= 0:
        return []
    beta = np.zeros(len(moment))
    found: list[tuple[int, ...]] = []
    for penalty in top * np.geomspace(0.95, 1e-5, steps):
        beta = coordinate_descent(gram, moment, float(penalty), beta)
        active = tuple(int(k) for k in np.flatnonzero(beta))
        if active and active not in found:
            if len(active) > limit:
                strongest = np.argsort(-np.abs(beta))[:limit]
                found.append(tuple(sorted(int(k) for k in strongest)))
                break
            found.append(active)
    return list(dict.fromkeys(found))
