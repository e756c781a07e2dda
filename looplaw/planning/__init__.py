"""What to run before anything is measured: parameters, sizes that show each cache, a first study
file."""
