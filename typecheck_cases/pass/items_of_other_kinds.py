"""Dicts and lists whose items are first of one kind, and then of another: mypy takes the first for all."""

import jax
import jax.numpy as jnp


def contract(x: jax.Array, w: jax.Array, names: list[str]) -> list[tuple[int, ...]]:
    out = {}
    for order in range(2):
        for name in names:
            if order == 0:
                out[name] = ("special", x @ w)
            else:
                out[name] += w  # type: ignore[operator]
                out[name] = w + out[name]  # type: ignore[assignment, operator]
        for name in out:
            if isinstance(out[name], tuple):
                out[name] = out[name][1]  # type: ignore[assignment]
                continue
            out[name] = jnp.einsum("ci,cj->ci", out[name], x)  # type: ignore[assignment]
    return [array.shape for array in out.values()]  # type: ignore[attr-defined]


def rows(x: jax.Array) -> tuple[int, ...]:
    found = []
    found.append(("first", x))
    for i in range(1):
        found[i] = found[i][1]  # type: ignore[call-overload]
    return (x + found[0]).shape  # type: ignore[operator]


print(contract(jnp.ones((3, 3)), jnp.ones((3, 3)), ["a", "b"]))
print(rows(jnp.ones(3)))
