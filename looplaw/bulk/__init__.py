"""Modeling of more series than fit into memory: measurements in Parquet, partition by partition,
here or through Dask."""
