"""Activation functions of `jax.nn`, composed of functions of `jax.numpy`.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/nn/functions.py, which says what they are composed of, and so
which dtype and weak type they give.
"""

from __future__ import annotations

import math
from typing import Any

from arraytyping.semantics.avals import UNKNOWN
from arraytyping.semantics.rules.compositions import Operations, composition

__all__: list[str] = []


@composition("nn.identity")
def identity(ops: Operations, x: Any) -> Any:
    """`jax.nn.identity`: the argument."""
    return ops("numpy.positive", ops.array(x, "identity"))


@composition("nn.relu")
def relu(ops: Operations, x: Any) -> Any:
    """`jax.nn.relu`: x where it is positive, else 0; its derivative at 0 is 0."""
    return ops("numpy.maximum", x, 0)


@composition("nn.relu6")
def relu6(ops: Operations, x: Any) -> Any:
    """`jax.nn.relu6`: x between 0 and 6, brought to these bounds outside."""
    return ops("numpy.minimum", ops("numpy.maximum", x, 0), 6.0)


@composition("nn.sigmoid")
def sigmoid(ops: Operations, x: Any) -> Any:
    """`jax.nn.sigmoid`: 1 / (1 + exp(-x))."""
    return ops("lax.logistic", x)


@composition("nn.silu", "nn.swish")
def silu(ops: Operations, x: Any) -> Any:
    """`jax.nn.silu`: x times its sigmoid."""
    x = ops.array(x, "silu")
    return ops("numpy.multiply", x, sigmoid(ops, x))


@composition("nn.softplus")
def softplus(ops: Operations, x: Any) -> Any:
    """`jax.nn.softplus`: log(1 + exp(x))."""
    return ops("numpy.logaddexp", x, 0)


@composition("nn.log_sigmoid")
def log_sigmoid(ops: Operations, x: Any) -> Any:
    """`jax.nn.log_sigmoid`: the logarithm of the sigmoid."""
    x = ops.array(x, "log_sigmoid")
    return ops("numpy.negative", softplus(ops, ops("numpy.negative", x)))


@composition("nn.mish")
def mish(ops: Operations, x: Any) -> Any:
    """`jax.nn.mish`: x tanh(softplus(x))."""
    x = ops.array(x, "mish")
    return ops("numpy.multiply", x, ops("numpy.tanh", softplus(ops, x)))


@composition("nn.soft_sign")
def soft_sign(ops: Operations, x: Any) -> Any:
    """`jax.nn.soft_sign`: x / (1 + abs(x))."""
    x = ops.array(x, "soft_sign")
    return ops("numpy.true_divide", x, ops("numpy.add", ops("numpy.abs", x), 1))


@composition("nn.squareplus")
def squareplus(ops: Operations, x: Any, b: Any = 4) -> Any:
    """`jax.nn.squareplus`: (x + sqrt(x ** 2 + b)) / 2."""
    x, b = ops.array(x, "squareplus"), ops.array(b, "squareplus")
    root = ops("numpy.sqrt", ops("numpy.add", ops("numpy.square", x), b))
    return ops("numpy.true_divide", ops("numpy.add", x, root), 2)


@composition("nn.elu")
def elu(ops: Operations, x: Any, alpha: Any = 1.0) -> Any:
    """`jax.nn.elu`: x where it is positive, else alpha (exp(x) - 1)."""
    x = ops.array(x, "elu")
    positive = ops("numpy.greater", x, 0)
    below = ops("numpy.expm1", ops("numpy.where", positive, 0.0, x))
    return ops("numpy.where", positive, x, ops("numpy.multiply", alpha, below))


@composition("nn.selu")
def selu(ops: Operations, x: Any) -> Any:
    """`jax.nn.selu`: the elu scaled so that means and variances are kept."""
    alpha, scale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
    return ops("numpy.multiply", scale, elu(ops, x, alpha))


@composition("nn.celu")
def celu(ops: Operations, x: Any, alpha: Any = 1.0) -> Any:
    """`jax.nn.celu`: x where it is positive, else alpha (exp(x / alpha) - 1)."""
    below = ops("numpy.expm1", ops("numpy.true_divide", ops("numpy.minimum", x, 0.0), alpha))
    return ops("numpy.add", ops("numpy.maximum", x, 0.0), ops("numpy.multiply", alpha, below))


