"""Two lattices with integer states: Conway's game of life and the checkerboard-updated Ising model."""
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random

GLIDER = """
.#.
..#
###
"""

BLINKER = "###"


def parse(pattern):
    rows = [r for r in pattern.splitlines() if r]
    return np.array([[c == "#" for c in row] for row in rows], dtype=np.uint8)


def place(board, pattern, top, left):
    h, w = pattern.shape
    return board.at[top:top + h, left:left + w].set(pattern)


def neighbour_count(board):
    shifts = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dy, dx) != (0, 0)]
    return sum(jnp.roll(board, s, axis=(0, 1)) for s in shifts)


def life_step(board):
    n = neighbour_count(board)
    born = (board == 0) & (n == 3)
    stays = (board == 1) & ((n == 2) | (n == 3))
    return (born | stays).astype(board.dtype)


@jax.jit
def life_period(board, limit=16):
    """Generations until the board repeats its first state (or limit)."""
    def unlike(val):
        i, b = val
        return (i < limit) & jnp.any(b != board)

    def advance(val):
        i, b = val
        return i + 1, life_step(b)

    return lax.while_loop(unlike, advance, (jnp.int32(1), life_step(board)))[0]


def render(board):
    return "\n".join("".join(".#"[int(c)] for c in row) for row in np.asarray(board))


class Ising:
    def __init__(self, size, coupling=1):
        if size % 2:
            raise ValueError("a checkerboard needs an even size")
        self.size = size
        self.coupling = coupling
        i, j = np.indices((size, size))
        black = (i + j) % 2 == 0
        self.colours = jnp.stack([black, ~black])

    def init(self, key):
        return 2 * random.bernoulli(key, 0.5, (self.size, self.size)).astype(jnp.int8) - 1

    def local_field(self, spins):
        return sum(jnp.roll(spins, d, axis) for d in (1, -1) for axis in (0, 1))

    def half_sweep(self, u, spins, beta, mask):
        dE = 2 * self.coupling * spins * self.local_field(spins)
        flip = u < jnp.exp(-beta * dE)
        return jnp.where(mask & flip, -spins, spins)

    def sweep(self, spins, inp):
        key, beta = inp
        u = random.uniform(key, spins.shape)    # each site uses its own number once

        def half(spins, colour):
            return self.half_sweep(u, spins, beta, colour), None

        spins, _ = lax.scan(half, spins, self.colours)
        return spins, self.observe(spins)

    def observe(self, spins):
        s = spins.astype(jnp.int32)
        right, down = jnp.roll(s, -1, 1), jnp.roll(s, -1, 0)
        energy = -self.coupling * jnp.sum(s * (right + down))
        return energy / s.size, jnp.abs(s.mean())

    def equilibrate(self, key, betas):
        k0, k1 = random.split(key)
        return lax.scan(self.sweep, self.init(k0), (random.split(k1, len(betas)), betas))


@jax.jit
def domains(spins):
    """Sizes of the connected regions of equal spin, largest first, padded with zeros."""
    n = spins.size
    labels = jnp.arange(n).reshape(spins.shape)

    def spread(val):
        _, labels = val
        new = labels
        for shift, axis in ((1, 0), (-1, 0), (1, 1), (-1, 1)):
            same = jnp.roll(spins, shift, axis) == spins
            new = jnp.where(same, jnp.minimum(new, jnp.roll(labels, shift, axis)), new)
        return jnp.any(new != labels), new

    _, labels = lax.while_loop(lambda val: val[0], spread, (True, labels))
    _, counts = jnp.unique(labels, return_counts=True, size=n, fill_value=-1)
    return jnp.sort(counts)[::-1]


def main(argv):
    size = int(argv[1]) if len(argv) > 1 else 10
    board = jnp.zeros((size, size), jnp.uint8)
    board = place(board, parse(GLIDER), 0, 0)
    moved = lax.fori_loop(0, 8, lambda _, b: life_step(b), board)
    print(render(moved[:6, :6]))
    print("glider moved by two cells:", bool((moved == jnp.roll(board, (2, 2), (0, 1))).all()))
    blinker = place(jnp.zeros_like(board), parse(BLINKER), 4, 3)
    print("blinker has period", life_period(blinker), "with", blinker.sum(), "live cells")

    model = Ising(16)
    temperatures = np.array([1.5, 2.27, 4.0], dtype=np.float32)
    # anneal from infinite temperature down to each target
    betas = jnp.linspace(0, 1, 40)[None, :] / temperatures[:, None]
    keys = random.split(random.PRNGKey(2), len(temperatures))
    spins, (energy, magnet) = jax.jit(jax.vmap(model.equilibrate))(keys, betas)
    print(f"spins: {spins.shape} {spins.dtype}")
    energy, magnet = (np.asarray(x)[:, -10:].mean(axis=1) for x in (energy, magnet))
    for T, e, m, s in zip(temperatures, energy, magnet, spins):
        sizes = domains(s)
        print(f"T = {T:.2f}: energy per site {e:+.2f}, |m| = {m:.2f}, {(sizes > 0).sum()} domains up to {sizes[0]}")


if __name__ == "__main__":
    main(sys.argv)
