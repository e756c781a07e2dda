"""The study: analyse, instrument, run, fit, compare."""
