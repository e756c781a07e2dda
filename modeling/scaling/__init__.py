"""Speed-up, grey-box prediction of parallel time, isoefficiency, co-design."""
