"""Measurements and models as pandas, xarray and Thicket objects."""
