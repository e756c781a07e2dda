"""Laws held in CI: evidence, laws.toml, annotations of a pull request."""
