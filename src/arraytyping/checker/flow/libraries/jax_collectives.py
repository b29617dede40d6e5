"""`jax.lax.ppermute` along an axis that `vmap` maps, where every item has to be sent to another place.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.ppermute.html; across devices items that nobody sends to
become zeros, and `vmap` refuses such permutations.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from arraytyping.checker.flow.libraries.jax_jit import named
from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.values import ListValue, Unknown, Value

__all__ = ["mapping_over"]

_MAPPED: Final[RunSlot[list[str]]] = RunSlot("the names of the axes that vmap maps, the innermost last", list)


@contextmanager
def mapping_over(it: Interpreter, axis: Any) -> Iterator[None]:
    """Here `vmap` maps an axis, which may have a name."""
    names = _MAPPED.of(it)
    before = len(names)
    if isinstance(axis, str):
        names.append(axis)
    try:
        yield
    finally:
        del names[before:]


@handles("jax.lax.ppermute")
def _ppermute(it: Interpreter, args: list[Value], kwargs: dict[str, Value], node: ast.AST | None) -> Value:
    given = named(args, kwargs, "x", "axis_name", "perm")
    if (refused := _incomplete(it, given.get("axis_name"), given.get("perm"), node)) is not None:
        return refused
    return it.engines.call(it, it.engines.jax.jax.lax.ppermute, args, kwargs, node)


def _incomplete(it: Interpreter, axis: Any, permutation: Value, node: ast.AST | None) -> Unknown | None:
    """The mistake of a permutation that does not say of each item of a mapped axis where it goes."""
    size = it.engines.jax.private.axis_sizes().get(axis) if isinstance(axis, str) else None
    pairs = permutation.items if isinstance(permutation, ListValue) else permutation
    if axis not in _MAPPED.of(it) or type(size) is not int or not isinstance(pairs, list | tuple):
        return None
    if len(pairs) == size or not all(isinstance(pair, tuple) and len(pair) == 2 for pair in pairs):
        return None
    return it.fail(
        node,
        "array-call",
        f"AssertionError: ppermute: the axis {axis!r} has {size} items under vmap, and the permutation sends "
        f"{len(pairs)} of them: it must say of each item where it goes",
    )
