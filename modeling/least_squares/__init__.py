"""Batched least squares: many small systems solved together."""
