"""Selecting elements: boolean masks outside `jit`, `where` and `nonzero` with a size inside."""

import jax
import jax.numpy as jnp


@jax.jit
def mean_of_positive(x):
    positive = x > 0
    return jnp.sum(jnp.where(positive, x, 0.0)) / positive.sum()  # mistake: return x[positive].mean() [array-traced]


@jax.jit
def first_positive(x, k):
    index = jnp.nonzero(x > 0, size=3, fill_value=0)[0]  # mistake: index = jnp.nonzero(x > 0, size=k)[0] [array-traced]
    return x[index] * (jnp.arange(3) < k)


@jax.jit
def set_negative(x, value):
    return jnp.where(x < 0, value, x)  # mistake: return x.at[x < 0].set(value) [array-traced]


def remove_outliers(x):
    keep = jnp.abs(x - x.mean()) < 2 * x.std()
    return x[keep]


x = jnp.array([0.2, -1.0, 3.0, -0.5, 2.0])
print(mean_of_positive(x), first_positive(x, 2), set_negative(x, 0.0))
print(remove_outliers(x).mean())
x = x.at[0].set(1.0)  # mistake: x[0] = 1.0 [error]
print(x[1], x[-1])  # mistake: print(x[1], x[:, -1]) [array-dim]
