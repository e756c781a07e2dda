"""From source files to canonical IR.

`front_end` says what a front end is and `registry` lists them; `compile` links their modules and
brings them into canonical form. The other modules rewrite IR (of C++ containers, OpenMP regions,
Rust and Fortran loops) into the shape that clang gives a plain C loop.
"""
