"""Activation functions, elementwise.

Source: https://docs.jax.dev/en/latest/jax.nn.html; for the derivative of `relu` at 0, D. Bertoin and others,
"Numerical influence of ReLU'(0) on backpropagation" (NeurIPS 2021).
"""

from __future__ import annotations

from typing import Any, Final

from arraytyping.nn.operations import OPERATIONS, composed
from arraytyping.numpy.bitwise import bitwise_and
from arraytyping.numpy.choosing import where
from arraytyping.numpy.comparing import greater, less
from arraytyping.runtime.transformations.custom_rules import custom_jvp
from arraytyping.semantics.rules import nn_activations as definitions

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

relu: Final = composed("nn.relu", "x", body=_relu)
relu6: Final = composed("nn.relu6", "x", body=_relu6)
identity: Final = composed("nn.identity", "x")
sigmoid: Final = composed("nn.sigmoid", "x")
softplus: Final = composed("nn.softplus", "x")
log_sigmoid: Final = composed("nn.log_sigmoid", "x")
soft_sign: Final = composed("nn.soft_sign", "x")
silu: Final = composed("nn.silu", "x")
mish: Final = composed("nn.mish", "x")
selu: Final = composed("nn.selu", "x")
hard_tanh: Final = composed("nn.hard_tanh", "x")
hard_sigmoid: Final = composed("nn.hard_sigmoid", "x")
hard_silu: Final = composed("nn.hard_silu", "x")
tanh: Final = composed("nn.tanh", "x")
sparse_plus: Final = composed("nn.sparse_plus", "x")
sparse_sigmoid: Final = composed("nn.sparse_sigmoid", "x")
gelu: Final = composed("nn.gelu", "x")
glu: Final = composed("nn.glu", "x")
elu: Final = composed("nn.elu", "x", "alpha")
celu: Final = composed("nn.celu", "x", "alpha")
leaky_relu: Final = composed("nn.leaky_relu", "x", "negative_slope")
squareplus: Final = composed("nn.squareplus", "x", "b")
swish: Final = silu
hard_swish: Final = hard_silu