@composition("nn.leaky_relu")
def leaky_relu(ops: Operations, x: Any, negative_slope: Any = 1e-2) -> Any:
    """`jax.nn.leaky_relu`: x where it is positive, else a small part of it."""
    x = ops.array(x, "leaky_relu")
    return ops("numpy.where", ops("numpy.greater_equal", x, 0), x, ops("numpy.multiply", negative_slope, x))


@composition("nn.hard_tanh")
def hard_tanh(ops: Operations, x: Any) -> Any:
    """`jax.nn.hard_tanh`: x between -1 and 1, brought to these bounds outside."""
    x = ops.array(x, "hard_tanh")
    below = ops("numpy.where", ops("numpy.less", x, -1), -1, x)
    return ops("numpy.where", ops("numpy.greater", x, 1), 1, below)


@composition("nn.hard_sigmoid")
def hard_sigmoid(ops: Operations, x: Any) -> Any:
    """`jax.nn.hard_sigmoid`: relu6(x + 3) / 6."""
    return ops("numpy.true_divide", ops("nn.relu6", ops("numpy.add", x, 3.0)), 6.0)


@composition("nn.hard_silu", "nn.hard_swish")
def hard_silu(ops: Operations, x: Any) -> Any:
    """`jax.nn.hard_silu`: x times its hard sigmoid."""
    x = ops.array(x, "hard_silu")
    return ops("numpy.multiply", x, hard_sigmoid(ops, x))


@composition("nn.sparse_plus")
def sparse_plus(ops: Operations, x: Any) -> Any:
    """`jax.nn.sparse_plus`: 0 below -1, x above 1, (x + 1) ** 2 / 4 between."""
    x = ops.array(x, "sparse_plus")
    square = ops("numpy.power", ops("numpy.add", x, 1.0), 2)
    between = ops("numpy.where", ops("numpy.greater_equal", x, 1.0), x, ops("numpy.true_divide", square, 4))
    return ops("numpy.where", ops("numpy.less_equal", x, -1.0), 0.0, between)


@composition("nn.sparse_sigmoid")
def sparse_sigmoid(ops: Operations, x: Any) -> Any:
    """`jax.nn.sparse_sigmoid`: 0 below -1, 1 above 1, (x + 1) / 2 between."""
    return ops("numpy.multiply", 0.5, ops("numpy.clip", ops("numpy.add", x, 1.0), 0.0, 2.0))


@composition("nn.tanh")
def tanh(ops: Operations, x: Any, /) -> Any:
    """`jax.nn.tanh`: `jax.numpy.tanh`."""
    return ops("numpy.tanh", x)


@composition("nn.gelu")
def gelu(ops: Operations, x: Any, approximate: Any = True) -> Any:
    """`jax.nn.gelu`: x times the normal distribution function of x, approximated by a tanh or exact."""
    (x,) = ops.inexact("gelu", x)

    def by_tanh() -> Any:
        cubic = ops("numpy.add", x, ops("numpy.multiply", 0.044715, ops("numpy.power", x, 3)))
        bent = ops("numpy.tanh", ops("numpy.multiply", ops.constant_like(x, math.sqrt(2 / math.pi)), cubic))
        return ops("numpy.multiply", x, ops("numpy.multiply", 0.5, ops("numpy.add", 1.0, bent)))

    def exact() -> Any:
        scaled = ops("numpy.multiply", ops("numpy.negative", x), ops.constant_like(x, math.sqrt(0.5)))
        half = ops("numpy.multiply", 0.5, x)
        return ops("numpy.astype", ops("numpy.multiply", half, ops("lax.erfc", scaled)), ops.dtype(x))

    return ops.choose(approximate, by_tanh, exact)


@composition("nn.glu")
def glu(ops: Operations, x: Any, axis: Any = -1) -> Any:
    """`jax.nn.glu`: one half along an axis times the sigmoid of the other."""
    x = ops.array(x, "glu")
    halves = ops("numpy.split", x, 2, axis)
    if not isinstance(halves, tuple | list):
        return UNKNOWN
    return ops("numpy.multiply", halves[0], sigmoid(ops, halves[1]))
