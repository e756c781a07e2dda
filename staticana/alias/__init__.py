"""What may touch the same memory: locations, escape, mod/ref of calls, and the call graph that they
rest on."""
