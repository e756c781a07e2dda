"""pandas and xarray at the border: tables and arrays from and to columns of numbers.

The room knows neither measurements nor models, so that both can use it; pandas and xarray are
imported only when a function here needs them.
"""
