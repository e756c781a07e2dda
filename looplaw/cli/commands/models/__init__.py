"""The verbs that need measurements or models only: fit, compare, predict, scaling, and the like."""
