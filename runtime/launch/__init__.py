"""One run of a program: its environment, processes, ranks and hardware counters."""
