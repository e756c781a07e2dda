"""What arithmetic yields, of whole numbers and of floating-point ones, and whether integers fit."""
