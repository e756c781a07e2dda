"""Models of measurements over commits: kept in a file of JSON lines, searched for change points,
drawn in one page."""
