"""Sweeps as Slurm job arrays."""
