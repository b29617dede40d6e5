"""Variables are bound again to other shapes; what may have changed since is not claimed."""

import jax
import jax.numpy as jnp
import numpy as np

x = jnp.zeros((3, 4))
reveal_type(x)  # R: Array[float32, tuple[Literal[3], Literal[4]]]
x = x.reshape(-1)
reveal_type(x)  # R: Array[float32, tuple[Literal[12]]]
x = x.astype(jnp.int8)
x += 1
reveal_type(x)  # R: Array[int8, tuple[Literal[12]]]


def parameter(x: jax.Array) -> jax.Array:
    reveal_type(x)  # R: Array[Any, Any]
    reveal_type(x + 1)  # R: Array[Any, Any]
    x = jnp.zeros(3)
    reveal_type(x)  # R: Array[float32, tuple[Literal[3]]]
    return x


def branches(condition: bool) -> None:
    y = jnp.zeros(3) if condition else jnp.zeros(4)
    reveal_type(y + 1)  # R: Array[float32, tuple[Literal[3]]] | Array[float32, tuple[Literal[4]]]
    if condition:
        z = jnp.zeros(3, jnp.int8)
    else:
        z = jnp.zeros(3, jnp.float16)
    reveal_type(z * 2)  # R: Array[int8, tuple[Literal[3]]] | Array[float16, tuple[Literal[3]]]
    reveal_type(jnp.sin(z))  # R: Array[float32 | float16, tuple[Literal[3]]]


def growing(n: int) -> None:
    y = jnp.zeros(3)
    for _ in range(n):
        y = jnp.concatenate([y, jnp.zeros(3)])
    reveal_type(y + 0)  # R: Array[float32, tuple[int]]
    z = jnp.zeros(3)
    while z.ndim < n:
        z = z[None]
    reveal_type(z + 0)  # R: Array[float32, Any]
    a = jnp.zeros(3, jnp.int8)
    for _ in range(n):
        a = a * 1.5
    reveal_type(a + 1)  # R: Array[int8, tuple[Literal[3]]] | Array[float, tuple[Literal[3]]]


def handed_on(n: int) -> None:
    a = b = c = d = e = jnp.zeros(3)
    for _ in range(n):
        e = d
        d = c
        c = b
        b = a
        a = jnp.concatenate([a, a])
    reveal_type(e + 0)  # R: Array[Any, Any]


def nested() -> None:
    y = jnp.zeros(3)

    def inner() -> jax.Array:
        reveal_type(y + 1)  # R: Array[Any, Any]
        return y

    y = jnp.zeros(4)
    inner()


total = jnp.zeros(3)


def rebinding() -> None:
    global total
    total = total + jnp.ones(3)


def reading() -> None:
    reveal_type(total + 1)  # R: Array[Any, Any]


class Counter:
    count = jnp.zeros(3)

    def step(self) -> None:
        self.count = jnp.zeros(4)

    def read(self) -> None:
        reveal_type(self.count)  # R: Array[Any, Any]


class Layer:
    def __init__(self) -> None:
        self.w = jnp.zeros((3, 4))
        self.state = jnp.zeros(3)

    def step(self) -> None:
        reveal_type(self.w)  # R: Array[float32, tuple[Literal[3], Literal[4]]]
        reveal_type(self.state)  # R: Array[Any, Any]
        self.state = jnp.zeros(5, jnp.int8)
        reveal_type(self.state)  # R: Array[int8, tuple[Literal[5]]]


class Moments:
    def __init__(self) -> None:
        self.total = None
        self.count = None

    def add(self, x: jax.Array) -> None:
        self.total = x  # type: ignore[assignment]
        self.count = x.shape[0]  # type: ignore[assignment]

    def mean(self):  # type: ignore[no-untyped-def]
        if self.total is None:
            return jnp.ones(3)
        return self.total[None] / np.sqrt(self.count)


def attributes_that_begin_as_none() -> None:
    moments = Moments()
    reveal_type(moments.mean())  # R: Any
    moments.add(jnp.ones(4))
    reveal_type(moments.mean())  # R: Any
    reveal_type(jnp.sqrt(moments.total))  # R: Array[Any, Any]
    reveal_type(1.0 / np.sqrt(moments.count))  # R: Any


def bound_by_a_function_inside() -> None:
    axis = None

    def choose() -> None:
        nonlocal axis
        axis = 0

    choose()
    total = jnp.sum(jnp.ones((3, 4)), axis=axis)
    reveal_type(total)  # R: Array[float32, Any]


def containers() -> None:
    several = [jnp.zeros(3)]
    several.append(jnp.zeros((2, 2), jnp.int8))
    reveal_type(several[1])  # R: Array[float32, tuple[Literal[3]]] | Array[int8, tuple[Literal[2], Literal[2]]]
    named = {"w": jnp.zeros(3)}
    named["b"] = jnp.zeros(4, jnp.int8)
    for value in named.values():
        reveal_type(value)  # R: Array[Any, Any]
    pair = (jnp.zeros(3), jnp.zeros(4, jnp.int8))
    reveal_type(pair[1])  # R: Array[int8, tuple[Literal[4]]]
    first, second = pair
    reveal_type(second)  # R: Array[int8, tuple[Literal[4]]]


parameter(jnp.ones(3))
branches(True)
branches(False)
growing(0)
growing(3)
handed_on(0)
handed_on(7)
nested()
Layer().step()
Layer().step()
rebinding()
reading()
Counter().step()
Counter().read()
attributes_that_begin_as_none()
bound_by_a_function_inside()
containers()
