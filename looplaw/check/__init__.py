"""Expected laws in CI: laws.toml, the evidence to check them with, annotations of a pull
request."""
