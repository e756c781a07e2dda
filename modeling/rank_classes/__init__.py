"""Classes of ranks that behave alike, and a model of each."""
