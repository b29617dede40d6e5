"""The rules of the contractions and convolutions of jax.lax against JAX itself."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from itertools import product
from typing import Any

import jax
import pytest
from oracle import Call, array, differences, elements, rule_says

from arraytyping.scalars import DTYPES
from arraytyping.semantics.avals import UNKNOWN, NumPyArray, ShapedArray
from arraytyping.semantics.rules.registry import RULES

FUNCTIONS = [
    "dot", "dot_general", "batch_matmul", "ragged_dot", "conv", "conv_with_general_padding", "conv_general_dilated",
]  # fmt: skip
MATRICES = (((1,), (0,)), ((), ()))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_signature(name: str) -> None:
    real = inspect.signature(getattr(jax.lax, name)).parameters.values()
    ours = RULES[f"lax.{name}"].signature.parameters.values()
    assert [(p.name, p.kind, p.default) for p in ours] == [(p.name, p.kind, p.default) for p in real]


def dtypes_of_dot(x64: bool) -> Iterator[Call]:
    """Every pair of dtypes, and every dtype as the preferred one."""
    every = [*elements(x64), ("bool", True)]
    for a, b in product(every, repeat=2):
        yield Call("lax.dot_general", (ShapedArray((2, 3), *a), ShapedArray((3, 4), *b), MATRICES))
    for a, preferred in product(every, (*DTYPES, int, float, "abc", 1)):
        x = ShapedArray((3,), *a)
        yield Call("lax.dot", (x, x), {"preferred_element_type": preferred})


def dots() -> Iterator[Call]:
    g, h = array("float32", 2, 3), array("float32", 3, 4)
    empty = ((), ())
    numbers: Any
    for numbers in (
        MATRICES, ((1, 0), empty), (((-1,), (0,)), empty), (((2,), (0,)), empty), None, 5, ((1,), (0,)), "ab",
        (*MATRICES, ()), (((0, 1), (0, 1)), empty), (((1, 1), (0, 0)), empty), (((1,), (0,)), ((0,), (1,))),
        ([[1], [0]], [[], []]), (((1.0,), (0,)), empty), (((1,), ()), empty), (((True,), (0,)), empty), (empty, empty),
        (((1,), (0,)), ((1,), (0,))), (((None,), (0,)), empty), ((None, 0), empty), (None, empty),
    ):  # fmt: skip
        yield Call("lax.dot_general", (g, h, numbers))
        yield Call("lax.dot", (g, h), {"dimension_numbers": numbers})
    b, c = array("int8", 5, 2, 3, 4), array("int8", 5, 4, 3, 2)
    for contracted, batch in product((((3,), (1,)), ((1, 3), (3, 1)), ((3, 2), (1, 2)), ((1,), (1,))),
                                     (((0,), (0,)), ((0, 2), (0, 2)), ((), ()), ((2, 0), (2, 0)))):  # fmt: skip
        yield Call("lax.dot_general", (b, c, (contracted, batch)))
    shapes = [(), (2,), (3,), (2, 3), (3, 2), (5, 2, 3), (5, 3, 4), (1, 3, 4), (0, 3), (3, 0)]
    for s, t in product(shapes, repeat=2):
        for name in ("dot", "batch_matmul"):
            yield Call(f"lax.{name}", (ShapedArray(s, "float32"), ShapedArray(t, "float32")))
    for value in (2.0, True, 1j, None, "a", NumPyArray((3,), "float64"), NumPyArray((3, 2), "int8"), 2**40):
        yield Call("lax.dot", (g, value))
        yield Call("lax.dot_general", (2.0, value, (empty, empty)))
        yield Call("lax.batch_matmul", (g, value))
        yield Call("lax.batch_matmul", (value, g))
    for precision in (None, "x", "highest", 3, ("high", "default"), "F32_F32_F32", 1.5):
        yield Call("lax.dot", (g, h), {"precision": precision})
        yield Call("lax.dot_general", (g, h, MATRICES, precision))
        yield Call("lax.batch_matmul", (g, h, precision))
    for sharding in (None, 3, "a", 1.5):
        yield Call("lax.dot", (g, h), {"out_sharding": sharding})


def ragged(lhs: Any, rhs: Any, sizes: Any, **kwargs: Any) -> Call:
    return Call("lax.ragged_dot", (lhs, rhs, sizes), kwargs)


WIDE = ("int64", "uint64", "float64", "complex128")


def dtypes_of_ragged_dots(x64: bool) -> Iterator[Call]:
    """Every pair of dtypes, every dtype as the preferred one, and as that of the sizes, weak ones with weak ones."""
    every = [*elements(x64), ("bool", True)]
    sizes = array("int32", 4)
    for a, b in product(every, repeat=2):
        yield ragged(ShapedArray((5, 3), *a), ShapedArray((4, 3, 2), *b), sizes)
    for a in every:
        x, y = ShapedArray((5, 3), *a), ShapedArray((4, 3, 2), *a)
        for preferred in (*DTYPES, "abc", 1):
            if x64 or preferred not in WIDE:
                yield ragged(x, y, sizes, preferred_element_type=preferred)
        yield ragged(array("float32", 5, 3), array("float32", 4, 3, 2), ShapedArray((4,), *a))
        yield ragged(x, y, ShapedArray((4,), *a))


def ragged_dots() -> Iterator[Call]:
    shapes = [(), (3,), (4,), (5, 3), (4, 3), (0, 3), (5, 0), (5, 3, 2), (4, 3, 2), (4, 5, 2), (0, 3, 2), (4, 3, 2, 6)]
    for s, t, sizes in product(shapes, shapes, [(), (0,), (1,), (4,), (1, 4), (5, 4)]):
        yield ragged(ShapedArray(s, "float32"), ShapedArray(t, "bfloat16"), ShapedArray(sizes, "int32"))
    x, y, n = array("float32", 5, 3), array("float32", 4, 3, 2), array("uint8", 4)
    for value in (2.0, True, None, "a", NumPyArray((4,), "int64"), NumPyArray((4,), "float64"), [1, 2], 2**40):
        yield ragged(x, y, value)
        yield ragged(x, value, n)
        yield ragged(value, y, n)
    for precision in (None, "x", "highest", 3, ("high", "default"), "F32_F32_F32", 1.5):
        yield ragged(x, y, n, precision=precision)
    for sharding in (None, 3, "a", 1.5):
        yield ragged(x, y, n, out_sharding=sharding)


X, K = array("float32", 1, 3, 8, 8), array("float32", 5, 3, 3, 3)


def conv(*args: Any, **kwargs: Any) -> Call:
    return Call("lax.conv_general_dilated", args, kwargs)


def convolutions() -> Iterator[Call]:
    pads: tuple[Any, ...] = (
        "SAME", "VALID", "same", "SAME_LOWER", "foo", [(1, 1), (0, 2)], [(1, 1)], [1, 1], 1, None, [],
            [(-9, 0), (0, 0)], [(-4, -5), (0, 0)], ((1, 1), (1, 1.5)), ((1, 1), (1, None)), [[1, 2], [3, 4]],
    )  # fmt: skip
    for padding, strides in product(pads, ((1, 1), (2, 3), [1, 1], (1,), (1, 1, 1), 1, None, (9, 1))):
        yield conv(X, K, strides, padding)
        yield Call("lax.conv", (X, K, strides, padding))
    given = [(0, 0), (1, 2)]
    for padding, left, right in product(("SAME", "VALID", given), (None, (1, 1), (2, 1), 2, (0, 1)),
                                        (None, (2, 2), (1, 3), (0, 2), 2)):  # fmt: skip
        yield conv(X, K, (1, 2), padding, left, right)
        yield Call("lax.conv_with_general_padding", (X, K, (1, 2), padding, left, right))
    n, w = array("float32", 1, 8, 7, 3), array("float32", 3, 2, 3, 5)
    for numbers in (
        ("NHWC", "HWIO", "NHWC"), ("NHWC", "HWIO", "NCHW"), ("NWHC", "HWIO", "NHWC"), ["NHWC", "HWIO", "CNWH"],
        ("NHWC", "HWIO"), ("NHC", "HWIO", "NHWC"), ("NHWW", "HWIO", "NHWC"), ("NHHC", "HWIO", "NHWC"),
        ("NXYC", "HWIO", "NHWC"), (1, 2, 3), "NHWC", 5, ("NHWC", "HWIO", None), ("NHWC", "OIHW", "NHWC"),
    ):  # fmt: skip
        yield conv(n, w, (2, 1), "SAME", dimension_numbers=numbers)
        yield conv(n, w, (1, 1), "VALID", dimension_numbers=numbers)
    six, four = array("float32", 4, 6, 8, 8), array("float32", 4, 3, 3, 3)
    for features, batch in product((1, 2, 3, 0, -1, True), repeat=2):
        for x, k in ((six, four), (X, K), (array("float32", 4, 3, 8, 8), four)):
            yield conv(x, k, (1, 1), "VALID", feature_group_count=features, batch_group_count=batch)
    shapes = [(), (2,), (2, 3), (3, 3), (2, 3, 4), (1, 3, 0, 2), (5, 3, 3, 3), (2, 3, 9, 9, 9), (4, 3, 2, 2, 3)]
    for s, t in product(shapes, repeat=2):
        yield conv(ShapedArray(s, "float32"), ShapedArray(t, "float32"), (1,) * (len(s) - 2), "VALID")
        yield conv(ShapedArray(s, "float32"), ShapedArray(t, "float32"), (2,) * (len(s) - 2), "SAME")
    for value in (2.0, None, NumPyArray((5, 3, 3, 3), "float64"), NumPyArray((5, 3, 3, 3), "int8"), float):
        yield conv(X, value, (1, 1), "VALID")
        yield conv(value, K, (1, 1), "VALID")
    for precision in (None, "x", "highest", 3):
        yield conv(X, K, (1, 1), "VALID", precision=precision)


def dtypes_of_conv() -> Iterator[Call]:
    every = [*elements(False), ("bool", True)]
    for a, b in product(every, repeat=2):
        yield conv(ShapedArray((1, 3, 8), *a), ShapedArray((5, 3, 3), *b), (1,), "VALID")
    for a, preferred in product(every, (*DTYPES, int, float, "abc", 1)):
        yield conv(
            ShapedArray((1, 3, 8), *a), ShapedArray((5, 3, 3), *a), (1,), "VALID", preferred_element_type=preferred
        )


@pytest.mark.parametrize("x64", [False, True])
def test_dtypes_of_dot(x64: bool) -> None:
    check(*differences(dtypes_of_dot(x64), x64=x64, at_once=True), at_least=2_100)


def test_dots() -> None:
    check(*differences(dots(), at_once=True), at_least=280)


@pytest.mark.parametrize("x64", [False, True])
def test_dtypes_of_ragged_dots(x64: bool) -> None:
    check(*differences(dtypes_of_ragged_dots(x64), x64=x64, at_once=True), at_least=2_000)


@pytest.mark.parametrize("preferred", [*WIDE, int, float, complex])
def test_wide_ragged_dots(preferred: Any) -> None:
    """Without x64 jax traces a product of 64 bits, and fails to compile it."""
    given = array("int8", 5, 3), array("int8", 4, 3, 2), array("int32", 4)
    x, y, sizes = [jax.numpy.zeros(a.shape, a.dtype) for a in given]
    with pytest.raises(ValueError, match="Cannot lower"):
        jax.lax.ragged_dot(x, y, sizes, preferred_element_type=preferred)
    assert rule_says(ragged(*given, preferred_element_type=preferred)) == ShapedArray((5, 2), None, False)


def test_ragged_dots() -> None:
    check(*differences(ragged_dots(), at_once=True), at_least=890)


def test_convolutions() -> None:
    check(*differences(convolutions(), at_once=True), at_least=650)


def test_dtypes_of_conv() -> None:
    check(*differences(dtypes_of_conv(), at_once=True), at_least=2_100)


def check(count: int, lines: list[str], at_least: int) -> None:
    print(f"{count} calls compared, {len(lines)} differ")
    assert lines == []
    assert count >= at_least


def calls() -> Iterator[Call]:
    """A few hundred fully known calls of every function."""
    yield from list(dots())[::2]
    yield from list(dtypes_of_dot(False))[::60]
    yield from list(ragged_dots())[::9]
    yield from list(dtypes_of_ragged_dots(False))[::70]
    yield from list(convolutions())[::5]
    yield from list(dtypes_of_conv())[::80]
    yield Call("lax.conv", (X, K, (1, 1), "SAME"))
    yield conv(X, array("float32", 3, 3, 3, 5), (1, 1), "SAME", dimension_numbers=("NCHW", "HWIO", "NHWC"))
    yield conv(X, K, (1, 1), [(0, 1), (1, 1)], (2, 1), (1, 2), dimension_numbers=((0, 1, 2, 3),) * 3)
    yield Call("lax.conv_with_general_padding", (X, K, (2, 1), [(0, 1), (1, 1)], (2, 1), (1, 2)))
    yield Call("lax.batch_matmul", (array("int8", 5, 2, 3), array("int8", 5, 3, 4)))


def test_partly_known() -> None:
    a, b = ShapedArray((None, 3), "float32"), ShapedArray((3, 4), "bfloat16")
    assert rule_says(Call("lax.dot", (a, b))) == ShapedArray((None, 4), "float32")
    assert rule_says(Call("lax.dot", (a, ShapedArray(None, "float32")))) == ShapedArray(None, "float32")
    matrices, sizes = ShapedArray((None, 3, 7), "float32"), ShapedArray(None, None)
    assert rule_says(ragged(a, matrices, sizes)) == ShapedArray((None, 7), "float32")
    assert rule_says(ragged(ShapedArray(None, "float32"), matrices, sizes)) == ShapedArray(None, "float32")
    images = ShapedArray((None, None, None, 3), "float32")
    kernel = array("float32", 3, 3, 3, 16)
    layout = ("NHWC", "HWIO", "NHWC")
    same = rule_says(conv(images, kernel, (1, 1), "SAME", dimension_numbers=layout))
    assert same == ShapedArray((None, None, None, 16), "float32")
    said = rule_says(conv(array("float32", 8, 28, 28, 1), kernel, (1, 1), "SAME", dimension_numbers=layout))
    assert said.message == (
        "lax.conv_general_dilated: the array has 1 features in 1 groups, and the kernel takes 3; look at "
        "dimension_numbers, which say where the features are"
    )
    assert rule_says(conv(UNKNOWN, kernel, (2, 2), "SAME")) == ShapedArray((None, 3, None, None), "float32")
