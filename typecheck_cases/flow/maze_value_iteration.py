"""Plan a path through a text maze by value iteration, then check it against Floyd-Warshall and a tabular Q-learner."""

from enum import IntEnum
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

MAZE = """
##########
#S..#....#
#.#.#.##.#
#.#...#..#
#.#####..#
#......~G#
##########
"""


class Action(IntEnum):
    UP = 0
    DOWN = 1
    LEFT = 2
    RIGHT = 3


MOVES = {Action.UP: (-1, 0), Action.DOWN: (1, 0), Action.LEFT: (0, -1), Action.RIGHT: (0, 1)}


def read_maze(text):
    """Free cells are numbered row by row; returns tables indexed [state, action]."""
    grid = [list(line) for line in text.strip().split("\n")]
    cells = {}
    start = goal = None
    for r, row in enumerate(grid):
        for c, ch in enumerate(row):
            if ch == "#":
                continue
            s = cells[r, c] = len(cells)
            if ch == "S":
                start = s
            elif ch == "G":
                goal = s
    next_state = np.zeros((len(cells), len(Action)), dtype=np.int32)
    reward = np.full((len(cells),), -1.0, dtype=np.float32)
    for (r, c), s in cells.items():
        for a, (dr, dc) in MOVES.items():
            next_state[s, a] = cells.get((r + dr, c + dc), s)
        if grid[r][c] == "~":
            reward[s] = -5.0
    next_state[goal] = goal
    reward[goal] = 0.0
    return cells, next_state, reward, start, goal


def transition_matrix(next_state, slip):
    """P[s, a, t]: with probability `slip` a uniformly random move happens instead."""
    n, k = next_state.shape
    intended = jax.nn.one_hot(next_state, n)
    return (1 - slip) * intended + slip * intended.mean(axis=1, keepdims=True)


@partial(jax.jit, static_argnames=("max_sweeps",))
def value_iteration(P, reward, gamma, tol=1e-4, max_sweeps=500):
    def backup(v):
        return reward[:, None] + gamma * jnp.einsum("sat,t->sa", P, v)

    def not_converged(carry):
        _, delta, i = carry
        return (delta > tol) & (i < max_sweeps)

    def sweep(carry):
        v, _, i = carry
        v_new = backup(v).max(axis=-1)
        return v_new, jnp.abs(v_new - v).max(), i + 1

    v, _, sweeps = jax.lax.while_loop(not_converged, sweep, (jnp.zeros_like(reward), jnp.inf, 0))
    q = backup(v)
    return v, q.argmax(axis=-1), sweeps


def evaluate_policy(P, reward, policy, gamma):
    n = len(reward)
    P_pi = P[jnp.arange(n), policy]
    return jnp.linalg.solve(jnp.eye(n) - gamma * P_pi, reward)


@jax.jit
def all_pairs_distance(next_state):
    n = next_state.shape[0]
    inf = jnp.iinfo(jnp.int16).max // 2
    d = jnp.full((n, n), inf, dtype=jnp.int16)
    d = d.at[jnp.arange(n)[:, None], next_state].set(1)
    d = d.at[jnp.diag_indices(n)].set(0)
    return jax.lax.fori_loop(0, n, lambda k, d: jnp.minimum(d, d[:, k, None] + d[None, k, :]), d)


def follow(policy, next_state, start, goal):
    s = start
    while s != goal:
        a = Action(int(policy[s]))
        yield a
        s = next_state[s, a]


@partial(jax.jit, static_argnames="num_steps")
def q_learning(key, next_state, reward, start, goal, gamma, num_steps):
    def step(carry, key):
        q, s = carry
        k_eps, k_act = jax.random.split(key)
        a = jnp.where(jax.random.uniform(k_eps) < 0.3, jax.random.randint(k_act, (), 0, 4), jnp.argmax(q[s]))
        t = next_state[s, a]
        target = reward[s] + gamma * jnp.max(q[t]) * (t != goal)
        q = q.at[s, a].add(0.5 * (target - q[s, a]))
        return (q, jnp.where(t == goal, start, t)), t == goal

    (q, _), done = jax.lax.scan(step, (jnp.zeros(next_state.shape), start), jax.random.split(key, num_steps))
    return q, done.sum()


def main():
    cells, next_state, reward, start, goal = read_maze(MAZE)
    gamma = 0.98
    policies = {}
    for slip in (0.0, 0.4):
        P = transition_matrix(next_state, slip)
        v, policy, sweeps = value_iteration(P, reward, gamma)
        exact = evaluate_policy(P, reward, policy, gamma)
        policies[slip] = np.asarray(policy)
        print(f"slip {slip}: {sweeps} sweeps, V(start) = {v[start]:.3f}, exact {exact[start]:.3f}")

    path = list(follow(policies[0.0], next_state, start, goal))
    print("path:", "".join(a.name[0] for a in path), f"({len(path)} moves, {len(cells)} cells)")
    print("shortest:", all_pairs_distance(next_state)[start, goal])
    print("cells where slipping changes the plan:", int((policies[0.0] != policies[0.4]).sum()))

    q, episodes = q_learning(jax.random.key(0), jnp.asarray(next_state), reward, start, goal, gamma, num_steps=4000)
    learned = list(follow(q.argmax(1), next_state, start, goal))
    print(f"Q-learning: {episodes} episodes, path of {len(learned)} moves")


if __name__ == "__main__":
    main()
