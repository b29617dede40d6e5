"""Rules of the family: indexing."""
