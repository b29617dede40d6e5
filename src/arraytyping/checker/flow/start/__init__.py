"""Runs: the interpreter with all of its parts, and what happens between a path and its mistakes and claims."""
