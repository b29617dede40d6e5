"""What is meant: modes, fill values, slices behind the end, guarded and wrapped indices."""

import jax
import jax.numpy as jnp

x = jnp.arange(5.0)
print(x[-1], x[-5], x[:100], x[7:], x[-9:2])
print(jnp.take(x, 9, mode="clip"), jnp.take(x, 9, mode="wrap"), jnp.take(x, jnp.array([0, 9]), fill_value=0.0))
print(x.at[9].set(1.0, mode="drop"), x.at[9].get(mode="fill", fill_value=-1.0), x.at[9].get(mode="clip"))
for i in range(5):
    if i + 1 < x.shape[0]:
        print(x[i + 1] - x[i])
    print(x[(i + 1) % 5])
n = x.shape[0]
following = x[(jnp.arange(n) + 1) % n]
print(following, x[jnp.arange(n)][::-1])
mask = jnp.array([True, False, True, False, True])
print(x[mask], x[None, 3], x[..., 4])
grid = jnp.zeros((2, 3, 4))
print(grid[1, 2].shape, grid[..., 3].shape, grid[:, None, 2].shape, grid[1, ..., 3].shape, grid[True, 1, 2, 3].shape)
print(jax.nn.one_hot(7, 3), jax.ops.segment_sum(x, jnp.array([0, 1, 9, 1, 0]), num_segments=2))
print(jax.lax.dynamic_slice(x, (3,), (2,)), jax.lax.dynamic_slice(x, (-2,), (2,)), jax.lax.dynamic_index_in_dim(x, -5))
table = {"a": 7}
index = jnp.minimum(jnp.array([1, 8]), 4)
print(x[index], table["a"], x[jnp.clip(jnp.arange(-2, 8), 0, 4)])
last = x[jnp.where(mask, 0, 9) % 5]  # mistake: last = x[9] [array-index]
print(last)


def pad_gather(values, ids):
    """Rows of padding have an id behind the end, and come as zeros."""
    return values.at[ids].get(mode="fill", fill_value=0.0)


print(pad_gather(x, jnp.array([0, 5, 2, 5])))
try:
    out = x.at[3].set(2.0)
except IndexError:
    out = x
print(out)


def observe(row, size):
    """A board with a mark, or none when the last row has been passed: the update is dropped, and masked besides."""
    board = jnp.zeros((size, size))
    return jnp.where(row >= size, board, board.at[row, 0].set(1.0))  # masked


print(observe(1, 2).sum(), observe(2, 2).sum())
