"""Runs: the interpreter with all of its rooms, and what happens between a path and its mistakes and claims."""
