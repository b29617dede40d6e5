"""Conversion to another dtype.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.convert_element_type.html.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arraytyping.runtime.core import Primitive
from arraytyping.runtime.tracing.tangents import Zero, has_tangent, is_zero
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.operations import OPERATIONS

__all__ = ["convert_element_type_p"]


def _rule(cx: Any, x: ShapedArray, *, new_dtype: str, weak_type: bool) -> ShapedArray:
    return ShapedArray(x.shape, new_dtype, weak_type)


convert_element_type_p: Final = Primitive("convert_element_type", _rule)


def _jvp(primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> tuple[Any, Any]:
    result = convert_element_type_p.bind(*primals, **params)
    (tangent,) = tangents
    if is_zero(tangent) or not has_tangent(result.aval):
        return result, Zero(result.aval)
    return result, convert_element_type_p.bind(tangent, **params)


def _transpose(ct: Any, x: Any, *, new_dtype: str, weak_type: bool) -> list[Any]:
    return [convert_element_type_p.bind(ct, new_dtype=x.aval.dtype, weak_type=x.aval.weak_type)]


def _batch(axis: Any, args: Sequence[Any], dims: Sequence[Any], **params: Any) -> tuple[Any, Any]:
    return convert_element_type_p.bind(*args, **params), dims[0]


OPERATIONS.convert = convert_element_type_p.bind
convert_element_type_p.jvp_rule = _jvp
convert_element_type_p.transpose_rule = _transpose
convert_element_type_p.batching_rule = _batch
