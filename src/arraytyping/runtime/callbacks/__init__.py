"""Functions of the program that a compiled program calls: for their results, for their effects, for debugging.

Source: https://docs.jax.dev/en/latest/external-callbacks.html.
"""
