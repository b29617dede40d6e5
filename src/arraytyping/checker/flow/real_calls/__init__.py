"""Which functions are called for real, with which objects, and what that may cost at most."""
