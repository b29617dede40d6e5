"""A linear classifier trained with optax."""

import jax
import jax.numpy as jnp
import optax


def logits_of(params, x):
    return x @ params["w"] + params["b"]


def loss_fn(params, x, labels):
    logits = logits_of(params, x)
    losses = optax.softmax_cross_entropy_with_integer_labels(logits, labels)  # mistake: losses = optax.softmax_cross_entropy(logits, labels) [array-shape]
    return losses.mean(), (logits.argmax(-1) == labels).mean()


def main():
    params = {"w": jnp.zeros((6, 4)), "b": jnp.zeros(4)}
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-2))
    state = optimizer.init(params)

    @jax.jit
    def step(params, state, x, labels):
        (loss, accuracy), grads = jax.value_and_grad(loss_fn, has_aux=True)(params, x, labels)  # mistake: (loss, accuracy), grads = jax.value_and_grad(loss_fn)(params, x, labels) [error]
        updates, state = optimizer.update(grads, state, params)  # mistake: updates, state = optimizer.update(state, grads, params) [error]
        params = optax.apply_updates(params, updates)  # mistake: params = optax.apply_updates(params, state) [error]
        return params, state, loss, accuracy

    x = jax.random.normal(jax.random.key(0), (24, 6))
    labels = jnp.arange(24) % 4
    for _ in range(2):
        params, state, loss, accuracy = step(params, state, x, labels)
    print(loss, accuracy)


if __name__ == "__main__":
    main()
