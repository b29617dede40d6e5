"""Flow: an abstract interpreter of whole programs, which knows arrays in code that carries no annotation.

It reads the source of a program, never imports or runs it, and follows it from its entry points with abstract values.
"""
