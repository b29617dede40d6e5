"""Functions that make functions: closures, decorators, `partial`, defaults."""

import functools

import jax
import jax.numpy as jnp


def counted(function):
    calls = {"n": 0}

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        calls["n"] += 1
        return function(*args, **kwargs)  # shows a  # shows b

    wrapper.calls = calls
    return wrapper


@counted
def affine(w, b, x, *, scale=1.0):
    return scale * (w @ x + b)


def make_layer(n_in, n_out, bias=None):
    bias = jnp.zeros(n_out) if bias is None else bias
    w = jnp.ones((n_out, n_in))
    return functools.partial(affine, w, bias)  # mistake a: return functools.partial(affine, w) [call]


def compose(*layers):
    def apply(x):
        for layer in layers:
            x = jnp.tanh(layer(x))
        return x

    return apply


net = compose(make_layer(3, 5), make_layer(5, 2, jnp.ones(2)))
x = jnp.arange(3.0)
print(net(x), affine.calls["n"])  # mistake: print(net(x), affine.count) [call]
print(affine(jnp.ones((2, 3)), 0.0, x, scale=2.0))  # mistake b: print(affine(jnp.ones((2, 3)), 0.0, x, gain=2.0)) [call]


def scaled(x, weights=jnp.ones(3)):  # mistake c: def scaled(x, weights=jnp.ones((3, 1, 2))): [array-shape]
    x = x - x.mean()
    return x * weights  # shows c


batch = jnp.ones((4, 3))
scales = [scaled(row) for row in batch]
print(jnp.stack(scales).sum(), jax.vmap(net)(batch).shape)
