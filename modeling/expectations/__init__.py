"""Expected laws, and the tests of whether measurements and formulas keep them."""
