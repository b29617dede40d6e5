"""Rules of the family: reductions."""
