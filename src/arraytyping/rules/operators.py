"""Rules of the family: operators."""
