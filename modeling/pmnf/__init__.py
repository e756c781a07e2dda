"""The performance model normal form: terms, hypotheses, models, intervals, and the one language of
formulas."""
