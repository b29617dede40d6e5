"""A grid world with tables of transitions, values and a replay buffer."""

import jax
import jax.numpy as jnp

STATES, ACTIONS, CAPACITY = 9, 4, 32
GOAL = STATES - 1


def transitions():
    """The next state for each state and action, on a grid of 3 by 3."""
    s = jnp.arange(STATES)
    row, column = s // 3, s % 3
    moves = [(-1, 0), (1, 0), (0, -1), (0, 1)]
    return jnp.stack([jnp.clip(row + r, 0, 2) * 3 + jnp.clip(column + c, 0, 2) for r, c in moves], axis=1)


def rewards():
    r = jnp.full((STATES,), -0.1)
    return r.at[GOAL].set(1.0)  # mistake: return r.at[STATES].set(1.0) [array-index]


@jax.jit
def value_iteration(table, reward):
    def sweep(v, _):
        return (reward[table] + 0.9 * v[table]).max(axis=1), None

    v, _ = jax.lax.scan(sweep, jnp.zeros(STATES), None, length=20)
    return v


class Replay:
    """The last transitions, written round and round."""

    def __init__(self):
        self.data = jnp.zeros((CAPACITY, 3))
        self.size = 0

    def add(self, row):
        self.data = self.data.at[self.size % CAPACITY].set(row)  # mistake: self.data = self.data.at[self.size].set(row) [array-index]
        self.size += 1

    def latest(self):
        return self.data[(self.size - 1) % CAPACITY]


table, reward = transitions(), rewards()
v = value_iteration(table, reward)
print(v[GOAL], v[0])

q = jnp.zeros((STATES, ACTIONS))
q = q.at[0, ACTIONS - 1].add(1.0)  # mistake: q = q.at[0, ACTIONS].add(1.0) [array-index]
q = q.at[GOAL, 0].multiply(0.5)  # mistake: q = q.at[0, GOAL].multiply(0.5) [array-index]
print(q.sum())

buffer = Replay()
for t in range(40):
    buffer.add(jnp.array([t % STATES, t % ACTIONS, 1.0]))
print(buffer.latest())

corners = table[jnp.array([0, 2, 6, 8])]
print(corners.sum())
policy = q.argmax(axis=1)
start = policy[[s for s in (0, 4, 8)][1]]  # mistake: start = policy[[s for s in (0, 4, 9)][2]] [array-index]
print(start)
