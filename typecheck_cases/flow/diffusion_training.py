"""Denoising diffusion in two dimensions: a cosine noise schedule, v-prediction, EMA and DDIM sampling."""

import dataclasses
import functools

import jax
import jax.numpy as jnp
import numpy as np


@functools.partial(
    jax.tree_util.register_dataclass,
    data_fields=["alpha_bar", "betas"],
    meta_fields=["n_steps"],
)
@dataclasses.dataclass(frozen=True)
class Schedule:
    alpha_bar: jax.Array
    betas: jax.Array
    n_steps: int

    def coefficients(self, t):
        """Signal and noise scales, with a trailing axis to broadcast over features."""
        a = jnp.take(self.alpha_bar, t)
        return jnp.sqrt(a)[..., None], jnp.sqrt(1.0 - a)[..., None]


def cosine_schedule(n_steps, s=0.008):
    grid = np.linspace(0, 1, n_steps + 1)
    f = np.cos((grid + s) / (1 + s) * np.pi / 2) ** 2
    alpha_bar = f / f[0]
    betas = np.clip(1 - alpha_bar[1:] / alpha_bar[:-1], 0, 0.999)
    return Schedule(jnp.asarray(np.cumprod(1 - betas)), jnp.asarray(betas), n_steps)


def two_moons(rng, n):
    t = rng.uniform(0, np.pi, n)
    upper = rng.random(n) < 0.5
    x = np.where(upper, np.cos(t), 1 - np.cos(t))
    y = np.where(upper, np.sin(t), 0.5 - np.sin(t))
    points = np.c_[x, y] + rng.normal(scale=0.05, size=(n, 2))
    return (points - [0.5, 0.25]).astype("float32")


def timestep_embedding(t, dim, max_period=1000.0):
    half = dim // 2
    freqs = jnp.exp(-jnp.log(max_period) * jnp.arange(half, dtype=jnp.float32) / half)
    args = t.astype(jnp.float32)[:, None] * freqs[None]
    return jnp.concatenate([jnp.cos(args), jnp.sin(args)], axis=-1)


def init_denoiser(key, data_dim=2, width=48, depth=2, time_dim=16):
    init = jax.nn.initializers.lecun_normal()
    k_in, k_time, k_out, k_blocks = jax.random.split(key, 4)
    block_keys = jax.random.split(k_blocks, depth)
    # All blocks have one shape, so their parameters are stacked and scanned over.
    blocks = jax.vmap(lambda k: {"w": init(k, (width, width)), "b": jnp.zeros(width), "gain": jnp.ones(width)})
    return {
        "in": init(k_in, (data_dim, width)),
        "time": init(k_time, (time_dim, width)),
        "blocks": blocks(block_keys),
        "out": jnp.zeros((width, data_dim)),
    }


def denoise(params, x, t):
    time = timestep_embedding(t, params["time"].shape[0]) @ params["time"]
    h = x @ params["in"]

    def block(h, p):
        y = jax.nn.swish(h + time)
        y = jax.nn.standardize(y, axis=-1) * p["gain"]
        return h + y @ p["w"] + p["b"], None

    h, _ = jax.lax.scan(block, h, params["blocks"])
    return jax.nn.swish(h) @ params["out"]


def diffusion_loss(params, schedule, x0, key):
    t_key, eps_key = jax.random.split(key)
    t = jax.random.randint(t_key, x0.shape[:1], 0, schedule.n_steps)
    eps = jax.random.normal(eps_key, x0.shape, x0.dtype)
    signal, noise = schedule.coefficients(t)
    x_t = signal * x0 + noise * eps
    v = signal * eps - noise * x0
    per_example = jnp.mean(jnp.square(denoise(params, x_t, t) - v), axis=-1)
    snr = jnp.squeeze(signal / noise, -1) ** 2
    weight = jnp.minimum(snr, 5.0) / (snr + 1)
    return jnp.mean(weight * per_example)


@functools.partial(jax.jit, donate_argnums=(0,))
def train_step(state, schedule, x0):
    params, ema, momentum, key = state
    key, sub = jax.random.split(key)
    loss, grads = jax.value_and_grad(diffusion_loss)(params, schedule, x0, sub)
    # Lion: the sign of an interpolated momentum.
    direction = jax.tree.map(lambda m, g: jnp.sign(0.9 * m + 0.1 * g), momentum, grads)
    momentum = jax.tree.map(lambda m, g: 0.99 * m + 0.01 * g, momentum, grads)
    params = jax.tree.map(lambda p, d: p - 2e-3 * d, params, direction)
    ema = jax.tree.map(lambda e, p: 0.95 * e + 0.05 * p, ema, params)
    return (params, ema, momentum, key), loss


@functools.partial(jax.jit, static_argnames=["n_samples", "stride"])
def ddim(params, schedule, key, n_samples, stride=5):
    timesteps = jnp.arange(schedule.n_steps - 1, -1, -stride)
    previous = jnp.append(timesteps[1:], 0)

    def step(x, ts):
        t, t_prev = ts
        batch_t = jnp.full((n_samples,), t)
        signal, noise = schedule.coefficients(batch_t)
        v = denoise(params, x, batch_t)
        x0 = jnp.clip(signal * x - noise * v, -2.0, 2.0)
        eps = noise * x + signal * v
        next_signal, next_noise = schedule.coefficients(jnp.full_like(batch_t, t_prev))
        return next_signal * x0 + next_noise * eps, jnp.linalg.norm(x0, axis=-1).mean()

    x = jax.random.normal(key, (n_samples, 2))
    return jax.lax.scan(step, x, (timesteps, previous))


if __name__ == "__main__":
    rng = np.random.default_rng(7)
    schedule = cosine_schedule(50)
    key = jax.random.key(0)
    init_key, train_key, sample_key = jax.random.split(key, 3)
    params = init_denoiser(init_key)
    ema = jax.tree.map(jnp.copy, params)
    momentum = jax.tree.map(jnp.zeros_like, params)
    state = (params, ema, momentum, train_key)

    window = []
    for i in range(30):
        state, loss = train_step(state, schedule, two_moons(rng, 64))
        window.append(float(loss))
        if (i + 1) % 10 == 0:
            print(f"{i + 1:4d}: loss {np.mean(window[-10:]):.4f}")

    samples, norms = ddim(state[1], schedule, sample_key, n_samples=16)
    print("samples", samples.shape, "trajectory", norms.shape, "finite", np.isfinite(samples).all())
