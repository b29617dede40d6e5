"""An operation of JAX with a tracer gives tracers under `jit`: what the plugin takes for granted of all rules."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from arraytyping_mypy.tracers import NOT_TRACED
from shares import some

from arraytyping.semantics.rules.registry import RULES

SPACES = {"numpy": jnp, "lax": jax.lax, "nn": jax.nn}
VALUES = [jnp.float32(1.5), jnp.int32(2), jnp.array([True, False]), jnp.arange(3), jnp.ones((2, 2)), 2, 1.0]


def function(rule: str) -> Callable[..., Any] | None:
    """The function of jax, or the method of an array, that has a rule."""
    space, _, name = rule.partition(".")
    if space == "Array":
        return lambda x, *rest: found(*rest) if callable(found := getattr(x, name)) else found
    found: Any = SPACES.get(space)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found if callable(found) else None


@pytest.mark.parametrize("count", [1, 2])
def test_operations_with_a_tracer_give_tracers(count: int) -> None:
    wrong, seen = set(), 0
    for rule in RULES if count == 1 else some(RULES, 3):
        called = function(rule)
        if called is None or rule.rpartition(".")[2] in NOT_TRACED:
            continue
        for value in VALUES:
            given: list[Any] = []

            def traced(x: Any) -> None:
                given.append(called(x, *[value] * (count - 1)))  # noqa: B023

            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    jax.make_jaxpr(traced)(value)  # traces as jit does, and compiles nothing
                except Exception:
                    continue
            arrays = [leaf for leaf in jax.tree.leaves(given) if isinstance(leaf, jax.Array)]
            seen += len(arrays)
            if not all(isinstance(a, jax.core.Tracer) for a in arrays):
                wrong.add(rule)
    assert seen > (1000 if count == 1 else 300)
    assert wrong == set()
