"""Rules of the family: structural."""
