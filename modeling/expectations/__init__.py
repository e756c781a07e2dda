"""Expected laws held against measurements."""
