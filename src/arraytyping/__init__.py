"""arraytyping: static type checking and typing for JAX-style arrays."""

__version__ = "0.1.0"
