"""Scripts of the repository: the demo, screenshots, comparisons."""
