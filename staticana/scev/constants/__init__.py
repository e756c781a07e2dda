"""What constants decide, whatever data do: it is run."""
