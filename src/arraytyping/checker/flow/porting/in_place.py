"""Calls by which NumPy changes an array in place: JAX refuses them, or gives a copy that nobody takes.

Source: each entry is what JAX's function, or NumPy's on a JAX array, raises when it is called.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, Literal

from arraytyping.checker.flow.porting.noting import NOTHING, Key, Seen, key_of
from arraytyping.checker.flow.porting.running import Reading

__all__ = ["in_place_problems"]

_REFUSED: Final = {
    "at": "write x = x.at[i].add(y), or the like",
    "copyto": "bind the name to the other array",
    "fill_diagonal": "write x = jnp.fill_diagonal(x, value, inplace=False)",
    "putmask": "write x = jnp.where(mask, values, x)",
    "shuffle": "write x = jax.random.permutation(key, x)",
}
"""Functions of NumPy that change their first argument, and of which the interpreter does not know what JAX does."""


def in_place_problems(program: Reading, port: Reading) -> Iterator[tuple[Key, Literal["fails", "not in place"], str]]:
    """The calls that give None in the program as it is, and cannot do to a JAX array what they do to a NumPy array."""
    for key in program.seen.keys() & port.seen.keys():
        node = program.nodes.get(key)
        if not isinstance(node, ast.Call) or key in program.callees or not _is_only(_values(program, key), "none"):
            continue
        name = getattr(node.func, "attr", None) or program.functions.get(key, "")
        module = next(m for m in program.modules if m.shown == key[0])
        if _is_only(_values(port, key), "jax"):
            message = f"{name}() leaves a JAX array as it is and gives the result: bind a name to it"
            yield key, "not in place", message
        elif name in _REFUSED and node.args and _is_only(_values(port, key_of(module, node.args[0])), "jax"):
            yield key, "fails", f"{name} changes an array in place, and JAX arrays are immutable; {_REFUSED[name]}"


def _values(reading: Reading, key: Key) -> list[Seen]:
    return [value for values in reading.seen.get(key, {}).values() for value in values]


def _is_only(values: list[Seen], library: str) -> bool:
    """Whether all of these are arrays of a library; `none` stands for what is None."""
    if library == "none":
        return bool(values) and all(value == NOTHING for value in values)
    return bool(values) and all(len(value) == 1 and value[0].library == library for value in values)
