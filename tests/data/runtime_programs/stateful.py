"""Stateful computations: counters, closures, callables, jit of methods, donation, dtype promotion, nested jit."""

import dataclasses
import functools

import jax
import jax.numpy as jnp
import numpy as np

CALLS = []


@jax.jit
def counted(x):
    CALLS.append(x.shape)
    return x * 2


results = [counted(v) for v in (1.0, 2.0, jnp.float32(3), np.float32(4), np.ones(2), jnp.ones(2), [1.0, 2.0][0])]
print(len(CALLS), results[-3:])


class Counter:
    def __init__(self):
        self.n = 0

    def count(self):
        self.n += 1
        return self.n


counter = Counter()
fast = jax.jit(counter.count)
print([int(fast()) for _ in range(3)], counter.n)


@dataclasses.dataclass(frozen=True)
class Model:
    width: int
    scale: float = 2.0

    @functools.partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return jnp.ones(self.width) * x * self.scale


print(Model(3)(1.5), Model(2, 0.5)(1.5))


def make_step(rate):
    @jax.jit
    def inner(w):
        return w - rate * jax.grad(lambda v: jnp.sum(v**2))(w)

    @jax.jit
    def outer(w):
        return inner(inner(w)) + offset

    offset = jnp.arange(2.0)
    return outer


print(make_step(0.1)(jnp.ones(2)), make_step(0.25)(jnp.ones(2)))
donating = jax.jit(lambda s, x: s + x, donate_argnums=0)
state = jnp.zeros(3)
kept = donating(state, 1.0)
print(kept, state.is_deleted())
try:
    print(state + 1)
except (RuntimeError, ValueError):  # which one depends on whether JAX looks before it runs the program
    print("deleted")
matrix = [
    jnp.int8(1) + jnp.uint8(1),
    jnp.float16(1) + jnp.bfloat16(1),
    jnp.int32(1) * 2.5,
    jnp.uint32(1) - 1,
    True + jnp.int16(1),
]
print([str(m.dtype) for m in matrix], [m.weak_type for m in matrix], (jnp.arange(3) / 2).dtype)
for diagnostic in (
    lambda: jnp.ones(3) + jnp.ones(4),
    lambda: jnp.dot(jnp.ones((2, 3)), jnp.ones((2, 3))),
    lambda: jnp.ones(3) + "x",
    lambda: jnp.zeros(3).reshape(2, 2),
    lambda: jax.grad(lambda x: x * jnp.ones(2))(1.0),
    lambda: jax.grad(lambda x: x)(1),
    lambda: jnp.ones(3).__setitem__(0, 1),
    lambda: jax.jit(lambda x: bool(x))(1.0),
    lambda: jnp.sum("abc"),
    lambda: jnp.concatenate([jnp.ones(2), jnp.ones((2, 2))]),
    lambda: jax.vmap(lambda x, y: x)(jnp.ones(2), jnp.ones(3)),
    lambda: hash(jnp.ones(2)),
    lambda: jnp.ones(3)["a"],
):
    try:
        diagnostic()
        print("nothing raised")
    except Exception as error:
        print(next(c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins"))
with jax.enable_x64():
    wide = jnp.arange(3.0) + 1
    print(wide.dtype, jax.jit(lambda x: x * 2)(wide).dtype)
narrow = jnp.arange(3.0)
print(narrow.dtype, np.asarray(narrow).dtype, np.add(narrow, 1).dtype, type(np.sum(narrow)).__name__ != "ndarray")
