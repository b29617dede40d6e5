"""Activation functions, elementwise.

Source: https://docs.jax.dev/en/latest/jax.nn.html; for the derivative of `relu` at 0, D. Bertoin and others,
"Numerical influence of ReLU'(0) on backpropagation" (NeurIPS 2021).
"""

from __future__ import annotations

from typing import Any

from arraytyping.nn.operations import OPERATIONS, composed
from arraytyping.numpy.bitwise import bitwise_and
from arraytyping.numpy.choosing import where
from arraytyping.numpy.comparing import greater, less
from arraytyping.rules import nn_activations as definitions
from arraytyping.transformations.custom_rules import custom_jvp

__all__ = [
    "celu", "elu", "gelu", "glu", "hard_sigmoid", "hard_silu", "hard_swish", "hard_tanh", "identity", "leaky_relu",
    "log_sigmoid", "mish", "relu", "relu6", "selu", "sigmoid", "silu", "soft_sign", "softplus", "sparse_plus",
    "sparse_sigmoid", "squareplus", "swish", "tanh",
]  # fmt: skip


@custom_jvp
def _relu(x: Any) -> Any:
    return definitions.relu(OPERATIONS, x)


@custom_jvp
def _relu6(x: Any) -> Any:
    return definitions.relu6(OPERATIONS, x)


# the derivative at a bound is 0, where that of a maximum would be one half
_relu.defjvps(lambda g, ans, x: where(greater(x, 0), g, 0))
_relu6.defjvps(lambda g, ans, x: where(bitwise_and(greater(x, 0), less(x, 6)), g, 0))

relu = composed("nn.relu", "x", body=_relu)
relu6 = composed("nn.relu6", "x", body=_relu6)
identity, sigmoid, softplus, log_sigmoid, soft_sign, silu, mish, selu, hard_tanh, hard_sigmoid, hard_silu, tanh = (
    composed(f"nn.{name}", "x")
    for name in (
        "identity", "sigmoid", "softplus", "log_sigmoid", "soft_sign", "silu", "mish", "selu", "hard_tanh",
        "hard_sigmoid", "hard_silu", "tanh",
    )
)  # fmt: skip
sparse_plus, sparse_sigmoid, gelu, glu = (
    composed(f"nn.{name}", "x") for name in ("sparse_plus", "sparse_sigmoid", "gelu", "glu")
)
elu, celu = (composed(f"nn.{name}", "x", "alpha") for name in ("elu", "celu"))
leaky_relu = composed("nn.leaky_relu", "x", "negative_slope")
squareplus = composed("nn.squareplus", "x", "b")
swish, hard_swish = silu, hard_silu
