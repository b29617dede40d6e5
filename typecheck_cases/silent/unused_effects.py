"""Jitted functions that return nothing, and those of which the effects are meant."""

import functools

import jax
import jax.numpy as jnp
from flax import struct
from flax.training import train_state
import optax

history = []


def note(x):
    history.append(float(x.sum()))


@jax.jit
def note_traced(x):
    history.append(jnp.sum(x))


trace = note  # mistake a: trace = note_traced [array-unused]


class Counter:
    """Something that counts."""

    def __init__(self):
        self.total = jnp.zeros(())

    def add(self, x):
        self.total = self.total + x

    @functools.partial(jax.jit, static_argnums=0)
    def add_fast(self, x):
        self.total = self.total + x


@jax.jit
def show(x):
    jax.debug.print("x is {}", x)


@struct.dataclass
class Moments:
    """The sum and the number of what came."""

    total: jax.Array
    count: int


x = jnp.arange(3.0)
show(x)
for _ in range(3):
    trace(x)  # shows a
print(len(history))

counter = Counter()
counter.add(2.0)  # mistake: counter.add_fast(2.0) [array-unused]
print("counted" if isinstance(counter.total, jax.core.Tracer) is False and float(counter.total) else "nothing")


def run(values):
    moments = Moments(jnp.zeros(()), 0)
    for v in values:
        moments = moments.replace(total=moments.total + v, count=moments.count + 1)  # mistake: moments.replace(total=moments.total + v, count=moments.count + 1) [array-unused]
    return moments.count


print(run([1.0, 2.0]))


def fit(steps):
    state = train_state.TrainState.create(apply_fn=None, params={"w": x}, tx=optax.sgd(0.1))
    for _ in range(steps):
        state = state.apply_gradients(grads={"w": x})  # mistake: state.apply_gradients(grads={"w": x}) [array-unused]
    return state.step


print(fit(3))


def warmed_up(f, x):
    f(x).block_until_ready()
    jax.block_until_ready(f(x))
    return f(x)


print(warmed_up(jax.jit(jnp.sin), x))
