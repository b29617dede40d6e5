"""What stands on the right of `x, y = y, x` is computed before anything is bound."""

import jax.numpy as jnp

rounds = int("3")


def started():
    return {"w": jnp.ones(3)}


def other():
    return {"w": jnp.ones(5, jnp.int32)}


def handed(n):
    x, y = jnp.ones(3), jnp.ones(1)
    for _ in range(n):
        x, y = jnp.ones(5, jnp.int32), x * 2
    return x * 2, y * 2


def turned(n):
    x, y = jnp.ones(3), jnp.ones(5, jnp.int32)
    for _ in range(n):
        x, y = y, x
    return x, y


def turned_dicts(n):
    p, q = started(), other()
    for _ in range(n):
        p, q = q, p
    return q["w"]


def once():
    x = jnp.ones(3)
    x, y = jnp.ones(5, jnp.int32), x * 2
    return x, y


def bound_elsewhere():
    p = {"w": jnp.ones(3)}

    def put():
        nonlocal p
        p = {"w": jnp.ones(5, jnp.int32)}

    put()
    return p["w"]


x, y = jnp.ones(3), jnp.ones(3)
for _ in range(rounds):
    x, y = jnp.ones(5, jnp.int32), x * 2
reveal_type(y)  # R: Array[float32, tuple[Literal[3]]] | Array[int32, tuple[Literal[5]]]
reveal_type(once()[1])  # R: Array[float32, tuple[Literal[3]]]
reveal_type(turned(rounds)[1])  # R: Array[int32, tuple[Literal[5]]] | Array[float32, tuple[Literal[3]]]
reveal_type(turned_dicts(rounds))  # R: Array[int32, tuple[Literal[5]]] | Array[float32, tuple[Literal[3]]]
reveal_type(bound_elsewhere())  # R: Any
print(handed(rounds)[1].shape)
