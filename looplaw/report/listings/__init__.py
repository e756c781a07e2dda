"""Sources beside the laws of their loops, as text and as a page."""
