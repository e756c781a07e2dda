"""The machine as programs feel it: caches as they behave, cost of a line and of a random load."""
