"""What all packages of looplaw share and none of them owns: errors for users, and files replaced
whole. It imports none of the others."""
