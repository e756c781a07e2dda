"""What all packages of looplaw share and none of them owns: errors for users, files replaced
whole, and the language of formulas. It imports none of the others."""
