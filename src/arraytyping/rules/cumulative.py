"""Rules of the family: cumulative."""
