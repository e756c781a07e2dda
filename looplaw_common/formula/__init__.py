"""The one language of formulas: read, written, evaluated, and how they grow"""

from .formula import Formula, FormulaError, parse_formula

__all__ = ["Formula", "FormulaError", "parse_formula"]
