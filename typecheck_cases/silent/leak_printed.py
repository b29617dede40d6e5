"""What a traced function prints: a text while it is traced, or values at each call."""

import contextlib
import io

import jax
import jax.numpy as jnp

out = io.StringIO()


@jax.jit
def step(params, batch):
    print("tracing step with", batch.shape)
    loss = jnp.mean((batch @ params) ** 2)
    jax.debug.print("loss {}", loss)  # mistake: print("loss", loss) [array-leak]
    return params - 0.1 * loss


params = jnp.ones(3)
with contextlib.redirect_stdout(out):
    for i in range(3):
        params = step(params, jnp.full((4, 3), i + 1.0))
    jax.effects_barrier()
print(out.getvalue().count("loss") == 1)


def decay(carry, _):
    carry = 0.9 * carry
    return carry, carry


@jax.jit
def rollout(x):
    final, path = jax.lax.scan(decay, x, None, length=3)
    jax.debug.print("final {}", final)  # mistake: print("final", final) [array-leak]
    return path


@jax.jit
def once(x):
    print("seen once:", x)  # which is not called again
    return x + 1


with contextlib.redirect_stdout(out):
    once(jnp.ones(2))
    for i in range(3):
        rollout(jnp.float32(i))
    jax.effects_barrier()
print(out.getvalue().count("final") == 1)


@jax.jit
def smooth(x):
    level = jnp.mean(x)
    print(f"{x.shape[0]} rows, traced as {x.dtype}")
    jax.debug.print("level {}", level)  # mistake: print(f"level {level} of {len(x)} rows") [array-leak]
    return x - level


@jax.jit
def center(x):
    middle = jnp.median(x)
    jax.debug.print("middle {}", middle)  # mistake: print("middle " + str(middle), str(middle)) [array-leak]
    message = f"not finite: {middle}"  # which nobody prints
    return x - middle if message else x


with contextlib.redirect_stdout(out):
    for i in range(2):
        smooth(jnp.arange(3.0) + i)
        center(jnp.arange(3.0) + i)
    jax.effects_barrier()
print(out.getvalue().count("level") == 1, out.getvalue().count("middle") == 1)
