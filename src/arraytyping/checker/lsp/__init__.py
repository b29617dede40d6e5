"""The language server: what flow knows of a program, while it is written."""
