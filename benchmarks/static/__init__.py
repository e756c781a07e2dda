"""The parts of bench_static: workers, the measurement of one program, its tables."""
