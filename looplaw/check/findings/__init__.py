"""What a study found, as other tools read it: SARIF for code scanning, LLVM remarks for
optimisation viewers."""

from .finding import Finding, findings, hidden_costs
from .remarks import remarks
from .sarif import sarif

__all__ = ["Finding", "findings", "hidden_costs", "remarks", "sarif"]
