"""What `looplaw fit`, `clusters`, `compare` and `scaling` share: ways to fit, one module each."""
