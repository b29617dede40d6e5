"""`jit` against JAX's: which calls share a program, and what may go in and come out besides arrays."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
from runtime_pairs import OURS, check_same

import arraytyping


def scaled(fw: Any, jnp: Any, factors: tuple[Any, ...]) -> list[Any]:
    """What one function gives for these static arguments, one after the other."""
    scale = fw.jit(lambda x, factor: x * factor, static_argnums=1)
    return [scale(jnp.int32(3), factor) for factor in factors]


@pytest.mark.parametrize("factors", [(1, 1.0, True), (True, 1, 1.0), (2.0, 2), (0, False, 0.0)])
def test_static_arguments_that_are_equal_have_programs_of_their_own(factors: tuple[Any, ...]) -> None:
    assert check_same(lambda fw, jnp: scaled(fw, jnp, factors)) is None
    assert [a.dtype for a in scaled(OURS[0], OURS[1], factors)] == [
        "float32" if type(f) is float else "int32" for f in factors
    ]


def test_static_arguments_by_name_and_in_tuples() -> None:
    at = arraytyping
    total = at.jit(lambda x, by: x * by[0], static_argnames="by")
    x = OURS[1].int32(3)
    assert [str(total(x, by=by).dtype) for by in ((1,), (1.0,), (True,), (1,))] == [
        "int32",
        "float32",
        "int32",
        "int32",
    ]
    assert len(total.traces) == 3
    inverse = at.jit(lambda zero, x: x / zero, static_argnums=0)
    one = OURS[1].float32(1)
    assert (float(inverse(0.0, one)), float(inverse(-0.0, one))) == (np.inf, -np.inf)


PROGRAMS = {
    "gradient of an int": lambda fw, jnp: fw.jit(fw.grad(lambda i, x: i * x, allow_int=True))(3, 2.0).shape,
    "gradients of a tree": lambda fw, jnp: fw.jit(fw.grad(lambda p: p["w"] * p["n"], allow_int=True))(
        {"w": 2.0, "n": 3}
    )["w"],
    "float0 goes in": lambda fw, jnp: fw.jit(lambda p, g: fw.tree.map(lambda x: x.shape, (p * 2, g))[1])(
        jnp.ones(2), np.zeros((2, 3), fw.dtypes.float0)
    ),
    "a pullback": lambda fw, jnp: fw.jit(lambda x: fw.vjp(jnp.sin, x))(1.0)[1](2.0),
    "a pullback goes in": lambda fw, jnp: fw.jit(lambda pull, ct: pull(ct))(fw.vjp(jnp.sin, 1.0)[1], 2.0),
    "a pullback by two arguments": lambda fw, jnp: fw.jit(lambda x, y: fw.vjp(lambda a, b: {"r": a * b}, x, y)[1])(
        jnp.arange(3.0), jnp.ones(3)
    )({"r": jnp.array([1.0, 2.0, 3.0])}),
    "a linear function": lambda fw, jnp: fw.jit(lambda x: fw.linearize(jnp.sin, x)[1])(1.0)(2.0),
    "a transpose": lambda fw, jnp: fw.jit(lambda m: fw.linear_transpose(lambda x: m @ x, jnp.ones(2)))(
        jnp.arange(4.0).reshape(2, 2)
    )(jnp.ones(2)),
    "batched pullbacks": lambda fw, jnp: fw.vmap(lambda pull: pull(1.0))(
        fw.vmap(lambda x: fw.vjp(jnp.sin, x)[1])(jnp.arange(3.0))
    ),
    "a tangent of another structure": lambda fw, jnp: fw.jit(lambda x: fw.linearize(jnp.sin, x)[1])(1.0)((2.0,)),
    "a cotangent of another structure": lambda fw, jnp: fw.jit(lambda x: fw.vjp(jnp.sin, x))(1.0)[1]([2.0]),
    "a cotangent of another dtype": lambda fw, jnp: fw.vjp(jnp.sin, 1.0)[1](jnp.int32(2)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_goes_through_jit_besides_arrays(name: str) -> None:
    assert check_same(PROGRAMS[name]) is None


def test_tangents_that_hold_nothing_leave_jit_as_they_are() -> None:
    for way in (lambda fw: fw.jit, lambda fw: lambda f: fw.jit(fw.jit(f))):
        ours = way(arraytyping)(arraytyping.grad(lambda i, x: (i * x).sum(), argnums=(0, 1), allow_int=True))
        for _ in range(2):  # traced, and from the cache
            nothing, gradient = ours(np.arange(3), np.ones(3, np.float32))
            assert (nothing.dtype, nothing.shape) == (jax.dtypes.float0, (3,))
            np.testing.assert_array_equal(gradient, [0, 1, 2])


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.float64, "bfloat16", float, np.ones(2, np.float16)])
def test_finfo_takes_classes_names_and_arrays(dtype: Any) -> None:
    assert check_same(lambda fw, jnp: [repr(getattr(jnp.finfo(dtype), k)) for k in ("eps", "max", "bits")]) is None


@pytest.mark.parametrize("dtype", [np.int32, np.uint8, np.int64, "int16", int, np.ones(2, np.int16)])
def test_iinfo_takes_classes_names_and_arrays(dtype: Any) -> None:
    assert check_same(lambda fw, jnp: [repr(getattr(jnp.iinfo(dtype), k)) for k in ("min", "max", "bits")]) is None


def calls_of(at: Any, jnp: Any) -> dict[str, tuple[Any, list[Any]]]:
    """Jitted functions, each with calls that are alike or nearly so."""
    x, y = jnp.arange(3.0), jnp.ones(3)
    minus = at.jit(lambda a, b: a - b)
    static = at.jit(lambda a, n, m=2: a * n - m, static_argnums=1, static_argnames="m")
    of_tree = at.jit(lambda t, s=1.0: at.tree.map(lambda v: v * s, t))
    return {
        "keywords": (minus, [lambda f: f(a=x, b=y), lambda f: f(b=x, a=y), lambda f: f(x, b=y), lambda f: f(y, b=x)]),
        "numbers": (minus, [lambda f: f(x, 2.0), lambda f: f(x, 3), lambda f: f(2.0, x), lambda f: f(x, True)]),
        "zeros": (at.jit(lambda a, b: b / a), [lambda f: f(0.0, 1.0), lambda f: f(-0.0, 1.0)]),
        "arrays of numpy": (minus, [lambda f: f(np.ones(3, "float32"), y), lambda f: f(x, np.ones(3)),
                                    lambda f: f(np.arange(3), y), lambda f: f(np.float32(2), y)]),
        "static": (static, [lambda f: f(x, 2), lambda f: f(x, 2.0), lambda f: f(x, 3), lambda f: f(x, True),
                            lambda f: f(x, 2, m=3), lambda f: f(x, n=2), lambda f: f(x, 2, 3)]),
        "containers": (of_tree, [lambda f: f([x, y]), lambda f: f((x, y)), lambda f: f({"b": x, "a": y}),
                                 lambda f: f({"a": x, "b": (y, None)}), lambda f: f([x, 2.0], s=y),
                                 lambda f: f([x], 3)]),
        "a class of its own": (of_tree, [lambda f: f(at.tree_util.Partial(max, x)).args,
                                         lambda f: f(at.tree_util.Partial(min, x, 2.0)).args]),
        "keys": (at.jit(lambda k: at.random.normal(k, (2,))), [lambda f: f(at.random.key(0)),
                                                               lambda f: f(at.random.PRNGKey(1))]),
        "refused": (static, [lambda f: f(x, [2]), lambda f: f("x", 2), lambda f: f(2**40, 2)]),
    }  # fmt: skip


@pytest.mark.parametrize("name", calls_of(*OURS))
def test_calls_that_are_found_at_once_give_what_the_first_gave(name: str) -> None:
    function, calls = calls_of(*OURS)[name]

    def result(call: Any, f: Any) -> str:
        try:
            return repr(arraytyping.tree.map(lambda v: (v, v.dtype, v.weak_type), call(f)))
        except (TypeError, ValueError, OverflowError) as error:
            return f"{type(error).__name__}: {error}"

    def afresh(call: Any) -> str:
        function.clear_cache()
        return result(call, function)

    wanted = [afresh(call) for call in calls]
    function.clear_cache()
    for _ in range(3):
        assert [result(call, function) for call in calls] == wanted


def test_a_donated_number_is_not_given_away() -> None:
    jnp = OURS[1]
    f = arraytyping.jit(lambda x: x + 1, donate_argnums=0)
    for _ in range(3):
        assert float(f(2.0)) == 3
        x = jnp.float32(5)
        assert float(f(x)) == 6
        assert x.is_deleted()
    assert float(jnp.float32(1) * 2.0) == 2


def test_without_jit_functions_run_as_plain_python() -> None:
    def program(fw: Any, jnp: Any) -> list[Any]:
        seen: list[Any] = []

        def note(x: Any) -> Any:
            seen.append(float(x))  # a tracer has no value
            return x * 2

        jitted = fw.jit(note)
        with fw.disable_jit():
            results = [
                jitted(jnp.float32(1)),
                fw.lax.cond(jnp.float32(2) > 1, note, lambda x: x, jnp.float32(2)),
                fw.lax.switch(1, [lambda x: x, note], jnp.float32(3)),
                fw.lax.while_loop(lambda x: x < 20, note, jnp.float32(4)),
                fw.lax.scan(lambda c, x: (note(c) + x, c), jnp.float32(5), jnp.arange(3.0), reverse=True),
                fw.lax.fori_loop(0, 2, lambda i, x: note(x) + i, jnp.float32(6)),
                fw.grad(lambda x: fw.jit(lambda y: y * y)(x))(jnp.float32(7)),
            ]
        with_jit = jitted.__wrapped__ is note and fw.jit(lambda x: isinstance(x, fw.Array) and x + 1)(1)
        return [results, seen, with_jit]

    assert check_same(program) is None
