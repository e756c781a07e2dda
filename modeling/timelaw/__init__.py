"""Models of time that know the counts of loops and the costs of a machine's memory."""
