"""Measurements: observations, points, series, their statistics and the checks at the door."""
