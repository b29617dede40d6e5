"""Shapes of results, from shapes of operands and static arguments: each known once, for every dialect that asks.

A shape is a tuple of sizes, each of which may be unknown or symbolic, or None where the rank is unknown; so may static
arguments be `UNKNOWN`.  Nothing here knows dtypes.  What is refused here, jax.numpy and NumPy both refuse: the rules
refuse beforehand what JAX alone does, with the class of its exception, and flow's engine of NumPy names NumPy's.
"""
