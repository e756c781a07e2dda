"""The performance model normal form: terms, hypotheses, models and intervals; laws compared"""
