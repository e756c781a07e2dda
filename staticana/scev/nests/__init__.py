"""Nests of loops as transition systems, for ranking arguments."""
