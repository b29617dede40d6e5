"""Rules of the family: contractions."""
