"""Jaxprs: programs of primitives, as data."""
