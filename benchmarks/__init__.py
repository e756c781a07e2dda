"""Reproducible measurements of speed, overhead and accuracy: `python -m benchmarks.bench_NAME`."""
