"""Sources to canonical IR: one front end a language, and the rewrites that give their output one
shape."""
