"""Rules of the family: creation."""
