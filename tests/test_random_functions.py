"""The rules of random functions against JAX itself: keys, shapes, dtypes and mistakes."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import jax
import pytest
from oracle import Call, array, configured, describes, differences, from_jax, rule_says

from arraytyping.scalars import DTYPES, SCALARS, bits
from arraytyping.semantics.avals import UNKNOWN, NumPyArray, ShapedArray
from arraytyping.semantics.rules.registry import RULES

KEY = array("uint32", 2)
FLOAT_FUNCTIONS = ("cauchy", "exponential", "gumbel", "laplace", "logistic", "normal", "uniform")
NAMES = sorted(n.removeprefix("random.") for n in RULES if n.startswith("random."))
NO_KEYS: tuple[Any, ...] = (
    array("uint32"), array("uint32", 3), array("float32", 2), array("uint32", 5, 2), None, 0, [0, 1], "a",
    NumPyArray((2,), "uint32"), NumPyArray((2,), "int64"), NumPyArray((), "uint32"), array("bool"),
)  # fmt: skip


@cache
def calls() -> tuple[Call, ...]:
    """Calls that JAX can be asked for in one trace."""
    return tuple(_calls())


def _calls() -> Iterator[Call]:
    yield from _of_keys()
    for name in FLOAT_FUNCTIONS:
        for dtype in (None, float, "float64", "bfloat16", int, "complex64", "int8", SCALARS["float16"], "bool"):
            yield Call(f"random.{name}", (KEY, (2, 3), dtype))
        for shape in ((), 3, (0,), [2], (2, True), NumPyArray((), "int8"), (2.5,), "ab"):
            if not isinstance(shape, NumPyArray):
                yield Call(f"random.{name}", (KEY,), {"shape": shape})
    for low, high in product((0, 0.5, True, array("int8", 3), array("float32", 2, 1)), (1.0, array("complex64"))):
        yield Call("random.uniform", (KEY, (2, 3)), {"minval": low, "maxval": high})
        yield Call("random.truncated_normal", (KEY, low, high))
        yield Call("random.truncated_normal", (KEY, low, high, (2, 3), "float16"))
    for bound in (array("float32", 4), None, 2**40):
        yield Call("random.uniform", (KEY, (2, 3)), {"minval": bound})
        yield Call("random.truncated_normal", (KEY, 0.0, bound, (2, 3)))
    yield Call("random.truncated_normal", (KEY, array("float32", 3), array("float32", 2)))
    yield Call("random.truncated_normal", (KEY, 0.0, 1.0, None, "int32"))
    for mode in (None, "low", "high", "highest", "x", 1):
        yield Call("random.gumbel", (KEY, (2,), "float16", mode))
        yield Call("random.bernoulli", (KEY, 0.5, (2,)), {} if mode is None else {"mode": mode})
    for dtype in ("uint8", "uint16", "uint32", "uint64", "int32", float, None, "uint4"):
        for size in ((), (2, 3), [4], 3, (2.5,)):
            yield Call("lax.rng_bit_generator", (array("uint32", 4), size, dtype))
    yield Call("lax.rng_bit_generator", (array("uint32", 4), (2,)))
    yield Call("lax.rng_bit_generator", ([1, 2, 3, 4], (2,)))
    yield Call("lax.rng_bit_generator", (None, (2,)))
    yield from _discrete()
    yield from _draws()
    yield from _distributions()


ONE_PARAMETER = ("gamma", "loggamma", "pareto", "t", "chisquare", "rayleigh", "wald", "lognormal")
PARAMETERS: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys((*ONE_PARAMETER, "poisson", "geometric"), (0.5,)), "beta": (1, 2.0), "f": (3, 2.0),
    "triangular": (0, 1, 2), "dirichlet": (array("float32", 3),), "binomial": (5, 0.5), "double_sided_maxwell": (0, 1),
    "multinomial": (5.0, array("float32", 3)), "weibull_min": (1.0, 2), "generalized_normal": (2,), "ball": (3,),
    "orthogonal": (3,), "multivariate_normal": (array("float32", 2), array("float32", 2, 2)),
}  # fmt: skip
"""Parameters with which each distribution can be drawn from."""


def _distributions() -> Iterator[Call]:
    shape: Any
    some = (2, array("float32", 3), array("int8", 2, 1), array("bfloat16"), None, array("float16", weak=True), [1.0])
    for name in (*ONE_PARAMETER, "poisson", "geometric"):
        for given in (*some, array("complex64", 3)):
            yield Call(f"random.{name}", (KEY, given))
            yield Call(f"random.{name}", (KEY, given, (2, 3)))
        for dtype in (None, "bfloat16", "int32", float, "int8", "complex64"):
            yield Call(f"random.{name}", (KEY, array("float32", 3), (2, 3), dtype))
            yield Call(f"random.{name}", (KEY, 1.0, (2,), dtype))
        for shape in (3, (2.5,), (2, 1, 3), ()):
            yield Call(f"random.{name}", (KEY, array("float32", 3), shape))
    yield Call("random.lognormal", (KEY,), {"dtype": "float16"})
    yield Call("random.lognormal", (KEY,))
    for name in ("beta", "f", "binomial", "double_sided_maxwell", "weibull_min", "triangular"):
        third = (2.0,) if name == "triangular" else ()
        for a, b in product(some[:4], some):
            yield Call(f"random.{name}", (KEY, a, b, *third))
            yield Call(f"random.{name}", (KEY, a, b, *third, (4, 2, 3)))
        for dtype in (None, "bfloat16", "int32", "complex64"):
            yield Call(f"random.{name}", (KEY, array("float32", 3), 1.0, *third, (2, 3), dtype))
            yield Call(f"random.{name}", (KEY, 1, 1.0, *third, (2,), dtype))
    for alpha in (*some, array("float32", 2, 3), array("float32", 4, 1, 0)):
        for shape in (None, (2,), (4, 2), ()):
            yield Call("random.dirichlet", (KEY, alpha, shape))
            yield Call("random.multinomial", (KEY, 3, alpha), {"shape": shape})
    for count, dtype in product((array("int8", 2), array("float32", 4), 3), (None, "int32", "bfloat16", "complex64")):
        yield Call("random.multinomial", (KEY, count, array("float32", 2, 3)), {"dtype": dtype})
    for shape, dtype in product(((), 3, (2,)), (None, "bfloat16", "int32", "complex64")):
        yield Call("random.maxwell", (KEY, shape, dtype))
        yield Call("random.orthogonal", (KEY, 3, shape, dtype))
        yield Call("random.ball", (KEY, 3, 2, shape, dtype))
        for p in (2, 0.5, array("float32"), array("float32", 2), array("bfloat16"), array("int8")):
            yield Call("random.generalized_normal", (KEY, p, shape, dtype))
    for size, m in product((0, 2, 2.5, None, -1), (None, 3, 1, -1)):
        yield Call("random.orthogonal", (KEY, size), {"m": m})
        yield Call("random.ball", (KEY, size))
    yield from _normals()


def _normals() -> Iterator[Call]:
    means = (array("float32", 2), array("int8", 3, 2), array("bfloat16", 2), 1.0, array("float32", 2, weak=True))
    matrices = (array("float32", 2, 2), array("float32", 4, 1, 2, 2), array("int32", 2, 2), array("float32", 3, 3),
                array("float32", 2), array("float32", 2, 2, weak=True))  # fmt: skip
    for mean, cov in product(means, matrices):
        for shape in (None, (3,), (4, 3)):
            yield Call("random.multivariate_normal", (KEY, mean, cov, shape))
    for dtype, method in product((None, "bfloat16", "int32"), ("svd", "eigh", "x", 1)):
        yield Call("random.multivariate_normal", (KEY, means[0], matrices[0], None, dtype, method))


def _of_keys() -> Iterator[Call]:
    arguments = {
        "randint": ((2,), 0, 9), "permutation": (5,), "choice": (5,), "truncated_normal": (0, 1),
        "categorical": (array("float32", 3),), "fold_in": (1,), **PARAMETERS,
    }  # fmt: skip
    for name in NAMES:
        if name != "clone":
            for no_key in (KEY, *NO_KEYS):
                yield Call(f"random.{name}", (no_key, *arguments.get(name, ())))
    for num in (0, 3, True, (2, 3), [], [4]):
        yield Call("random.split", (KEY, num))
    for data in (0, 2**32 - 1, 2**32, -1, array("int8"), array("float32"), array("int32", 2), 1.5):
        yield Call("random.fold_in", (KEY, data))
    yield Call("random.key_data", (array("uint32", 3, 2),))
    yield Call("random.clone", (array("float32", 3),))


def _discrete() -> Iterator[Call]:
    dtype: Any
    for dtype in (None, "uint8", "uint16", "uint32", "uint64", "uint4", "int32", "float32", int):
        yield Call("random.bits", (KEY, (2,), dtype))
    for dtype in (None, *DTYPES, int, float, bool):
        if not isinstance(dtype, str) or bits(dtype) >= 4:
            yield Call("random.randint", (KEY, (2, 3), 0, 9, dtype))
            yield Call("random.rademacher", (KEY, (2, 3), dtype))
    for low, high in product((0, 0.5, True, array("int8", 3), array("uint32", 2, 1)), (1, array("complex64"))):
        for dtype in ("int8", "int32"):
            yield Call("random.randint", (KEY, (2, 3), low, high, dtype))
    for bound in (array("int8", 4), array("int8", 1, 2, 3), None):
        yield Call("random.randint", (KEY, (2, 3), bound, 5))
    yield Call("random.randint", (KEY, (2,), 0, 2**40))
    yield Call("random.randint", (KEY, (2,), 0, None, "int8"))
    yield Call("random.randint", (KEY, (3,), [0, 1, 2], 3, "int8"))
    for mean in (0.5, 1, array("float32", 3), array("bfloat16"), array("int8"), array("float4_e2m1fn", 3), None):
        yield Call("random.bernoulli", (KEY, mean))
        yield Call("random.bernoulli", (KEY, mean, (2, 3)))
    yield Call("random.bernoulli", (KEY, array("float32", 3), (2,)))


def _draws() -> Iterator[Call]:
    shape: Any
    x = array("bfloat16", 4, 3)
    for items in (5, 0, 5.0, True, x, array("float32", 3, weak=True), array("int8", 0), None, [1]):
        yield Call("random.permutation", (KEY, items))
        for shape, replace in product(((), (3,), [2, 2], (0,)), (True, False)):
            yield Call("random.choice", (KEY, items, shape, replace))
    for axis in (1, -1, 2):
        yield Call("random.permutation", (KEY, x, axis), {"independent": True})
        yield Call("random.choice", (KEY, x, (2, 5)), {"axis": axis})
    for p in (array("float32", 4), array("int8", 4), array("float32", 3), array("float32", 4, 1), [0.5], 1.0):
        yield Call("random.choice", (KEY, x, (2,), False, p))
        yield Call("random.choice", (KEY, 4, (2,)), {"p": p})
    yield Call("random.choice", (KEY, 4, 3))
    yield Call("random.choice", (KEY, 4, (3, 2), False))
    for logits, axis in product(
        (x, array("float32", 3, weak=True), array("float16", 2, 3, 4), array("int8", 3)), (-1, 0, 1)
    ):
        for shape, replace in product((None, (5, 4), (5,), (2, 2, 3), ()), (True, False)):
            yield Call("random.categorical", (KEY, logits, axis, shape, replace))
    yield Call("random.categorical", (KEY, x), {"mode": "x"})
    yield Call("random.categorical", (KEY, 0.5))
    yield Call("random.categorical", (KEY, None))


@pytest.mark.parametrize("x64", [False, True])
def test_calls(x64: bool) -> None:
    count, lines = differences(calls(), x64=x64, at_once=True)
    print(f"{count} calls compared, {len(lines)} differ")
    assert lines == []
    assert count > 400


@pytest.mark.parametrize("x64", [False, True])
def test_every_dtype(x64: bool) -> None:
    names = [d for d in DTYPES if bits(d) >= 4 or d == "bool"]
    found = [Call(f"random.{name}", (KEY, (2,), dtype)) for name in (*FLOAT_FUNCTIONS, "bits") for dtype in names]
    arrays = [array(d, 2) for d in names if x64 or d not in ("int64", "uint64", "float64", "complex128")]
    found += [Call(f"random.{name}", (KEY, a)) for name in ("bernoulli", "permutation") for a in arrays]
    count, lines = differences(found, x64=x64, at_once=True)
    assert lines == []
    assert count > 250


@pytest.mark.parametrize("name", NAMES)
def test_signature(name: str) -> None:
    real = inspect.signature(getattr(jax.random, name)).parameters.values()
    ours = RULES[f"random.{name}"].signature.parameters.values()
    assert [(p.name, p.kind, p.default) for p in ours] == [(p.name, p.kind, p.default) for p in real]


@pytest.mark.parametrize("implementation", ["threefry2x32", "rbg", "threefry4x32"])
def test_typed_keys(implementation: str) -> None:
    """Keys of other implementations too, whose bits have other sizes."""
    with configured(False, "standard"), warnings.catch_warnings():
        key = jax.random.key(0, impl=implementation)
        typed = from_jax(key)
        raw = from_jax(jax.random.key_data(key))
        assert str(typed.dtype).startswith("key<")
        for name, args in (("split", (3,)), ("split", ((2, 2),)), ("fold_in", (1,)), ("key_data", ()), ("clone", ()),
                           ("uniform", ((2,),)), ("bits", ())):  # fmt: skip
            real = from_jax(getattr(jax.random, name)(key, *args))
            assert rule_says(Call(f"random.{name}", (typed, *args))) == real
            if implementation == "threefry2x32":
                real = from_jax(getattr(jax.random, name)(jax.random.key_data(key), *args))
            elif name in ("split", "fold_in"):
                continue  # bits of another implementation than the default one
            assert describes(rule_says(Call(f"random.{name}", (raw, *args))), real) or name in ("key_data", "clone")
        many = from_jax(jax.random.split(key, 3))
        assert rule_says(Call("random.uniform", (many,))).exception is ValueError
        assert rule_says(Call("random.key_data", (many,))) == from_jax(jax.random.key_data(jax.random.split(key, 3)))


def test_what_may_be_a_key() -> None:
    """An array of unknown dtype may be a typed key or the bits of one, so its shape says nothing."""
    for unknown in (UNKNOWN, ShapedArray((2,), None), ShapedArray(None, None), ShapedArray(None, "uint32")):
        assert rule_says(Call("random.uniform", (unknown,))) == array("float32")
    assert rule_says(Call("random.split", (ShapedArray((), None), 3))) == ShapedArray(None, None)
    assert rule_says(Call("random.split", (ShapedArray((None,), "uint32"), 3))) == ShapedArray((3, None), "uint32")
