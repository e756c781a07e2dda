"""How programs scale: speed-up laws, grey-box prediction of parallel time, isoefficiency, ranking
of kernels at a target scale, and requirements against a machine (co-design)."""
