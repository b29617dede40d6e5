"""`lax.reduce`, `custom_root`, `custom_linear_solve` and named scopes: the same programs on jax."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from runtime_pairs import OURS, check_same

import arraytyping
from arraytyping.runtime.jaxpr.typecheck import typecheck_jaxpr

DTYPES = ("bool", "int8", "uint16", "int32", "float16", "bfloat16", "float32", "complex64")
MONOIDS: dict[str, list[Any]] = {
    "add": [0, 1], "mul": [1, 2], "max": [-math.inf, 0, -128], "min": [math.inf, 0], "bitwise_or": [0, 1, False],
    "bitwise_and": [-1, True, 3, 65535], "bitwise_xor": [0, False],
}  # fmt: skip


def reductions(fw: Any, jnp: Any, dtype: str, name: str) -> list[Any]:
    """Reductions by a well-known function, from its identity and from other numbers, over several dimensions."""
    x = jnp.asarray(np.arange(1, 7).reshape(2, 3)).astype(dtype)
    found: list[Any] = []
    for start in MONOIDS[name]:
        for axes in ((0,), (1, 0), ()):
            try:
                initial = jnp.asarray(np.asarray(start).astype(x.dtype)) if abs(start) < math.inf else jnp.array(start)
                found.append(fw.lax.reduce(x, initial.astype(x.dtype), getattr(fw.lax, name), axes))
            except (TypeError, ValueError, OverflowError) as error:
                found.append(next(c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins"))
    return found


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", MONOIDS)
def test_reductions_by_well_known_functions(dtype: str, name: str) -> None:
    assert check_same(lambda fw, jnp: reductions(fw, jnp, dtype, name)) is None


def product(a: Any, b: Any) -> Any:
    """A function that is none of the well-known."""
    return a * b


def both(a: Any, b: Any) -> Any:
    """A sum and a product together."""
    return {"s": a["s"] + b["s"], "p": a["p"] * b["p"]}


def several(fw: Any, x: Any) -> Any:
    """Two arrays reduced together."""
    return fw.lax.reduce({"s": x, "p": x}, {"s": np.float32(0), "p": np.float32(1)}, both, (0,))


def solved(fw: Any, jnp: Any, **options: Any) -> Callable[[Any, Any], Any]:
    """Linear equations, by the dense solution."""

    def solve(a: Any, b: Any) -> Any:
        return fw.lax.custom_linear_solve(
            lambda x: a @ x, b, lambda matvec, b: jnp.linalg.solve(a, b),
            None if options.get("symmetric") else lambda vecmat, b: jnp.linalg.solve(a.T, b), **options,
        )  # fmt: skip

    return solve


def with_steps(fw: Any, jnp: Any) -> Callable[[Any, Any], Any]:
    """The same, which tells a number besides."""

    def solve(a: Any, b: Any) -> Any:
        def found(m: Any, b: Any) -> Any:
            return jnp.linalg.solve(m, b), {"steps": jnp.int32(3)}

        return fw.lax.custom_linear_solve(
            lambda x: a @ x, b, lambda _, b: found(a, b), lambda _, b: found(a.T, b), has_aux=True
        )

    return solve


def cube_root(fw: Any, jnp: Any, has_aux: bool = False) -> Callable[[Any], Any]:
    """The root of y^3 - a, by Newton's steps."""

    def root(a: Any) -> Any:
        def steps(f: Any, start: Any) -> Any:
            end = fw.lax.fori_loop(0, 40, lambda i, y: y - f(y) / (3 * y * y), start)
            return (end, jnp.int32(40)) if has_aux else end

        return fw.lax.custom_root(
            lambda y: y**3 - a, jnp.ones_like(a), steps, lambda g, y: y / g(jnp.ones_like(y)), has_aux
        )

    return root


X = np.arange(1.0, 7.0, dtype=np.float32).reshape(2, 3)
A = np.array([[3.0, 1.0], [0.5, 2.0]], np.float32)
B = np.array([1.0, 2.0], np.float32)

