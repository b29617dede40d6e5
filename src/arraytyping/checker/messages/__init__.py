"""How what was found is told: a message, the formats in which it is written, and which messages are left out."""
