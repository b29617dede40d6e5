"""Addition and its kin: the arithmetic that differentiation itself needs.

Source: https://docs.jax.dev/en/latest/jax.lax.html.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from arraytyping.runtime.array_likes import python_scalar
from arraytyping.runtime.calling import operation
from arraytyping.runtime.core import Primitive, TypedScalar
from arraytyping.runtime.lax.nary import elementwise, unbroadcast
from arraytyping.runtime.tracing.tangents import Zero, is_zero
from arraytyping.runtime.tracing.transposing import is_linear
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.operations import OPERATIONS

__all__ = ["add", "add_p", "add_tangents", "constant_like", "div", "div_p", "integer_pow_p", "mul", "mul_p", "neg",
           "neg_p", "square_p", "sub", "sub_p"]  # fmt: skip

neg_p: Primitive = elementwise("neg", lambda g, ans, x: neg_p.bind(g))
neg_p.transpose_rule = lambda ct, x: [neg_p.bind(ct)]

add_p: Primitive = elementwise("add", lambda g, ans, x, y: g, lambda g, ans, x, y: g)
sub_p: Primitive = elementwise("sub", lambda g, ans, x, y: g, lambda g, ans, x, y: neg_p.bind(g))
mul_p: Primitive = elementwise("mul", lambda g, ans, x, y: mul_p.bind(g, y), lambda g, ans, x, y: mul_p.bind(x, g))
div_p: Primitive = elementwise(
    "div",
    lambda g, ans, x, y: div_p.bind(g, y),
    # a power, and no quotient of squares: of those every further derivative squares the denominator, and overflows
    lambda g, ans, x, y: mul_p.bind(mul_p.bind(neg_p.bind(g), x), integer_pow_p.bind(y, y=-2)),
)


def _integer_pow_tangent(g: Any, ans: Any, x: Any, *, y: int) -> Any:
    if y == 0:
        return Zero(ans.aval)
    if y == 1:
        return g
    return mul_p.bind(g, mul_p.bind(constant_like(x, y), x if y == 2 else integer_pow_p.bind(x, y=y - 1)))


integer_pow_p: Primitive = elementwise("integer_pow", _integer_pow_tangent)
square_p: Primitive = elementwise("square", lambda g, ans, x: mul_p.bind(g, mul_p.bind(constant_like(x, 2), x)))


def constant_like(x: Any, value: float, *, weak_type: bool | None = None) -> TypedScalar:
    """A constant of the dtype of an array, as weak as it: so a derivative is as weak as what is differentiated."""
    return _constant(repr(value), value, x.aval.dtype, bool(x.aval.weak_type if weak_type is None else weak_type))


@lru_cache(maxsize=4096)
def _constant(text: str, value: float, dtype: str, weak_type: bool) -> TypedScalar:
    """The constant; `text` tells apart what is equal: 0.0 and -0.0, 1 and True."""
    return TypedScalar(python_scalar(value, dtype), ShapedArray((), dtype, weak_type))


def _transpose_add(ct: Any, x: Any, y: Any) -> list[Any]:
    return [unbroadcast(ct, v.aval) if is_linear(v) else None for v in (x, y)]


def _transpose_sub(ct: Any, x: Any, y: Any) -> list[Any]:
    return [
        unbroadcast(ct, x.aval) if is_linear(x) else None,
        unbroadcast(neg_p.bind(ct), y.aval) if is_linear(y) else None,
    ]


def _transpose_mul(ct: Any, x: Any, y: Any, **params: Any) -> list[Any]:
    if is_linear(x):
        return [unbroadcast(mul_p.bind(ct, y, **params), x.aval), None]
    return [None, unbroadcast(mul_p.bind(x, ct, **params), y.aval)]


def _transpose_div(ct: Any, x: Any, y: Any) -> list[Any]:
    return [unbroadcast(div_p.bind(ct, y), x.aval), None]


OPERATIONS.add = add_p.bind
add_p.transpose_rule = _transpose_add
sub_p.transpose_rule = _transpose_sub
mul_p.transpose_rule = _transpose_mul
div_p.transpose_rule = _transpose_div


def add_tangents(a: Any, b: Any) -> Any:
    """The sum of two tangents, of which each may be a symbolic zero."""
    if is_zero(a):
        return b
    return a if is_zero(b) else add_p.bind(a, b)


@operation("lax.neg", "x", how="inline")
def neg(x: Any) -> Any:
    """`jax.lax.neg`: the negative of every element."""
    return neg_p.bind(x)


@operation("lax.add", "x", "y", how="inline")
def add(x: Any, y: Any) -> Any:
    """`jax.lax.add`: elementwise sum, of operands of one dtype."""
    return add_p.bind(x, y)


@operation("lax.sub", "x", "y", how="inline")
def sub(x: Any, y: Any) -> Any:
    """`jax.lax.sub`: elementwise difference, of operands of one dtype."""
    return sub_p.bind(x, y)


@operation("lax.mul", "x", "y", how="inline")
def mul(x: Any, y: Any) -> Any:
    """`jax.lax.mul`: elementwise product, of operands of one dtype."""
    return mul_p.bind(x, y)


@operation("lax.div", "x", "y", how="inline")
def div(x: Any, y: Any) -> Any:
    """`jax.lax.div`: elementwise quotient, of operands of one dtype; of integers rounded towards zero."""
    return div_p.bind(x, y)