PROGRAMS: dict[str, Callable[[Any, Any], Any]] = {
    "reduced by any function": lambda fw, jnp: fw.lax.reduce(jnp.asarray(X), np.float32(1), product, (1,)),
    "weak ones": lambda fw, jnp: [fw.lax.reduce(x, start, f, (0,)) for f in (product, fw.lax.add)
                                  for x, start in ((jnp.full(3, 2.0), 0.0), (jnp.ones(3), 0.0),
                                                   (jnp.full(3, 2.0), np.float32(0)), (jnp.full(3, 2), 0))],
    "several": lambda fw, jnp: several(fw, jnp.asarray(X)),
    "nothing to reduce": lambda fw, jnp: fw.lax.reduce(jnp.zeros((2, 0)), np.float32(1), product, (1,)),
    "gradient": lambda fw, jnp: fw.grad(lambda x: fw.lax.reduce(x, 1.0, product, (1,)).sum())(jnp.asarray(X)),
    "gradient of all": lambda fw, jnp: fw.grad(lambda x: fw.lax.reduce(x, 1.0, product, (0, 1)))(jnp.asarray(X)),
    "gradient of several": lambda fw, jnp: fw.grad(lambda x: (several(fw, x)["s"] * several(fw, x)["p"]).sum())(
        jnp.asarray(X)
    ),
    "second derivatives": lambda fw, jnp: fw.hessian(lambda x: fw.lax.reduce(x, 1.0, product, (0,)))(
        jnp.arange(1.0, 4.0)
    ),
    "mapped": lambda fw, jnp: fw.vmap(lambda x: fw.lax.reduce(x, np.float32(1), product, (0,)), 1)(jnp.asarray(X)),
    "jitted": lambda fw, jnp: fw.jit(lambda x: several(fw, x))(X),
    "initial values mapped": lambda fw, jnp: fw.vmap(lambda i: fw.lax.reduce(jnp.asarray(X), i, product, (0,)))(X[0]),
    "gradient of the initial value": lambda fw, jnp: fw.grad(lambda i: fw.lax.reduce(X[0], i, product, (0,)))(
        np.float32(1)
    ),
    "other structures": lambda fw, jnp: fw.lax.reduce([X], (np.float32(0),), product, (0,)),
    "another dtype": lambda fw, jnp: fw.lax.reduce(X, np.int32(1), product, (0,)),
    "an initial value with dimensions": lambda fw, jnp: fw.lax.reduce(X, X, product, (0,)),
    "linear equations": lambda fw, jnp: solved(fw, jnp)(jnp.asarray(A), jnp.asarray(B)),
    "their gradients": lambda fw, jnp: fw.grad(lambda a, b: (solved(fw, jnp)(a, b) ** 2).sum(), (0, 1))(A, B),
    "their second derivatives": lambda fw, jnp: fw.hessian(lambda b: (solved(fw, jnp)(jnp.asarray(A), b) ** 3).sum())(
        jnp.asarray(B)
    ),
    "their tangents": lambda fw, jnp: fw.jvp(solved(fw, jnp), (A, B), (A + 1, B - 1)),
    "equations of which the left side is mapped": lambda fw, jnp: fw.vmap(solved(fw, jnp), (0, None))(
        jnp.stack([A, A + 1]), B
    ),
    "equations of which the right side is mapped": lambda fw, jnp: fw.vmap(solved(fw, jnp), (None, 1))(
        jnp.asarray(A), np.stack([B, B * 2, B * 3], 1)
    ),
    "gradients of mapped ones": lambda fw, jnp: fw.vmap(fw.grad(lambda a, b: solved(fw, jnp)(a, b).sum(), (0, 1)))(
        jnp.stack([A, A + 1]), jnp.stack([B, B])
    ),
    "in jit": lambda fw, jnp: fw.jit(solved(fw, jnp))(A, B),
    "symmetric equations": lambda fw, jnp: fw.grad(
        lambda b: solved(fw, jnp, symmetric=True)(jnp.asarray(A + A.T), b).sum()
    )(jnp.asarray(B)),
    "without transposed equations": lambda fw, jnp: fw.grad(
        lambda b: fw.lax.custom_linear_solve(lambda x: 2 * x, b, lambda f, b: b / 2).sum()
    )(jnp.asarray(B)),
    "forward without transposed equations": lambda fw, jnp: fw.jvp(
        lambda b: fw.lax.custom_linear_solve(lambda x: 2 * x, b, lambda f, b: b / 2), (B,), (B,)
    ),
    "with a number besides": lambda fw, jnp: with_steps(fw, jnp)(jnp.asarray(A), jnp.asarray(B)),
    "gradients with a number besides": lambda fw, jnp: fw.grad(
        lambda a, b: with_steps(fw, jnp)(a, b)[0].sum(), (0, 1)
    )(jnp.asarray(A), jnp.asarray(B)),
    "trees": lambda fw, jnp: fw.grad(
        lambda b: fw.tree.reduce(lambda x, y: x + y, fw.lax.custom_linear_solve(
            lambda x: fw.tree.map(lambda v: 3 * v, x), {"a": b, "b": (b, b * 2)},
            lambda f, b: fw.tree.map(lambda v: v / 3, b), lambda f, b: fw.tree.map(lambda v: v / 3, b),
        ))
    )(2.0),
    "another shape": lambda fw, jnp: fw.lax.custom_linear_solve(lambda x: x[:1], jnp.asarray(B), lambda f, b: b),
    "another structure": lambda fw, jnp: fw.lax.custom_linear_solve(lambda x: [x], jnp.asarray(B), lambda f, b: b),
    "a root": lambda fw, jnp: [cube_root(fw, jnp)(jnp.float32(8)), fw.jit(cube_root(fw, jnp))(27.0)],
    "its derivatives": lambda fw, jnp: [fw.grad(cube_root(fw, jnp))(8.0),
                                        fw.grad(fw.grad(cube_root(fw, jnp)))(8.0),
                                        fw.jvp(cube_root(fw, jnp), (8.0,), (2.0,))],
    "roots mapped": lambda fw, jnp: fw.vmap(fw.grad(cube_root(fw, jnp)))(jnp.array([1.0, 8.0, 27.0])),
    "a root with a number besides": lambda fw, jnp: [cube_root(fw, jnp, True)(8.0),
                                                     fw.grad(cube_root(fw, jnp, True), has_aux=True)(8.0)],
    "a root of another structure": lambda fw, jnp: fw.lax.custom_root(
        lambda y: [y], jnp.float32(1), lambda f, y: y, lambda g, y: y
    ),
    "no pair": lambda fw, jnp: fw.lax.custom_root(
        lambda y: y, jnp.float32(1), lambda f, y: y, lambda g, y: y, has_aux=True
    ),
    "scopes": lambda fw, jnp: [fw.named_call(lambda x: x + 1, name="more")(jnp.float32(1)), scoped(fw)(2.0)],
    "a scope without a name": lambda fw, jnp: fw.named_scope(3),
}  # fmt: skip


