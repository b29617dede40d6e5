"""The rules of the reductions, of sorting, and of the arrays of one number of jax.lax against JAX itself."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from itertools import product
from typing import Any

import jax
import pytest
from oracle import Call, array, differences, elements, rule_says

from arraytyping.scalars import DTYPES
from arraytyping.semantics.avals import UNKNOWN, NumPyArray, Scalar, ShapedArray
from arraytyping.semantics.rules.registry import RULES

REDUCTIONS = ["reduce_sum", "reduce_prod", "reduce_max", "reduce_min", "reduce_and", "reduce_or", "reduce_xor"]
ARG_EXTREMES = ["argmax", "argmin"]
CUMULATIVE = ["cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"]
OTHERS = ["sort", "sort_key_val", "top_k", "full", "full_like", "iota", "broadcasted_iota"]
SCALARS: tuple[bool | float | complex, ...] = (True, 2, 2.5, 1j)
ODD = (2**31, -(2**40), 2**63, 2**70, None, "a", [1.0], (1,), slice(None), float)


def all_elements(x64: bool) -> list[tuple[str, bool]]:
    """Every dtype and weak dtype, weak bool, and a weak dtype that is no default."""
    return [*elements(x64), ("bool", True), ("int8", True)]


@pytest.mark.parametrize("name", [*REDUCTIONS, *ARG_EXTREMES, *CUMULATIVE, *OTHERS])
def test_signature(name: str) -> None:
    real = inspect.signature(getattr(jax.lax, name)).parameters.values()
    ours = RULES[f"lax.{name}"].signature.parameters.values()
    assert [(p.name, p.kind, p.default) for p in ours] == [(p.name, p.kind, p.default) for p in real]


def reductions(x64: bool) -> Iterator[Call]:
    axis: Any
    for name, e in product(REDUCTIONS, all_elements(x64)):
        yield Call(f"lax.{name}", (ShapedArray((2, 3), *e), (0,)))
    for name, axes in product(
        REDUCTIONS,
        ((), (0,), (1,), (0, 1), (1, 0), [2], (-1,), (0, 0), (0, -1), (5,), (True,), 0, None, 1.5, (None,), ("a",)),
    ):
        if "and" in name or "or" in name:
            if axes not in ((None,), ("a",)):
                yield Call(f"lax.{name}", (array("bool", 2, 0, 3), axes))
        else:
            yield Call(f"lax.{name}", (array("float32", 2, 0, 3, weak=True), axes))
    for name, x in product(REDUCTIONS, (*SCALARS, NumPyArray((2,), "float64"), NumPyArray((), "int64"), *ODD)):
        yield Call(f"lax.{name}", (x, ()))
    for name, e in product((*ARG_EXTREMES, *CUMULATIVE), all_elements(x64)):
        yield Call(f"lax.{name}", (ShapedArray((2, 3), *e), 1, *(("int32",) if "arg" in name else ())))
    for name, dtype in product(ARG_EXTREMES, (*DTYPES, int, float, bool, None, "abc", "i4", 1, array("int8"))):
        yield Call(f"lax.{name}", (array("float32", 2, 3), 0, dtype))
    for name, axis in product(ARG_EXTREMES, (0, 1, 2, 3, -1, True, None, "a", (0,))):
        yield Call(f"lax.{name}", (array("float32", 2, 0, 3), axis, "int32"))
    for name, axis in product(CUMULATIVE, (0, 1, 2, 3, -1, True, 1.7, None, (0,), 1j)):
        yield Call(f"lax.{name}", (array("float32", 2, 0, 3), axis))
        yield Call(f"lax.{name}", (array("float32", 2, 0, 3),), {"axis": axis, "reverse": True})
    for odd in (2.5, NumPyArray((2,), "float64"), NumPyArray((), "float64"), None, "a", [1.0], 2**40):
        yield Call("lax.cumsum", (odd,))
        yield Call("lax.argmax", (odd, 0, int))
    yield Call("lax.reduce_sum", (array("int8", 2), (0,)), {"out_sharding": None})


def sorts(x64: bool) -> Iterator[Call]:
    f, g, w = array("float32", 2, 3), array("uint8", 2, 3), array("int32", 2, 3, weak=True)
    for e in all_elements(x64):
        x = ShapedArray((2, 3), *e)
        yield Call("lax.sort", (x,))
        yield Call("lax.sort", ((f, x),))
        yield Call("lax.sort_key_val", (x, f))
        yield Call("lax.top_k", (x, 2))
    for operand in ((f,), (f, g), [w, f], (f, array("float32", 2)), (), "", "ab", 2.0, None, (2.0, 3.0), (f, 2.0),
                    (f, None), (None,), (NumPyArray((2, 3), "int64"), f), NumPyArray((3,), "float64"), array("int8"),
                    array("int8", 0), float, (f, 2**40), (array("int8"), array("int8"))):  # fmt: skip
        yield Call("lax.sort", (operand,))
    for d in (0, 1, -1, -2, 2, -3, None, 1.0, True, "a"):
        yield Call("lax.sort", (f, d))
        yield Call("lax.sort", ((f, g), d))
        yield Call("lax.sort_key_val", (f, g, d))
        yield Call("lax.top_k", (f, 1), {"axis": d})
    for k in (0, 1, 2, 3, -1, True, None, 1.0, 2.0, "a"):
        yield Call("lax.sort", (f,), {"num_keys": k})
        yield Call("lax.sort", ((f, w), 0, False), {"num_keys": k})
    for values in (2.0, g, w, array("int8", 3), NumPyArray((2, 3), "float64"), None):
        yield Call("lax.sort_key_val", (f, values))
        yield Call("lax.sort_key_val", (values, f))
    for k in (0, 1, 3, 4, -1, True, None, "a", 1.5):
        yield Call("lax.top_k", (w, k))
    for odd in (2.0, None, [1.0, 2.0], NumPyArray((4,), "float64"), array("float32")):
        yield Call("lax.top_k", (odd, 1))


def creations(x64: bool) -> Iterator[Call]:
    f, w, scalar = array("float32", 2, 3), array("float32", 2, weak=True), array("int32", weak=True)
    dtypes = (*DTYPES, int, float, bool, complex, "abc", "f4", 1, array("int8", 2))
    fills: tuple[Any, ...] = (*SCALARS, float("nan"), float("inf"), 300, -1, *ODD)
    for dtype in dtypes:
        yield Call("lax.iota", (dtype, 3))
        for fill in fills:
            yield Call("lax.full", ((2,), fill, dtype))
            yield Call("lax.full_like", (f, fill, dtype))
    for e, fill in product(all_elements(x64), fills):
        yield Call("lax.full_like", (ShapedArray((2,), *e), fill))
        yield Call("lax.full_like", (1, ShapedArray((), *e)))
        yield Call("lax.full", ((2,), ShapedArray((), *e)))
    for shape in ((), (2, 0), [3], 3, True, (-1,), (2.5,), None, "a", 2.5, (None,)):
        yield Call("lax.full", (shape, 1))
        yield Call("lax.broadcasted_iota", (int, shape, 0))
        if shape is not None:
            yield Call("lax.full_like", (f, 1), {"shape": shape})
    for fill in (*fills, f, scalar, NumPyArray((), "float64"), NumPyArray((2,), "int8")):
        yield Call("lax.full", ((2,), fill))
        yield Call("lax.full_like", (w, fill))
    for x in (*SCALARS, None, "a", [1.0], NumPyArray((2,), "float64"), NumPyArray((), "int64"), w):
        yield Call("lax.full_like", (x, 1))
    for named, size in ((None, 3), (float, 0), (int, -1), (int, 2.5), (int, None), (int, (3,)), (int, True)):
        yield Call("lax.iota", (named, size))
    for dimension in (0, 1, 2, -1, None, 1.5, True, (0,), 1j):
        yield Call("lax.broadcasted_iota", (float, (2, 3), dimension))


@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("family", [reductions, sorts, creations])
def test_against_jax(family: Any, x64: bool) -> None:
    count, lines = differences(family(x64), x64=x64, at_once=True)
    print(f"{count} calls compared, {len(lines)} differ")
    assert lines == []
    assert count >= {reductions: 750, sorts: 230, creations: 2500}[family]


def calls() -> Iterator[Call]:
    """A few hundred fully known calls of every function."""
    yield from list(reductions(False))[::4]
    yield from list(sorts(False))[::3]
    yield from list(creations(False))[::40]
    yield Call("lax.broadcasted_iota", (int, (2, 3), 1))
    for dimension in (0, 1):
        yield Call("lax.sort", ((array("int8", 2, 3), array("float32", 2, 3)), dimension))
        yield Call("lax.sort_key_val", (array("int8", 2, 3), array("float32", 2, 3), dimension))
        yield Call("lax.top_k", (array("int8", 2, 3), 2), {"axis": dimension})
        yield Call("lax.reduce_max", (array("int8", 2, 3, 4), (dimension, 2)))
        yield Call("lax.reduce_or", (array("int8", 2, 3, 4), (dimension, 2)))
        yield Call("lax.argmax", (array("int8", 2, 3), dimension, int))


def test_partly_known() -> None:
    some = ShapedArray((2, None, 4), "float16")
    assert rule_says(Call("lax.reduce_sum", (some, (0,)))) == ShapedArray((None, 4), "float16")
    assert rule_says(Call("lax.reduce_sum", (some, (Scalar("int"), 0)))) == ShapedArray((None,), "float16")
    assert rule_says(Call("lax.argmax", (some, UNKNOWN, "int8"))) == ShapedArray((None, None), "int8")
    keys = rule_says(Call("lax.sort", ((some, ShapedArray(None, "int8")),)))
    assert keys == (some, ShapedArray((2, None, 4), "int8"))
    assert rule_says(Call("lax.top_k", (some, Scalar("int"))))[1] == ShapedArray((2, None, None), "int32")
