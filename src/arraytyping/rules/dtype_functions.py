"""Rules of the family: dtype_functions."""
