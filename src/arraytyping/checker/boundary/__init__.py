"""Boundary: what came into a program from where flow cannot follow, as a run has shown it, and the file that keeps it.

Kept are structures, dtypes and sizes, never values.
"""
