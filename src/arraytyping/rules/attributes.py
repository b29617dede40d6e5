"""Rules of the family: attributes."""
