"""Containers into which something is put under another name of theirs."""

import jax.numpy as jnp


def last(xs):
    return xs[-1]


def replaced(target):
    target["other"] = jnp.zeros(9, jnp.int32)


def through_another_name():
    params = {"other": jnp.ones(3), "kept": jnp.ones(2)}
    replaced(params)
    return params


def other(params):
    return params["other"]


def kept(params):
    return params["kept"]


reveal_type(other(through_another_name()))  # R: Any
reveal_type(kept(through_another_name()))  # R: Array[float32, tuple[Literal[2]]]


def shared():
    inner = [jnp.ones(3)]
    outer = {"inner": inner}
    outer["inner"].append(jnp.ones(7, jnp.int32))
    return inner


reveal_type(last(shared()))  # R: Any
