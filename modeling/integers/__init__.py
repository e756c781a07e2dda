"""Exact formulas of counts: an integer series is explained without a fit, or not at all."""
