"""Attributes of arrays, and the functions that ask for rank, shape and size, against JAX."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from oracle import Call, array, describes, differences, elements, jax_says, rule_says, show

from arraytyping.semantics.avals import UNKNOWN, NumPyArray, Scalar, ShapedArray, SymbolicDim
from arraytyping.semantics.promotion.jax import JaxPromotion
from arraytyping.semantics.rules.registry import evaluate

ATTRIBUTES = ("T", "mT", "shape", "ndim", "size", "dtype", "itemsize", "nbytes", "weak_type", "__len__", "__iter__")
SHAPES: tuple[tuple[int, ...], ...] = ((), (1,), (4,), (2, 3), (0, 3), (2, 3, 4))


def attributes(x64: bool) -> Iterator[Call]:
    for dtype, weak in elements(x64):
        for name in ATTRIBUTES:
            for shape in SHAPES if dtype == "float32" else ((2, 3),):
                if (name, shape) != ("__iter__", (0, 3)):  # there is no element
                    yield Call(f"Array.{name}", (ShapedArray(shape, dtype, weak),))


def questions() -> Iterator[Call]:
    for shape in SHAPES:
        for a in (array("float32", *shape), NumPyArray(shape, "float64")):
            for name in ("shape", "ndim", "size"):
                yield Call(f"numpy.{name}", (a,))
            for axis in (0, -1, 1, (0, 1), (0, 0), 5, (), None):
                yield Call("numpy.size", (a, axis))
    for scalar in (1, 2.0, True):
        for name in ("shape", "ndim", "size"):
            yield Call(f"numpy.{name}", (scalar,))


@pytest.mark.parametrize("x64", [False, True])
def test_attributes(x64: bool) -> None:
    n, lines = differences([*attributes(x64), *questions()], x64=x64)
    print(f"{n} calls compared, {len(lines)} differ")
    assert lines == []
    assert n > 400


def items() -> Iterator[Call]:
    for dtype, weak in elements(False):
        if dtype.startswith("float6"):  # XLA has no such arrays yet
            continue
        yield Call("Array.item", (ShapedArray((), dtype, weak),))
        yield Call("Array.item", (ShapedArray((1, 1), dtype, weak),))
        yield Call("Array.tolist", (ShapedArray((), dtype, weak),))
    yield Call("Array.item", (array("float32", 3),))
    yield Call("Array.item", (array("float32", 3), 1))


def test_python_scalars() -> None:
    for call in items():
        real, ours = jax_says(call, eager=True), rule_says(call)
        assert describes(ours, real), f"{call}: jax says {show(real)}, the rule says {show(ours)}"
        # XLA makes bools of integers of one bit where it computes with them, and leaves those alone that it was given.
        assert (ours is UNKNOWN) == (call.args[0].dtype in ("int1", "uint1")), call


def test_unknown_sizes() -> None:
    n = SymbolicDim("n")
    x = ShapedArray((n, None, 3), "float32")

    def says(name: str, *args: object) -> object:
        return evaluate(name, (JaxPromotion(),), args, {}).value

    assert says("Array.shape", x) == (n, Scalar("int"), 3)
    assert says("numpy.size", x, 0) == n
    assert says("Array.size", x) == Scalar("int")
    assert says("Array.ndim", x) == 3
    assert says("Array.__len__", x) == n
    assert says("Array.shape", ShapedArray(None, "float32")) is UNKNOWN
    assert says("Array.at", x) is UNKNOWN


def calls() -> Iterator[Call]:
    """Representative calls of the family."""
    yield from list(attributes(False))[::3]
    yield from questions()
    yield from list(items())[::5]
