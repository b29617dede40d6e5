"""Int8 quantisation of an MLP: post-training, then quantisation-aware with a straight-through estimator."""

import enum
import functools
import typing

import jax
import jax.numpy as jnp
import numpy as np


class Granularity(enum.Enum):
    PER_TENSOR = "tensor"
    PER_CHANNEL = "channel"


class QTensor(typing.NamedTuple):
    """Symmetric int8 values; `values * scale` approximates the original."""

    values: jax.Array
    scale: jax.Array

    def dequantise(self):
        return self.values.astype(self.scale.dtype) * self.scale

    @property
    def nbytes(self):
        return self.values.size * self.values.dtype.itemsize + self.scale.size * self.scale.dtype.itemsize


def quantise(w, granularity=Granularity.PER_CHANNEL, bits=8):
    axis = None if granularity is Granularity.PER_TENSOR else 0
    q_max = 2 ** (bits - 1) - 1
    scale = jnp.max(jnp.abs(w), axis=axis, keepdims=True) / q_max
    scale = jnp.where(scale == 0, 1.0, scale)
    values = jnp.clip(jnp.round(w / scale), -q_max, q_max).astype(jnp.int8)
    return QTensor(values, scale)


def int8_matmul(x, q):
    """Quantises activations per row and accumulates in int32."""
    x_scale = jnp.maximum(jnp.max(jnp.abs(x), axis=-1, keepdims=True), 1e-8) / 127.0
    x_int = jnp.round(x / x_scale).astype(jnp.int8)
    accumulated = jax.lax.dot_general(x_int, q.values, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32)
    return accumulated.astype(jnp.float32) * x_scale * q.scale


@functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
def fake_quant(x, bits):
    q_max = 2 ** (bits - 1) - 1
    scale = jnp.max(jnp.abs(x)) / q_max
    return jnp.clip(jnp.round(x / scale), -q_max, q_max) * scale


def _fake_quant_fwd(x, bits):
    limit = 0.99 * jnp.max(jnp.abs(x))
    return fake_quant(x, bits), (x, limit)


def _fake_quant_bwd(bits, residuals, g):
    x, limit = residuals
    # Straight through, a little damped where the value is clipped.
    return (jnp.where(jnp.abs(x) <= limit, g, 0.5 * g),)


fake_quant.defvjp(_fake_quant_fwd, _fake_quant_bwd)


def init(rng, sizes):
    return [
        {"w": jnp.asarray(rng.normal(scale=n**-0.5, size=(n, m)), jnp.float32), "b": jnp.zeros(m)}
        for n, m in zip(sizes, sizes[1:])
    ]


def mlp(params, x, matmul=jnp.matmul, weight_fn=lambda w: w):
    for i, layer in enumerate(params):
        x = matmul(x, weight_fn(layer["w"])) + layer["b"]
        if i != len(params) - 1:
            x = jnp.maximum(x, 0)
    return x


@functools.partial(jax.jit, static_argnames="bits")
def sgd(params, x, y, lr, bits=None):
    def loss(params):
        weight_fn = (lambda w: w) if bits is None else (lambda w: fake_quant(w, bits))
        return jnp.mean((mlp(params, x, weight_fn=weight_fn) - y) ** 2)

    value, grads = jax.value_and_grad(loss)(params)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


def target(x):
    return np.sin(3 * x[:, :1]) * x[:, 1:2] + 0.5 * x[:, 2:]


def mse(prediction, y):
    return float(jnp.mean(jnp.square(prediction - y)))


def size_of(tree):
    is_q = lambda node: isinstance(node, QTensor)
    return sum(leaf.nbytes for leaf in jax.tree.leaves(tree, is_leaf=is_q))


rng = np.random.default_rng(0)
x = rng.uniform(-1, 1, size=(256, 3)).astype(np.float32)
y = target(x).astype(np.float32)
params = init(rng, [3, 32, 32, 1])
for epoch in range(60):
    params, loss = sgd(params, x, y, 0.1)
print(f"float32: loss {loss:.4f}, {size_of(params)} bytes")

for granularity in Granularity:
    quantised = [{**layer, "w": quantise(layer["w"], granularity)} for layer in params]
    error = mse(mlp(quantised, x, matmul=int8_matmul), y)
    worst = max(float(jnp.abs(q["w"].dequantise() - p["w"]).max()) for q, p in zip(quantised, params))
    print(f"int8 per {granularity.value}: loss {error:.4f}, {size_of(quantised)} bytes, worst weight error {worst:.4f}")

bits = 3
low = [{**layer, "w": quantise(layer["w"], Granularity.PER_TENSOR, bits)} for layer in params]
post_training = mse(mlp(low, x, weight_fn=QTensor.dequantise), y)
aware = params
for _ in range(30):
    aware, loss = sgd(aware, x, y, 0.05, bits=bits)
print(f"{bits} bits: post-training {post_training:.4f}, quantisation-aware {loss:.4f}")
zeros = [np.mean(np.asarray(layer["w"].values) == 0) for layer in low]
print(f"share of zero weights per layer: {np.round(zeros, 2)}")
