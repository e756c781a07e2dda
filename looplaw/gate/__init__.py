"""The gate: the laws of two versions of a program compared, without running either.

`versions` reads a version (files, a folder, IR, a saved analysis; `revisions` those of git, `flags`
how they are compiled), `slices`, `cursors` and `shapes` say what functions walk, `program` turns
it into the laws of its functions, `matching` pairs functions and symbols of the two, `growth`
decides which of two laws grows faster, `findings` says what changed and `reports` writes that down.
"""
