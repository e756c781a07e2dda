"""The hot pass of the fitter in C, compiled where there is a compiler; numpy does the same."""