def scoped(fw: Any) -> Callable[[Any], Any]:
    """A function in a scope, with another in it."""

    def function(x: Any) -> Any:
        with fw.named_scope("inner"):
            return x * 2

    result: Callable[[Any], Any] = fw.jit(fw.named_scope("outer")(function))
    return result


@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str, x64: bool) -> None:
    def program(fw: Any, jnp: Any) -> Any:
        with fw.enable_x64(x64):
            return rounded(fw, PROGRAMS[name](fw, jnp))

    assert check_same(program) is None


def rounded(fw: Any, value: Any) -> Any:
    """Floats to five digits, as solutions differ in the last: text of values, with what kind of array they are."""
    return fw.tree.map(
        lambda v: (f"{np.asarray(v, complex) + 0:.5g}" if v.ndim == 0 else
                   [f"{e + 0:.4g}" for e in np.asarray(v).ravel()], str(v.dtype), v.weak_type, v.shape)
        if hasattr(v, "weak_type") else v, value,
    )  # fmt: skip


def test_jaxprs_check_and_scopes_are_in_the_program() -> None:
    at, jnp = OURS
    for jaxpr in (
        at.make_jaxpr(lambda x: several(at, x))(X),
        at.make_jaxpr(at.vmap(at.grad(lambda a, b: solved(at, jnp)(a, b).sum(), (0, 1))))(np.stack([A, A]), X[:, :2]),
        at.make_jaxpr(at.grad(cube_root(at, jnp)))(8.0),
    ):
        typecheck_jaxpr(jaxpr)
    (eqn,) = arraytyping.make_jaxpr(scoped(at).__wrapped__)(2.0).jaxpr.eqns  # type: ignore[attr-defined]
    assert eqn.source is not None
    assert eqn.source.scope == "outer/inner"
    assert "outer/inner/mul" in scoped(at).lower(2.0).compile().as_text()  # type: ignore[attr-defined]
