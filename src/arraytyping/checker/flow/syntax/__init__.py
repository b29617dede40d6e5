"""Expressions and statements of the program's syntax tree, each kind by a function of its own."""
