"""OpenMP as a serial program that runs as often as the team does; the sizes of teams as libomp has
them."""
