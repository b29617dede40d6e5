"""The rules of functions of dtypes, compared with JAX and NumPy: every pair of dtypes, arrays, scalars, mistakes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import ml_dtypes
import pytest
from oracle import Call, array, differences, elements, jax_says, rule_says

from arraytyping.scalars import ABSTRACT, DTYPES, SCALARS, float32, floating, int8
from arraytyping.semantics.avals import UNKNOWN, NumPyArray, Scalar, ShapedArray

NUMBERS: tuple[Any, ...] = (1, 2.5, 1j, True, 2**40)
PYTHON_TYPES: tuple[Any, ...] = (bool, int, float, complex)
CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")
STRINGS = ("int", "float", "complex", "uint", "i4", "<f8", "?", "half", "n", ">i1", "bool_", "longlong")
MISTAKES: tuple[Any, ...] = ("flaot32", "integer", 1, 2.5, 1j, True, floating, NumPyArray((2,), "float32"))
SUB_BYTE = ("uint1", "uint2", "uint4", "int1", "int2", "int4")


def arguments(x64: bool) -> list[Any]:
    """An array and a dtype of every element, Python's scalars and types, NumPy's arrays, None."""
    return [
        *(ShapedArray((2,), d, w) for d, w in elements(x64)),
        *SCALARS.values(), *PYTHON_TYPES, *NUMBERS, *STRINGS, None,
        NumPyArray((3,), "float64"), NumPyArray((), "int64"), NumPyArray((), "bfloat16"),
    ]  # fmt: skip


def pair_calls(x64: bool) -> Iterator[Call]:
    """`result_type` and `promote_types` over all pairs."""
    for a, b in itertools.product(arguments(x64), repeat=2):
        yield Call("numpy.result_type", (a, b))
    dtypes = [*SCALARS.values(), *PYTHON_TYPES, *STRINGS, None, array("float32", 2), NumPyArray((), "int64"), *MISTAKES]
    for a, b in itertools.product(dtypes, repeat=2):
        yield Call("numpy.promote_types", (a, b))


def kind_calls() -> Iterator[Call]:
    """`issubdtype` and `isdtype` over all dtypes and kinds."""
    dtypes = [*SCALARS.values(), *PYTHON_TYPES, *STRINGS, None, array("bfloat16", 2), *MISTAKES]
    for a, b in itertools.product([*dtypes, *ABSTRACT.values()], repeat=2):
        yield Call("numpy.issubdtype", (a, b))
    kinds = (
        "bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric",
        ("integral", "bool"), ("int8", float), (), ["bool"], ("int8", "flaot32"), ("int8", 3), "signed",
    )  # fmt: skip
    for a, b in itertools.product(dtypes, (*dtypes, *kinds)):
        yield Call("numpy.isdtype", (a, b))


def cast_calls() -> Iterator[Call]:
    """`can_cast` over all dtypes and castings, where the releases of ml_dtypes agree."""
    for (a, b), casting in itertools.product(itertools.product(SCALARS, repeat=2), CASTINGS):
        floats = {d for d in (a, b) if d.startswith("float") or d == "bfloat16"} - {"float16", "float32", "float64"}
        if casting in ("no", "equiv") or not (floats and {a, b} & {*SUB_BYTE}):
            yield Call("numpy.can_cast", (SCALARS[a], SCALARS[b], casting))
    others = [*PYTHON_TYPES, *STRINGS, None, array("float16", 2), NumPyArray((), "float64"), int8, *MISTAKES]
    for a, b in itertools.product(others, repeat=2):
        yield Call("numpy.can_cast", (a, b))
    for diagnostic in ("foo", "", None, 3, True):
        yield Call("numpy.can_cast", (int8, float32, diagnostic))


def other_calls() -> Iterator[Call]:
    """One argument, several, none."""
    yield Call("numpy.result_type")
    for a in (*arguments(False), *MISTAKES, [1], (1, 2), slice(1), ...):
        if not (isinstance(a, NumPyArray) and a.shape):
            yield Call("numpy.result_type", (a,))
        if not isinstance(a, list | tuple):  # NumPy's structured dtypes
            yield Call("numpy.dtype", (a,))
    yield Call("numpy.dtype", (float32, False, True))
    some = (
        1,
        2.5,
        int,
        None,
        "int16",
        array("uint8"),
        array("float32", weak=True),
        array("float8_e5m2"),
        bool,
        float32,
    )
    for args in itertools.product(some, repeat=3):
        yield Call("numpy.result_type", args)


def calls() -> Iterator[Call]:
    """Fully known calls of every rule of the family, some of which raise."""
    for i, call in enumerate(itertools.chain(pair_calls(False), kind_calls(), cast_calls())):
        if i % 97 == 0:
            yield call
    for i, call in enumerate(other_calls()):
        if i % 9 == 0:
            yield call


def check(calls: Iterator[Call], *, least: int, x64: bool = False, mode: Any = "standard") -> None:
    n, lines = differences(calls, x64=x64, mode=mode)
    print(f"{n} calls compared, {len(lines)} differ")
    assert not lines, "\n".join(lines[:40])
    assert n > least


@pytest.mark.parametrize("x64", [False, True])
def test_pairs(x64: bool) -> None:
    check(pair_calls(x64), x64=x64, least=10_000)


@pytest.mark.parametrize("x64", [False, True])
def test_pairs_strictly(x64: bool) -> None:
    check(itertools.islice(pair_calls(x64), int(x64), None, 5), x64=x64, mode="strict", least=2000)


def test_kinds() -> None:
    check(kind_calls(), least=8000)


def test_casts() -> None:
    check(cast_calls(), least=5000)


@pytest.mark.parametrize("x64", [False, True])
def test_others(x64: bool) -> None:
    check(other_calls(), x64=x64, least=1000)


@pytest.mark.parametrize("casting", ["safe", "same_kind", "unsafe"])
def test_nothing_is_said_of_casts_on_which_releases_differ(casting: str) -> None:
    pairs = [(a, b) for a in SUB_BYTE for b in DTYPES if hasattr(ml_dtypes, b) and b not in SUB_BYTE]
    assert len(pairs) == 6 * 12
    for a, b in pairs:
        assert rule_says(Call("numpy.can_cast", (SCALARS[a], SCALARS[b], casting))) is UNKNOWN
        assert rule_says(Call("numpy.can_cast", (SCALARS[b], SCALARS[a], casting))) is UNKNOWN


@pytest.mark.parametrize(
    "call",
    [
        Call("numpy.dtype", ("S3",)),
        Call("numpy.dtype", ("object",)),
        Call("numpy.dtype", (object,)),
        Call("numpy.dtype", ("datetime64[ns]",)),
        Call("numpy.dtype", (">f4",)),
        Call("numpy.dtype", ([("x", "int8")],)),
        Call("numpy.issubdtype", (str, int)),
        Call("numpy.can_cast", ("S3", "S4")),
        Call("numpy.can_cast", ("int8", ">f4")),
        Call("numpy.dtype", ("l",)),
    ],
)
def test_dtypes_of_numpy_alone_are_unknown_not_wrong(call: Call) -> None:
    assert rule_says(call) is UNKNOWN
    assert not isinstance(jax_says(call), BaseException)


def test_what_is_unknown_stays_so() -> None:
    assert rule_says(Call("numpy.result_type", (ShapedArray((2,), None), 1.0))) is UNKNOWN
    assert rule_says(Call("numpy.result_type", (ShapedArray(None, "int8", False), Scalar("int")))) is int8
    assert rule_says(Call("numpy.isdtype", (UNKNOWN, ("bool", "numeric")))) is UNKNOWN
    assert rule_says(Call("numpy.isdtype", (int8, (UNKNOWN, "integral")))) is True
    assert rule_says(Call("numpy.can_cast", (ShapedArray(None, "int8", False), float32, UNKNOWN))) is UNKNOWN
