"""Elements rounded to fewer bits.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.reduce_precision.html.
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.structure import linear_unary
from arraytyping.semantics.rules.named import named

__all__ = ["reduce_precision", "reduce_precision_p"]

reduce_precision_p: Final = Primitive("reduce_precision", named("lax.reduce_precision"))
linear_unary(reduce_precision_p)
reduce_precision_p.transpose_rule = lambda ct, x, **params: [reduce_precision_p.bind(ct, **params)]
reduce_precision_p.batching_rule = lambda axis, args, dims, **params: (
    reduce_precision_p.bind(*args, **params),
    dims[0],
)


@operation("lax.reduce_precision", "operand", how="inline")
def reduce_precision(operand: Any, exponent_bits: int, mantissa_bits: int) -> Any:
    """`jax.lax.reduce_precision`: elements rounded to what a float of so many bits holds."""
    return reduce_precision_p.bind(operand, exponent_bits=int(exponent_bits), mantissa_bits=int(mantissa_bits))
