"""Symbolic sizes: what is computed of sizes that are known by name only.

Source: shape polymorphism as in https://docs.jax.dev/en/latest/export/shape_poly.html, of which this is a small part.
"""
