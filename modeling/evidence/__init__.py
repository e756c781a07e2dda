"""Bayesian evidence of hypotheses: noise, its shape, posterior weights, goodness of fit."""
