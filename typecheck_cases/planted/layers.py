"""Layers as plain classes: inheritance, properties, `match`, and a registry."""

import jax
import jax.numpy as jnp


class Layer:
    registry = {}

    def __init_subclass__(cls):
        Layer.registry[cls.__name__.lower()] = cls

    @property
    def parameters(self):
        return {}

    def __call__(self, x):
        return self.forward(x)  # mistake: return self.forward(x, True) [call]


class Dense(Layer):
    def __init__(self, n_in, n_out):
        self.w = jnp.full((n_in, n_out), 0.1)

    @property
    def parameters(self):
        return {"w": self.w}

    def forward(self, x):
        return x @ self.w  # shows a  # shows b


class Norm(Layer):
    axis = -1  # mistake c: axis = 3 [array-dim]

    def forward(self, x):
        return (x - x.mean(axis=self.axis, keepdims=True)) / (x.std(axis=self.axis, keepdims=True) + 1e-6)  # shows c


class Flatten(Layer):
    def forward(self, x):
        return x.reshape(len(x), -1)


def build(specs):
    for spec in specs:
        match spec:
            case ("dense", int(n), int(m)):
                yield Dense(n, m)
            case (str(name),):
                yield Layer.registry[name]()
            case _:
                raise ValueError(spec)


layers = list(build([("flatten",), ("dense", 12, 5), ("norm",), ("dense", 5, 1)]))  # mistake a: layers = list(build([("dense", 12, 5), ("flatten",), ("norm",), ("dense", 5, 1)])) [array-shape]
x = jnp.arange(24.0).reshape(2, 3, 4)
for layer in layers:
    x = layer(x)
print(x.shape, sum(p.size for layer in layers for p in layer.parameters.values()))
first, *rest = layers[1:]
print(first(jnp.ones((2, 12))).shape)  # mistake b: print(first(jnp.ones((12, 2))).shape) [array-shape]
