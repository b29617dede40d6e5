"""Collectives of jax: what communicates along a mapped axis, and the axes that there are."""

from __future__ import annotations

from typing import Final

from arraytyping.checker.flow.engines.jax import JaxEngine
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import Value
from arraytyping.semantics.shardings import axes_str, near_axis

__all__ = ["is_collective", "no_axis", "unbound_axis"]

_ALONG: Final = frozenset({"psum", "pmean", "pmax", "pmin", "ppermute", "pshuffle", "all_gather", "all_to_all",
                           "psum_scatter"})  # fmt: skip
"""The collectives whose second argument is the name of an axis."""


def is_collective(function: Value) -> bool:
    """Whether this communicates along a mapped axis: some lose a weak type where they are traced, and only there."""
    return str(getattr(function, "__module__", "")) == "jax._src.lax.parallel"


def unbound_axis(
    jax: JaxEngine, it: Interpreter, function: Value, args: list[Value], kwargs: dict[str, Value]
) -> str | None:
    """The axis of a collective that has no such name, where others are mapped: jax may fail an assertion then."""
    if not is_collective(function) or it.mapping or getattr(function, "__name__", "") not in _ALONG:
        return None
    given = kwargs.get("axis_name", args[1] if len(args) > 1 else None)
    names = given if isinstance(given, tuple) else (given,)
    there = [str(axis) for axis in jax.private.axis_sizes()]
    return next((n for n in names if isinstance(n, str) and n not in there), None) if there else None


def no_axis(jax: JaxEngine, name: str) -> str:
    """What is wrong with an operation along an axis that is not mapped here."""
    there = [str(axis) for axis in jax.private.axis_sizes()]
    mapped = f"those that are mapped here are {axes_str(there)}" if there else "no axis is mapped here"
    return f"NameError: no mapped axis has the name {name!r}: {mapped}{near_axis(name, there)}"
