"""The documents looplaw reads and writes."""
