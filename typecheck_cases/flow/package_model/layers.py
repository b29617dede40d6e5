"""Layers over (batch, time, dim) arrays; each has `init(key)` and `__call__(params, x, mask)`."""

import jax
import jax.numpy as jnp

from .registry import LAYERS

ACTIVATIONS = {"gelu": jax.nn.gelu, "relu": jax.nn.relu, "tanh": jnp.tanh}


def scaled_normal(key, shape, fan_in=None):
    return jax.random.normal(key, shape) / (fan_in or shape[-2]) ** 0.5


class Layer:
    def __init__(self, dim, activation="gelu"):
        self.dim = dim
        self.activation = ACTIVATIONS[activation]

    def init(self, key):
        raise NotImplementedError

    def __call__(self, params, x, mask):
        raise NotImplementedError

    def __repr__(self):
        return f"{type(self).__name__}({self.dim})"


@LAYERS.register()
class Conv(Layer):
    def __init__(self, *args, width=3, **kwargs):
        super().__init__(*args, **kwargs)
        self.width = width

    def init(self, key):
        return {"kernel": scaled_normal(key, (self.width, self.dim, self.dim), self.width * self.dim)}

    def __call__(self, params, x, mask):
        x = x * mask[..., None]
        y = jax.lax.conv_general_dilated(x, params["kernel"], (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"))
        return self.activation(y)


@LAYERS.register("gru")
class GatedRecurrent(Layer):
    def init(self, key):
        k_in, k_rec = jax.random.split(key)
        return {
            "input": scaled_normal(k_in, (self.dim, 3 * self.dim)),
            "recurrent": scaled_normal(k_rec, (self.dim, 3 * self.dim)),
            "bias": jnp.zeros((3 * self.dim,)),
        }

    def cell(self, params, h, inputs):
        x, alive = inputs
        xr, xz, xn = jnp.split(x, 3, axis=-1)
        hr, hz, hn = jnp.split(h @ params["recurrent"], 3, axis=-1)
        r, z = jax.nn.sigmoid(xr + hr), jax.nn.sigmoid(xz + hz)
        n = jnp.tanh(xn + r * hn)
        h = jnp.where(alive[:, None], (1 - z) * n + z * h, h)
        return h, h

    def __call__(self, params, x, mask):
        projected = x @ params["input"] + params["bias"]
        h0 = jnp.zeros((x.shape[0], self.dim), x.dtype)
        time_major = jnp.moveaxis(projected, 1, 0), mask.T
        _, hs = jax.lax.scan(lambda h, inputs: self.cell(params, h, inputs), h0, time_major)
        return jnp.moveaxis(hs, 0, 1)


@LAYERS.register("mlp")
class Feedforward(Layer):
    def __init__(self, dim, activation="gelu", expand=4):
        super().__init__(dim, activation)
        self.expand = expand

    def init(self, key):
        up, down = jax.random.split(key)
        inner = self.expand * self.dim
        return {"up": scaled_normal(up, (self.dim, inner)), "down": scaled_normal(down, (inner, self.dim))}

    def __call__(self, params, x, mask):
        return self.activation(x @ params["up"]) @ params["down"]


class Tagger:
    """An embedding, residual layers chosen by name, and a projection to tags."""

    def __init__(self, config, n_symbols, n_tags):
        self.config = config
        self.n_symbols, self.n_tags = n_symbols, n_tags
        self.layers = [
            LAYERS.build(name, config.dim, activation=config.activation, **config.options.get(name, {}))
            for name in config.layers
        ]

    def init(self, key):
        k_embed, k_out, *k_layers = jax.random.split(key, 2 + len(self.layers))
        return {
            "embed": scaled_normal(k_embed, (self.n_symbols, self.config.dim), 1),
            "layers": [layer.init(k) for layer, k in zip(self.layers, k_layers)],
            "out": scaled_normal(k_out, (self.config.dim, self.n_tags)),
        }

    def __call__(self, params, tokens, mask, key=None):
        x = params["embed"][tokens]
        for i, (layer, p) in enumerate(zip(self.layers, params["layers"])):
            y = layer(p, x, mask)
            if key is not None and self.config.dropout > 0:
                keep = 1.0 - self.config.dropout
                y = y * jax.random.bernoulli(jax.random.fold_in(key, i), keep, y.shape) / keep
            x = x + y
        return x @ params["out"]
