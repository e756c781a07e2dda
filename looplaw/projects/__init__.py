"""Whole projects: the files of a compilation database compiled side by side, linked by name, and
analysed from main or from every exported function; analyses kept by the content of their IR."""
