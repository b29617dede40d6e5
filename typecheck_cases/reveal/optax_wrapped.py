"""Optimizers of Optax that are made of others, and of numbers that stand in the state."""

import jax.numpy as jnp
import optax  # type: ignore[import-untyped]

params = {"w": jnp.ones((3, 4), jnp.bfloat16), "b": jnp.zeros(4, jnp.bfloat16)}
mixed = {"w": jnp.ones((3, 4), jnp.bfloat16), "b": jnp.zeros(4)}


def step(tx, params, steps=1):
    state = tx.init(params)
    for _ in range(steps):
        updates, state = tx.update(params, state, params)
        params = optax.apply_updates(params, updates)
    return updates["w"]


injected = optax.inject_hyperparams(optax.adamw)(learning_rate=0.1, b1=0.9)
state = injected.init(params)
updates, state = injected.update(params, state, params)
reveal_type(updates["w"])  # R: Array[bfloat16, tuple[Literal[3], Literal[4]]]
simple = optax.inject_hyperparams(optax.sgd)(0.1)
reveal_type(simple.update(params, simple.init(params))[0]["w"])  # R: Any
reveal_type(injected.update(mixed, injected.init(mixed), mixed)[0]["w"])  # R: Any
reveal_type(optax.inject_hyperparams(optax.sgd, hyperparam_dtype=jnp.float32)(0.1))  # R: Any
reveal_type(step(optax.chain(optax.clip(1.0), injected), params))  # R: Array[bfloat16, tuple[Literal[3], Literal[4]]]
reveal_type(step(optax.chain(optax.clip(1.0), injected), mixed))  # R: Any

scheduled = optax.inject_hyperparams(optax.adam)(optax.linear_schedule(1.0, 0.0, 10))
plain = {"w": jnp.ones((3, 4)), "b": jnp.zeros(4)}
reveal_type(step(scheduled, plain))  # R: Array[float32, tuple[Literal[3], Literal[4]]]
reveal_type(step(scheduled, params))  # R: Any
falling = optax.linear_schedule(1.0, 0.0, 9)
reveal_type(step(optax.adam(falling), mixed))  # R: Array[bfloat16, tuple[Literal[3], Literal[4]]]

masked = optax.masked(optax.adam(1e-3), {"w": True, "b": False})
reveal_type(step(masked, mixed))  # R: Array[bfloat16, tuple[Literal[3], Literal[4]]]
reveal_type(step(optax.masked(injected, {"w": True, "b": False}), mixed))  # R: Any
decayed = optax.adamw(1e-3, mask=lambda p: {"w": True, "b": False})
reveal_type(step(decayed, mixed))  # R: Array[bfloat16, tuple[Literal[3], Literal[4]]]

groups = {"a": optax.adam(1e-3), "b": optax.sgd(0.1)}
by_group = optax.multi_transform(groups, {"w": "a", "b": "b"})
reveal_type(step(by_group, mixed))  # R: Array[bfloat16, tuple[Literal[3], Literal[4]]]
by_label = optax.multi_transform({"a": injected, "b": optax.set_to_zero()}, {"w": "a", "b": "b"})
reveal_type(step(by_label, params))  # R: Array[bfloat16, tuple[Literal[3], Literal[4]]]
reveal_type(step(by_label, mixed))  # R: Any

several = optax.MultiSteps(optax.adam(1e-3), every_k_schedule=4)
reveal_type(step(several, mixed))  # R: Array[bfloat16, tuple[Literal[3], Literal[4]]]
reveal_type(step(several.gradient_transformation(), mixed))  # R: Array[bfloat16, tuple[Literal[3], Literal[4]]]
