"""A bfloat16 network whose annotations say where it must stay bfloat16."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, BFloat16, Float32

EPS = 1e-6  # mistake a: EPS = np.float32(1e-6) [array-annotation] silent
TABLE = np.linspace(0.0, 1.0, 8)


def rms_norm(x, gain):
    variance = jnp.mean(x * x, axis=-1, keepdims=True)
    return x * jax.lax.rsqrt(variance + EPS) * gain


def residual_scale(depth):
    return 1.0 / depth**0.5  # mistake b: return jnp.float32(1.0 / depth**0.5) [array-annotation] silent


def positions(x):
    return x + jnp.asarray(TABLE, x.dtype)  # mistake c: return x + jnp.asarray(TABLE) [array-annotation] silent


def block(params, x: BFloat16[Array, "batch dim"]) -> BFloat16[Array, "batch dim"]:
    h = positions(rms_norm(x, params["gain"]))
    h = jax.nn.silu(h @ params["w1"]) @ params["w2"]
    return x + residual_scale(2) * h  # shows a  # shows b  # shows c


@jax.jit
def loss(params, x) -> Float32[Array, ""]:
    out = block(params, block(params, x))
    return jnp.mean(jnp.square(out.astype(jnp.float32)))  # mistake: return jnp.mean(jnp.square(out)) [array-annotation] silent


params = {"gain": jnp.ones(8), "w1": jnp.ones((8, 16)), "w2": jnp.ones((16, 8))}
params = jax.tree.map(lambda p: p.astype(jnp.bfloat16), params)
print(loss(params, jnp.ones((4, 8), jnp.bfloat16)))
