"""Models while observations arrive: online fitting, drift, segments."""
