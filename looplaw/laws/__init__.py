"""Laws of loops beside counts and models: comparison, annotation, roofline, plans, priors."""
