"""Measurements: observations, points, series and their statistics, and the checks of input data."""
