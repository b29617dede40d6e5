"""Collectives of jax that it answers otherwise, or not at all: `ppermute` under `vmap`, others over unknown sizes.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.lax.ppermute.html; across devices items that nobody sends to
become zeros, and `vmap` refuses such permutations.
https://docs.jax.dev/en/latest/_autosummary/jax.lax.psum.html: a number is multiplied by the size of the axis.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

from arraytyping.checker.flow.libraries.registry import handles
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.run_slots import RunSlot
from arraytyping.checker.flow.syntax.traced_arguments import map_arrays
from arraytyping.checker.flow.values import MISSING, ArrayValue, ListValue, ScalarValue, Unknown, Value
from arraytyping.checker.flow.values.calls import Call
from arraytyping.semantics.sizes.dims import as_dim, multiply_dims
from arraytyping.semantics.sizes.polynomials import constant

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
def _ppermute(it: Interpreter, call: Call) -> Value:
    given = call.named("x", "axis_name", "perm")
    if (refused := _incomplete(it, given.get("axis_name"), given.get("perm"), call.node)) is not None:
        return refused
    return it.engines.call(it, it.engines.jax.jax.lax.ppermute, call)


def _symbolic(it: Interpreter, axis: Value) -> Any:
    """The size of a mapped axis, as jax has it, if it is a symbol, such as the number of devices; None else."""
    sizes = it.engines.jax.private.axis_sizes()
    size = sizes[axis] if isinstance(axis, str) and axis in sizes else None
    return None if type(size) is int else size


@handles("jax.lax.axis_size")
def _axis_size(it: Interpreter, call: Call) -> Value:
    symbol = _symbolic(it, call.named("axis_name").get("axis_name"))
    if symbol is None:
        return it.engines.call(it, it.engines.jax.jax.lax.axis_size, call)
    return ScalarValue(int, size=it.engines.jax.size(symbol))


@handles("jax.lax.psum")
def _psum(it: Interpreter, call: Call) -> Value:
    """The sum; that of a number over an axis of unknown size is as unknown, and the size itself for 1."""
    given: dict[str, Any] = call.named("x", "axis_name", "axis_index_groups")
    lax, symbol = it.engines.jax.jax.lax, _symbolic(it, given.get("axis_name"))
    number = given.get("x", MISSING)
    if symbol is None or not isinstance(number, bool | int | float):
        return it.engines.call(it, lax.psum, call)
    if given.get("axis_index_groups") is not None:
        return it.unknown("a sum over groups of an axis of unknown size")
    size = it.engines.jax.size(symbol)
    if isinstance(number, float):
        return ScalarValue(float)
    return ScalarValue(int, size=None if size is None else size * constant(number))


@handles("jax.lax.all_gather")
def _all_gather(it: Interpreter, call: Call) -> Value:
    """What all have, along a new axis or one that is there; jax does not take a symbol for its size."""
    lax = it.engines.jax.jax.lax
    given = call.named("x", "axis_name")
    symbol, axis, tiled = (
        _symbolic(it, given.get("axis_name")),
        call.kwargs.get("axis", 0),
        call.kwargs.get("tiled", False),
    )
    if symbol is None or type(axis) is not int or type(tiled) is not bool or call.kwargs.get("axis_index_groups"):
        return it.engines.call(it, lax.all_gather, call)
    size = as_dim(it.engines.jax.size(symbol))

    def gathered(leaf: Value) -> Value:
        # Of one item jax says what it refuses, and what dtype it gives.
        if not isinstance(leaf, ArrayValue) or (shape := leaf.aval.shape) is None:
            return it.unknown("what is gathered of something unknown")
        if not -len(shape) - (not tiled) <= axis < len(shape) + (not tiled):
            return it.unknown("what is gathered along an axis that is not there")
        place = axis % (len(shape) + (not tiled))
        last = place + tiled
        middle = multiply_dims((shape[place], size)) if tiled else size
        return leaf.like(replace(leaf.aval, shape=(*shape[:place], middle, *shape[last:]), value=None), leaf.traced)

    return map_arrays(it, given.get("x"), gathered)


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
