"""Rules of the family: random bits of XLA's own generators.

Source: `rng_bit_generator` of https://github.com/jax-ml/jax/blob/main/jax/_src/lax/lax.py.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.errors import DtypeError
from arraytyping.semantics.rules.operands import as_operand, requested_dtype
from arraytyping.semantics.rules.static_arguments import as_shape, non_negative
from arraytyping.semantics.rules.table import rule

_GENERATED: Final = ("uint8", "uint16", "uint32", "uint64")


@rule("lax.rng_bit_generator")
def rng_bit_generator(
    cx: Context, key: Any, shape: Any, dtype: Any = "uint32", algorithm: Any = 0, *, out_sharding: Any = None
) -> Any:
    """`jax.lax.rng_bit_generator`: the next state, of the type of the key, and bits of a shape and dtype."""
    operation = "lax.rng_bit_generator"
    state = as_operand(cx, key, operation)
    target = non_negative(operation, as_shape(operation, shape))
    if dtype is None:
        raise DtypeError(f"{operation}: a dtype must be given; give uint32, for example", ValueError)
    chosen = requested_dtype(cx, dtype, operation)
    if chosen is not None and chosen not in _GENERATED:
        raise DtypeError(
            f"{operation}: unsupported dtype {chosen}; bits are generated as uint8, uint16, uint32 or uint64"
        )
    return replace(state, value=None), ShapedArray(target, chosen, False)
