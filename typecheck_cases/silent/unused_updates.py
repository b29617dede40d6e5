"""Updates of arrays in loops, classes and functions, where another library would change them in place."""

import jax
import jax.numpy as jnp


def histogram(values, bins):
    counts = jnp.zeros(bins)
    for v in values:
        counts = counts.at[v].add(1.0)  # mistake: counts.at[v].add(1.0) [array-unused]
    return counts


class Grid:
    """A board on which cells are set."""

    def __init__(self, size):
        self.cells = jnp.zeros((size, size))

    def set(self, row, column):
        self.cells = self.cells.at[row, column].add(1)  # mistake: self.cells.at[row, column].add(1) [array-unused]

    def border(self):
        self.cells = self.cells.at[0].multiply(2.0)  # mistake: self.cells.at[0].multiply(2.0) [array-unused]
        return self.cells.sum()


@jax.jit
def relax(u):
    for _ in range(2):
        u = u.at[1:-1].add(0.5 * (u[2:] + u[:-2]) - u[1:-1])  # mistake: u.at[1:-1].add(0.5 * (u[2:] + u[:-2]) - u[1:-1]) [array-unused]
    return u


def scatter_rewards(returns, index, reward):
    """The rewards of an episode, added where they came."""
    table = dict(returns)
    table["mean"] = table["mean"].at[index].add(reward)  # mistake: table["mean"].at[index].add(reward) [array-unused]
    return table


print(histogram([1, 1, 3], 4))
grid = Grid(3)
grid.set(0, 1)
grid.set(0, 2)
print(grid.border(), grid.cells)
print(relax(jnp.array([0.0, 1.0, 4.0, 9.0])))
print(scatter_rewards({"mean": jnp.zeros(3)}, 2, 1.0)["mean"])

x = jnp.arange(4.0)
x = x.at[0].add(7.0)  # mistake: x.at[0].add(7.0) [array-unused]
print(x)
noise = jax.random.normal(jax.random.key(0), (4,))
noise = noise.at[noise < 0].multiply(0.5)  # mistake: noise.at[noise < 0].multiply(0.5) [array-unused]
print(noise)
