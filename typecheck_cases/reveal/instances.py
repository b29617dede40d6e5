"""Instances of the program's classes: what is known of their fields, and where another may be there."""

import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    """A pytree."""

    u: jax.Array
    t: jax.Array

    def moved(self, dt):
        return dataclasses.replace(self, u=self.u + dt)


@dataclasses.dataclass(frozen=True)
class Grid:
    """Static parameters."""

    nx: int
    width: float = 2.0

    @property
    def spacing(self):
        return jnp.float32(self.width / self.nx)

    def points(self):
        return jnp.arange(self.nx) * self.spacing


class Layer:
    """Parameters that `__init__` makes."""

    def __init__(self, key, n, m):
        self.n = n
        self.w = jax.random.normal(key, (self.n, m))
        self.b = jnp.zeros(m)

    def __call__(self, x):
        return x @ self.w + self.b


class Model:
    """Layers in a class."""

    def __init__(self, key):
        self.first = Layer(key, 3, 4)
        self.second = Layer(key, 4, 2)

    def forward(self, x):
        return self.second(jax.nn.relu(self.first(x)))


class Counter:
    """A field that is bound again."""

    def __init__(self, n):
        self.n = n
        self.kept = jnp.ones(2)

    def count(self):
        self.n = jnp.ones((2, 2))


def step(s: State, x: jax.Array) -> State:
    return State(s.u + x, s.t + 1)


def run(s, xs):
    return jax.lax.scan(lambda c, x: (step(c, x), c.u.sum()), s, xs)


state = State(jnp.ones(3), jnp.float32(0))
reveal_type(state.u)  # R: Array[float32, tuple[Literal[3]]]
reveal_type(state.moved(1.0).u)  # R: Array[float32, tuple[Literal[3]]]
reveal_type(step(state, jnp.ones(3)).t)  # R: Array[float32, tuple[()]]
last, sums = run(state, jnp.ones((5, 3)))
reveal_type(last.u)  # R: Array[float32, tuple[Literal[3]]]
reveal_type(sums)  # R: Array[float32, tuple[Literal[5]]]
doubled = jax.tree.map(lambda v: v * 2, state)
reveal_type(doubled.t)  # R: Array[float32, tuple[()]]
reveal_type(Grid(5).spacing)  # R: Array[float32, tuple[()]]
reveal_type(Grid(5).points())  # R: Array[float32, tuple[Literal[5]]]
model = Model(jax.random.key(0))
reveal_type(model.forward(jnp.ones((7, 3))))  # R: Array[float32, tuple[Literal[7], Literal[2]]]
reveal_type(model.first.w)  # R: Array[float32, tuple[Literal[3], Literal[4]]]
counter = Counter(jnp.ones(5))
reveal_type(counter.kept)  # R: Array[float32, tuple[Literal[2]]]
counter.count()
reveal_type(counter.n)  # R: Any
if state.t.shape == ():
    state = State(jnp.ones(4, jnp.int8), jnp.float32(0))
reveal_type(state.u)  # R: Array[Any, Any]
state = State(jnp.ones((), jnp.int8), jnp.float32(0))
reveal_type(state.u)  # R: Array[int8, tuple[()]]
