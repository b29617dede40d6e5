"""What the plugin takes for granted of `vmap`: batching changes no dtype and no weak type, as JAX itself shows.

Every function of these modules that takes one or two arrays is traced as it is and under `vmap`, for arrays and weak
arrays of floats and integers; so are loops, branches and derivatives.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.special
import numpy as np
import pytest
from kept_checks import hold
from shares import is_thorough, some

MODULES = (jnp, jax.lax, jax.nn, jnp.linalg, jnp.fft, jax.scipy.special)
struct: Any = jax.ShapeDtypeStruct
LOOPS = ("scan", "while_loop", "fori_loop", "map", "cond", "switch", "custom_root", "associative_scan")

COMPOSED: dict[str, Callable[[Any], Any]] = {
    "where": lambda x: jnp.where(x > 0, 1.0, x),
    "cond": lambda x: jax.lax.cond(x.sum() > 0, lambda y: y * 1.0, lambda y: y, x),
    "cond_of_numbers": lambda x: jax.lax.cond(x.sum() > 0, lambda _: 1.0, lambda _: 2.0, x),
    "switch": lambda x: jax.lax.switch(jnp.int32(x.sum()), [lambda y: y, lambda y: y * 2.0], x),
    "scan": lambda x: jax.lax.scan(lambda c, y: (c + y, c), 0.0, x),
    "fori_loop": lambda x: jax.lax.fori_loop(0, 3, lambda i, c: c + i, 0.0),
    "while_loop": lambda x: jax.lax.while_loop(lambda c: c.sum() < 3.0, lambda c: c + 1.0, x),
    "bounded_by_data": lambda x: jax.lax.while_loop(
        lambda c: c[0] < x.sum(), lambda c: (c[0] + 1.0, c[1] * 2), (0.0, 1)
    ),
    "grad": lambda x: jax.grad(lambda y: (y**2).sum())(x),
    "value_and_grad": lambda x: jax.value_and_grad(lambda y: (y * 1.0).sum())(x),
    "hessian": lambda x: jax.hessian(lambda y: (y**3).sum())(x),
    "jvp": lambda x: jax.jvp(lambda y: y * y, (x,), (x,)),
    "checkpoint": lambda x: jax.checkpoint(jnp.sin)(x),
    "vmap": lambda x: jax.vmap(lambda y: y * 2.0)(x),
    "update": lambda x: x.at[jnp.argmax(x)].add(x[1]),
    "row": lambda x: x[jnp.argmax(x)],
    "number": lambda x: 1.0,
    "made": lambda x: (jnp.zeros(3), jnp.asarray(2.0)),
    "tree": lambda x: {"a": x, "b": 2},
    "draw": lambda x: jax.random.normal(jax.random.key(0), (3,)) * x,
}


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The functions of the modules, by name; none that takes functions."""
    modules: tuple[ModuleType, ...] = MODULES
    for module in modules:
        for name in sorted(dir(module)):
            function = getattr(module, name)
            if callable(function) and not isinstance(function, type) and not name.startswith("_") and name not in LOOPS:
                yield f"{module.__name__}.{name}", function


def traced(function: Callable[..., Any], arrays: list[jax.ShapeDtypeStruct]) -> list[tuple[Any, bool]] | None:
    """The dtypes and weak types of what it gives; None if it refuses the arrays."""
    try:
        return [(a.dtype, a.weak_type) for a in jax.make_jaxpr(function)(*arrays).out_avals]
    except Exception:
        return None


def differing(name: str, function: Callable[..., Any], count: int, shape: tuple[int, ...]) -> tuple[int, list[str]]:
    """How many comparisons were made, and those in which `vmap` gives something else."""
    compared, wrong = 0, []
    kinds = [(dtype, weak) for dtype in ("float32", "int32") for weak in (False, True)]
    for given in itertools.product(kinds, repeat=count):
        one = [struct(shape, np.dtype(d), weak_type=w) for d, w in given]
        many = [struct((4, *shape), a.dtype, weak_type=a.weak_type) for a in one]
        alone = traced(function, one)
        mapped = None if alone is None else traced(jax.vmap(function), many)
        if mapped is not None:
            compared += 1
            if mapped != alone:
                wrong.append(f"{name}{given}: {alone}, under vmap {mapped}")
    return compared, wrong


@pytest.mark.filterwarnings("ignore")
def test_functions_keep_dtypes_and_weak_types() -> None:
    hold(functions_keep_types, is_thorough())


def functions_keep_types(_: bool) -> None:
    """Some functions of the modules, or all of them."""
    total = 0
    for name, function in some(functions(), 17):
        for count, shape in itertools.product((1, 2), ((3, 3), ())):
            compared, wrong = differing(name, function, count, shape)
            total += compared
            assert wrong == []
    assert total > 100


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", COMPOSED)
def test_loops_branches_and_derivatives_keep_them(name: str) -> None:
    hold(composed_keep_types, name)


def composed_keep_types(name: str) -> None:
    """One of the programs that are composed."""
    compared, wrong = differing(name, COMPOSED[name], 1, (3,))
    assert wrong == []
    assert compared > 0
