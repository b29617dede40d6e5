"""The exceptions of the runtime that Python has no class for, under JAX's names.

Source: https://docs.jax.dev/en/latest/errors.html.
"""

from __future__ import annotations

__all__ = [
    "ConcretizationTypeError",
    "JaxprTypeError",
    "NonConcreteBooleanIndexError",
    "ShardingTypeError",
    "TracerArrayConversionError",
    "TracerBoolConversionError",
    "TracerIntegerConversionError",
    "UnexpectedTracerError",
]


class ConcretizationTypeError(TypeError):
    """A value that is only known when the program runs is needed while it is traced."""


class TracerBoolConversionError(ConcretizationTypeError):
    """The truth value of a tracer was asked for, by `if`, `while`, `and`, `or`, `not` or `bool`."""


class TracerArrayConversionError(TypeError):
    """A NumPy array of a tracer was asked for."""


class TracerIntegerConversionError(TypeError):
    """A Python integer of a tracer was asked for, for example as an index of a list."""


class NonConcreteBooleanIndexError(IndexError):
    """An array was indexed with a mask that is traced: the shape of the result would depend on data."""


class UnexpectedTracerError(Exception):
    """A tracer is used after the function that it belongs to was transformed."""


class JaxprTypeError(TypeError):
    """A jaxpr does not follow the typing rules."""


class ShardingTypeError(Exception):
    """Arrays whose types say how they are cut over a mesh do not go together, or a result would be cut in no way."""
