"""What memory holds: stores that loads see, values at entry, effects of calls, arrays' contents."""
