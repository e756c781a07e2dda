"""The entry: measurements in, models out; also as a scikit-learn estimator."""
