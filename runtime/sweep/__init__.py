"""Many runs over parameter values: schedule, repetition, and a store that survives crashes."""
