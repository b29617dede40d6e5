"""What the runtime refuses as jax does, and what it takes that jax takes too: cases of JAX's own tests."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import arraytyping as at
import arraytyping.numpy as anp
from arraytyping.runtime.jaxpr.evaluate import eval_jaxpr

LIBRARIES = ((at, anp), (jax, jnp))
MASKED = np.ma.array([1, 2, 3], mask=[True, False, True])


@pytest.mark.parametrize(
    "function",
    [
        lambda _, np_like: np_like.asarray(MASKED), lambda _, np_like: np_like.sin(MASKED),
        lambda _, np_like: np_like.ones(3) + MASKED, lambda _, np_like: MASKED + np_like.ones(3),
        lambda library, _: library.jit(lambda x: x)(MASKED), lambda library, _: library.device_put(MASKED),
    ],
)  # fmt: skip
def test_a_mask_is_not_lost(function: Any) -> None:
    for library, np_like in LIBRARIES:
        with pytest.raises(ValueError, match="masked arrays are not supported"):
            function(library, np_like)
        assert np_like.array(MASKED).tolist() == [1, 2, 3]  # a copy has none


class Scaled(NamedTuple):
    """A tuple with operators of its own."""

    array: Any

    def __rmul__(self, other: Any) -> Scaled:
        return Scaled(other * self.array)


def test_an_operand_with_operators_of_its_own_computes() -> None:
    for _, np_like in LIBRARIES:
        assert isinstance(np_like.ones(4) * Scaled(np_like.ones(4)), Scaled)
        for container in ((1.0,), [1.0]):
            with pytest.raises(TypeError):
                np_like.ones(1) * container


PRIMALS = [1.0, 1, np.float32(1), np.float16(1), np.int32(1), np.ones(2, np.float32), np.complex64(1)]
TANGENTS = [1.0, 1, True, np.float32(1), np.float16(1), np.ones(2, np.float32), np.zeros((), at.float0), 1j]


@pytest.mark.parametrize("primal", PRIMALS, ids=repr)
@pytest.mark.parametrize("tangent", TANGENTS, ids=repr)
def test_tangents_of_another_type(primal: Any, tangent: Any) -> None:
    found = []
    for library, np_like in LIBRARIES:
        try:
            _, linear = library.linearize(lambda x: x, primal)
            out = linear(tangent)
            found.append(out.dtype if hasattr(out, "dtype") else np_like.asarray(out).dtype)
        except (ValueError, TypeError) as error:
            found.append(type(error))
    assert found[0] == found[1]


RESULTS = [np.arange(2), np.ones(2, bool), 3, True]
COTANGENTS = [np.arange(2), np.ones(2, bool), np.ones(2, np.float32), np.zeros(2, at.float0), 3, 1.5, np.arange(3)]


@pytest.mark.parametrize("result", RESULTS, ids=repr)
@pytest.mark.parametrize("cotangent", COTANGENTS, ids=repr)
def test_cotangents_of_integer_results(result: Any, cotangent: Any) -> None:
    found: list[Any] = []
    for library, np_like in LIBRARIES:
        _, pullback = library.vjp(lambda x, np_like=np_like: (2 * x, np_like.asarray(result)), 1.0)
        try:
            found.append(float(pullback((1.0, cotangent))[0]))
        except ValueError as error:
            found.append(type(error))
    assert found[0] == found[1]


class DuckArray:
    """It has a shape and a dtype, and its values are asked for in vain."""

    shape = (2, 3)
    dtype = np.dtype("float32")

    def __jax_array__(self) -> Any:
        raise ValueError("the values were asked for")


@pytest.mark.parametrize("name", ["zeros_like", "ones_like", "empty_like", "full_like"])
def test_the_type_of_a_duck_array_is_enough(name: str) -> None:
    for _, np_like in LIBRARIES:
        value = (2.0,) if name == "full_like" else ()
        made = getattr(np_like, name)(DuckArray(), *value)
        assert (made.shape, made.dtype) == ((2, 3), np.dtype("float32"))
        with pytest.raises(ValueError, match="the values"):
            np_like.asarray(DuckArray())


def marks(library: Any, **options: Any) -> list[Any]:
    """Which of the arguments of `f` are tracers, for each way to pass them; or the class of an exception."""
    seen: list[Any] = []

    def f(x: Any, /, y: Any, *, z: Any = 0) -> int:
        seen[-1] += tuple(isinstance(v, jax.core.Tracer | at.core.Tracer) for v in (x, y, z))
        return 0

    try:
        jitted = library.jit(f, **options)
    except ValueError:
        return [ValueError]
    for args, kwargs in (((1, 2), {}), ((1,), {"y": 2}), ((1, 2), {"z": 3})):
        seen.append(())
        jitted(*args, **kwargs)
    return seen


NUMBERS = [None, (), 0, (0, 1), -1, -3, (1, 3)]
NAMES = [None, (), "x", "y", ("y", "z"), "other"]


@pytest.mark.parametrize("numbers", NUMBERS, ids=repr)
@pytest.mark.parametrize("names", NAMES, ids=repr)
def test_static_arguments_by_number_and_by_name(numbers: Any, names: Any) -> None:
    options = {"static_argnums": numbers, "static_argnames": names}
    assert marks(at, **options) == marks(jax, **options)
    donated = {"donate_argnums": numbers, "donate_argnames": names, "static_argnames": "y"}
    assert (marks(at, **donated) == [ValueError]) is (marks(jax, **donated) == [ValueError])


def test_static_arguments_of_a_function_of_any_names() -> None:
    for library, _ in LIBRARIES:
        library.jit(lambda a, /, b, *c, **d: a, static_argnames=("b", "other"), static_argnums=7)
        for name in ("a", "c"):
            with pytest.raises(ValueError, match=name):
                library.jit(lambda a, /, b, *c, **d: a, static_argnames=name)


def test_a_compiled_function_is_not_transformed() -> None:
    for library, np_like in LIBRARIES:
        compiled = library.jit(lambda x: x + 4).lower(1.0).compile()
        assert compiled(2.0) == 6

        def further(x: Any, compiled: Any = compiled) -> Any:
            return compiled(x) + 2

        for transformed, x in (
            (library.vmap(further), np_like.ones(3)), (library.jit(further), 1.0),
            (library.vmap(library.grad(further)), np_like.ones(3)),
        ):  # fmt: skip
            with pytest.raises(TypeError, match="Cannot apply JAX transformations to a function lowered and compiled"):
                transformed(x)


def test_a_jaxpr_takes_python_numbers() -> None:
    closed = at.make_jaxpr(at.jit(lambda x: (x, x + 1)))(7)
    assert [int(x) for x in eval_jaxpr(closed.jaxpr, closed.consts, 7)] == [7, 8]


def test_derivatives_give_arrays() -> None:
    for value in (*at.jvp(lambda x: x, (1.0,), (2.0,)), *at.vjp(lambda x: x, 1.0)[1](2.0), at.grad(lambda x: x)(1.0)):
        assert type(value) is type(anp.ones(1))


def test_one_axis_named_twice() -> None:
    for _, np_like in LIBRARIES:
        for axes in ((0, 0), (0, -3)):
            with pytest.raises(ValueError, match="repeated axis"):
                np_like.size(np_like.zeros((2, 3, 4)), axes)


def test_grids() -> None:
    for library, np_like in LIBRARIES:
        assert len(np_like.indices((), sparse=True)) == 0
        with library.numpy_dtype_promotion("strict"):
            assert np_like.mgrid[1:6:8j, 2:4].dtype == np.dtype("float32")


RANGES: list[tuple[str, Any]] = [
    ("sum", lambda m, x: m.sum(x, axis=range(2))), ("Array.sum", lambda m, x: x.sum(range(1))),
    ("transpose", lambda m, x: m.transpose(x, range(1, -1, -1))),
    ("Array.transpose", lambda m, x: x.transpose(range(2))),
    ("reshape", lambda m, x: m.reshape(x, range(2, 4))), ("Array.reshape", lambda m, x: x.reshape(range(2, 4))),
    ("zeros", lambda m, x: m.zeros(range(2, 4))), ("expand_dims", lambda m, x: m.expand_dims(x, range(1))),
    ("flip", lambda m, x: m.flip(x, range(2))), ("moveaxis", lambda m, x: m.moveaxis(x, range(2), range(1, -1, -1))),
    ("squeeze", lambda m, x: m.squeeze(x[None], range(1))),
]  # fmt: skip


@pytest.mark.parametrize("function", [f for _, f in RANGES], ids=[name for name, _ in RANGES])
def test_ranges_of_axes_and_sizes(function: Any) -> None:
    ours, theirs = (np.asarray(function(m, m.arange(6.0).reshape(3, 2))) for _, m in LIBRARIES)
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3), (1, 0, 3)], ids=str)
def test_distinct_values_of_nothing(shape: tuple[int, ...]) -> None:
    for axis in (None, *range(len(shape))):
        for flags in itertools.product((False, True), repeat=3):
            found = []
            for _, np_like in LIBRARIES:
                try:
                    results = np_like.unique(np_like.zeros(shape), *flags, axis=axis)
                except ValueError:
                    results = ()
                several = results if isinstance(results, tuple) else (results,)
                found.append([(r.dtype, r.shape, r.tolist()) for r in several])
            assert found[0] == found[1], (axis, flags)


@pytest.mark.parametrize("dtype", [None, np.float32, "bfloat16", int, "complex64"], ids=str)
def test_frequencies(dtype: Any) -> None:
    for name, n, d in itertools.product(("fftfreq", "rfftfreq"), (4, 5), (1.0, 2)):
        ours, theirs = (getattr(m.fft, name)(n, d, dtype=dtype) for _, m in LIBRARIES)
        assert ours.dtype == theirs.dtype
        np.testing.assert_allclose(np.asarray(ours, np.complex64), np.asarray(theirs, np.complex64), rtol=1e-6)


def test_the_gradient_of_a_pseudo_inverse_makes_no_large_square() -> None:
    for shape in ((2, 500),):
        x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
        gradients = []
        for library, np_like in LIBRARIES:
            gradient = library.grad(lambda x, np_like=np_like: (np_like.linalg.pinv(x) ** 3).sum())
            gradients.append(np.asarray(gradient(x)))
            assert "500,500" not in str(library.make_jaxpr(gradient)(x))
        np.testing.assert_allclose(gradients[0], gradients[1], rtol=1e-3, atol=1e-8)


def test_dtypes_of_keys() -> None:
    answers = []
    for library, np_like in LIBRARIES:
        keys = [library.random.key(0).dtype, library.random.key(0, impl="rbg").dtype]
        classes = [library.dtypes.prng_key, library.dtypes.extended]
        numbers: list[Any] = [np_like.float32, np.dtype("int8"), "float32", np.float32]
        above = [*classes, np.generic, np.floating, np_like.floating, np.integer, *keys, np_like.float32]
        answers.append([np_like.issubdtype(a, b) for a in (*keys, *classes, *numbers) for b in above])
    assert answers[0] == answers[1]
