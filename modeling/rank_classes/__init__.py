"""Classes of ranks that behave alike, and a model of each (Calotoiu et al., "Empirical Modeling of
Spatially Diverging Performance")."""
