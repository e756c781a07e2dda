"""The search for a model: candidates, their exact fits, and the choice among them."""
