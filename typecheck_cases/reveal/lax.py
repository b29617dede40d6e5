"""The functions of `jax.lax`, which promote nothing, by what they claim and what they give."""

from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
from jax import lax
from jax.lax import dot_general

if not TYPE_CHECKING:
    from builtins import reveal_type

x = jnp.zeros((2, 3), jnp.float32)
h = jnp.zeros((2, 3), "bfloat16")
i = jnp.zeros((3,), "int8")
w = jnp.asarray(2.5)


def unannotated(y: Any) -> Any:
    return y


reveal_type(lax.add(x, x))  # R: Array[float32, tuple[Literal[2], Literal[3]]]
reveal_type(lax.mul(h, jnp.ones((2, 1), "bfloat16")))  # R: Array[bfloat16, tuple[Literal[2], Literal[3]]]
reveal_type(lax.mul(x, 2.0))  # R: Array[float32, tuple[Literal[2], Literal[3]]]
reveal_type(lax.add(w, 1.0))  # R: Array[float, tuple[()]]
reveal_type(lax.add(unannotated(x), x))  # R: Array[float32, tuple[Literal[2], Literal[3]]]
reveal_type(lax.lt(i, i))  # R: Array[bool_, tuple[Literal[3]]]
reveal_type(lax.rsqrt(h))  # R: Array[bfloat16, tuple[Literal[2], Literal[3]]]
reveal_type(lax.complex(x, x))  # R: Array[complex64, tuple[Literal[2], Literal[3]]]
reveal_type(lax.is_finite(x))  # R: Array[bool_, tuple[Literal[2], Literal[3]]]
reveal_type(lax.erf_inv(x))  # R: Array[float32, tuple[Literal[2], Literal[3]]]
reveal_type(lax.clamp(0.0, x, 1.0))  # R: Array[float32, tuple[Literal[2], Literal[3]]]
reveal_type(lax.select(x > 0, x, x))  # R: Array[float32, tuple[Literal[2], Literal[3]]]
reveal_type(lax.stop_gradient(h))  # R: Array[bfloat16, tuple[Literal[2], Literal[3]]]
reveal_type(lax.convert_element_type(x, jnp.int16))  # R: Array[int16, tuple[Literal[2], Literal[3]]]
reveal_type(lax.bitcast_convert_type(x, jnp.uint8))  # R: Array[uint8, tuple[Literal[2], Literal[3], Literal[4]]]
reveal_type(lax.reduce_max(h, (1,)))  # R: Array[bfloat16, tuple[Literal[2]]]
reveal_type(lax.argmax(x, 0, jnp.int32))  # R: Array[int32, tuple[Literal[3]]]
reveal_type(lax.cumsum(i, axis=0))  # R: Array[int8, tuple[Literal[3]]]
reveal_type(lax.sort(x, dimension=0))  # R: Array[float32, tuple[Literal[2], Literal[3]]]
reveal_type(lax.top_k(x, 2)[1])  # R: Array[int32, tuple[Literal[2], Literal[2]]]
reveal_type(lax.full((2, 2), 7, jnp.uint8))  # R: Array[uint8, tuple[Literal[2], Literal[2]]]
reveal_type(lax.full_like(h, 0))  # R: Array[bfloat16, tuple[Literal[2], Literal[3]]]
reveal_type(lax.iota(jnp.int16, 4))  # R: Array[int16, tuple[Literal[4]]]
reveal_type(lax.broadcasted_iota(jnp.int32, (2, 5), 1))  # R: Array[int32, tuple[Literal[2], Literal[5]]]
reveal_type(dot_general(x, h, (((1,), (1,)), ((), ()))))  # R: Array[float32, tuple[Literal[2], Literal[2]]]
reveal_type(lax.batch_matmul(x, x.T))  # R: Array[float32, tuple[Literal[2], Literal[2]]]

images, kernel = jnp.zeros((8, 28, 28, 1)), jnp.zeros((3, 3, 1, 16))
same = lax.conv_general_dilated(images, kernel, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
reveal_type(same)  # R: Array[float32, tuple[Literal[8], Literal[14], Literal[14], Literal[16]]]
