"""How often the blocks and loops of a function run in one call."""
