"""The bits of numbers read as other ones.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.bitcast_convert_type.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive
from arraytyping.runtime.lax.dtype_arguments import canonical_dtype
from arraytyping.runtime.lax.nary import no_tangent
from arraytyping.runtime.lax.structure import moveaxis
from arraytyping.semantics.rules.named import named

__all__ = ["bitcast_convert_type", "bitcast_convert_type_p"]

bitcast_convert_type_p: Final = Primitive("bitcast_convert_type", named("lax.bitcast_convert_type"))
bitcast_convert_type_p.jvp_rule = lambda primals, tangents, **params: no_tangent(
    bitcast_convert_type_p, primals, params
)


def _batch(axis: Any, args: Sequence[Any], dims: Sequence[int], **params: Any) -> tuple[Any, int]:
    """The batch comes first, since elements of another width add or take the last dimension."""
    return bitcast_convert_type_p.bind(moveaxis(args[0], dims[0], 0), **params), 0


bitcast_convert_type_p.batching_rule = _batch


@operation("lax.bitcast_convert_type", "operand", how="inline")
def bitcast_convert_type(operand: Any, new_dtype: Any) -> Any:
    """`jax.lax.bitcast_convert_type`: the bits of the elements as numbers of another dtype."""
    dtype = canonical_dtype(new_dtype, "lax.bitcast_convert_type")
    return bitcast_convert_type_p.bind(operand, new_dtype=dtype)
