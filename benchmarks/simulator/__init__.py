"""A seeded LogGP-style parallel machine; only tests and benchmarks use it."""
