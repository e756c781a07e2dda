"""IR as text: new instructions, edits in functions, their first lines and debug information."""
