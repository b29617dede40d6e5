"""A mixture-of-experts layer: top-2 routing with capacity, dispatched by one-hot einsums."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int


def init_moe(key, d_model, d_hidden, n_experts):
    router_key, up_key, down_key = jax.random.split(key, 3)
    he = jax.nn.initializers.variance_scaling(2.0, "fan_in", "truncated_normal", batch_axis=0)
    return {
        "router": 0.1 * jax.random.normal(router_key, (d_model, n_experts)),
        "up": he(up_key, (n_experts, d_model, d_hidden)),
        "down": he(down_key, (n_experts, d_hidden, d_model)),
    }


def route(
    logits: Float[Array, "tokens experts"], k: int, capacity: int
) -> tuple[Float[Array, "tokens experts slots"], Float[Array, "tokens experts slots"], dict]:
    """Dispatch mask and combine weights; tokens over an expert's capacity are dropped."""
    n_tokens, n_experts = logits.shape
    probs = jax.nn.softmax(logits.astype(jnp.float32), axis=-1)
    gates, chosen = jax.lax.top_k(probs, k)
    gates = gates / gates.sum(axis=-1, keepdims=True)

    # First choices of all tokens come before any second choice.
    assignment = jax.nn.one_hot(chosen.T, n_experts, dtype=jnp.int32)  # k, tokens, experts
    position = jnp.cumsum(assignment.reshape(k * n_tokens, n_experts), axis=0) - 1
    position = position.reshape(k, n_tokens, n_experts)
    kept = assignment * (position < capacity)

    slots = jax.nn.one_hot(jnp.sum(position * kept, axis=-1), capacity)  # k, tokens, slots
    dispatch = jnp.einsum("kte,kts->tes", kept.astype(slots.dtype), slots)
    combine = jnp.einsum("kte,kts,tk->tes", kept.astype(slots.dtype), slots, gates)

    density = assignment[0].mean(axis=0)
    aux = {
        "balance": n_experts * jnp.sum(density * probs.mean(axis=0)),
        "z_loss": jnp.mean(jax.nn.logsumexp(logits, axis=-1) ** 2),
        "dropped": 1.0 - kept.sum() / (k * n_tokens),
        "load": kept.sum(axis=(0, 1)),
    }
    return dispatch, combine, aux


def moe_layer(params, x: Float[Array, "batch time d"], k=2, capacity_factor=1.25):
    batch, time, d = x.shape
    n_experts = params["router"].shape[-1]
    tokens = x.reshape(batch * time, d)
    capacity = int(np.ceil(capacity_factor * k * batch * time / n_experts))
    dispatch, combine, aux = route(tokens @ params["router"], k, capacity)
    expert_in = jnp.einsum("tes,td->esd", dispatch, tokens)
    hidden = jax.nn.gelu(jnp.einsum("esd,edh->esh", expert_in, params["up"]))
    expert_out = jnp.einsum("esh,ehd->esd", hidden, params["down"])
    mixed = jnp.einsum("tes,esd->td", combine, expert_out)
    return mixed.reshape(x.shape), aux


def dense_reference(params, x, expert: Int[Array, ""]):
    up, down = params["up"][expert], params["down"][expert]
    return jax.nn.gelu(x @ up) @ down


def loss_fn(params, x, y, k):
    h, aux = moe_layer(params["moe"], x, k=k)
    prediction = (x + h) @ params["readout"]
    mse = jnp.mean((prediction - y) ** 2)
    return mse + 1e-2 * aux["balance"] + 1e-3 * aux["z_loss"], dict(aux, mse=mse)


@partial(jax.jit, static_argnames=("k", "lr"))
def train_step(params, x, y, *, k, lr):
    grads, metrics = jax.grad(loss_fn, has_aux=True)(params, x, y, k)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), metrics


def piecewise_task(rng, batch, time, d):
    """The linear map to learn depends on which quadrant the first two features lie in."""
    x = rng.standard_normal((batch, time, d)).astype(np.float32)
    maps = np.random.default_rng(99).standard_normal((4, d, 2)).astype(np.float32)
    region = (x[..., 0] > 0).astype(int) + 2 * (x[..., 1] > 0)
    y = np.einsum("btd,btdo->bto", x, maps[region])
    return x, y


def main():
    rng = np.random.default_rng(0)
    key = jax.random.key(5)
    d_model, n_experts = 8, 4
    moe_key, out_key = jax.random.split(key)
    params = {
        "moe": init_moe(moe_key, d_model, 16, n_experts),
        "readout": jax.random.normal(out_key, (d_model, 2)) / d_model**0.5,
    }

    totals = {}
    for step in range(1, 21):
        x, y = piecewise_task(rng, 4, 16, d_model)
        params, metrics = train_step(params, x, y, k=2, lr=0.05)
        for name, value in metrics.items():
            totals[name] = totals.get(name, 0) + np.asarray(value)
        if step % 10 == 0:
            means = {name: total / 10 for name, total in totals.items()}
            load = np.array2string(means.pop("load"), precision=1)
            print(f"step {step}: " + ", ".join(f"{n} {v:.3f}" for n, v in means.items()) + f", load {load}")
            totals.clear()

    by_expert = jax.vmap(dense_reference, in_axes=(None, None, 0))(params["moe"], x[0], jnp.arange(n_experts))
    print("every expert on one sequence:", by_expert.shape)


if __name__ == "__main__":
    main()
