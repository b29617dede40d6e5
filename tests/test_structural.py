"""The functions that reshape, permute, join, split, stretch, select and search, against JAX."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from agreements import agreed, digest_of, record
from oracle import Call, Raised, array, describes, differences, elements, fingerprint, jax_says, rule_says, show

from arraytyping.scalars import float32, int8
from arraytyping.semantics.avals import UNKNOWN, NumPyArray, Scalar, ShapedArray, SymbolicDim
from arraytyping.semantics.sizes.dims import add_dims

F = "float32"

# Functions of one array whose result has its dtype: the arguments after it, and its shape.
PASSING: dict[str, tuple[tuple[int, ...], tuple[Any, ...], dict[str, Any]]] = {
    "numpy.reshape": ((2, 3), ((3, 2),), {}),
    "Array.reshape": ((2, 3), (3, -1), {"order": "F"}),
    "numpy.ravel": ((2, 3), (), {}),
    "numpy.transpose": ((2, 3), (), {}),
    "numpy.permute_dims": ((2, 3), ((1, 0),), {}),
    "numpy.matrix_transpose": ((2, 3), (), {}),
    "numpy.swapaxes": ((2, 3), (0, 1), {}),
    "numpy.moveaxis": ((2, 3), (0, 1), {}),
    "numpy.rollaxis": ((2, 3), (1,), {}),
    "numpy.squeeze": ((2, 1), (), {}),
    "numpy.expand_dims": ((2, 3), (0,), {}),
    "numpy.broadcast_to": ((3,), ((2, 3),), {}),
    "numpy.broadcast_arrays": ((3,), (array("int8", 2, 1),), {}),
    "numpy.atleast_1d": ((), (), {}),
    "numpy.atleast_2d": ((), (), {}),
    "numpy.atleast_3d": ((2,), (), {}),
    "numpy.resize": ((2, 3), ((4, 4),), {}),
    "numpy.unstack": ((2, 3), (), {}),
    "numpy.block": ((2,), (), {}),
    "numpy.tile": ((2,), ((2, 2),), {}),
    "numpy.roll": ((2, 3), (1,), {}),
    "numpy.flip": ((2, 3), (), {}),
    "numpy.fliplr": ((2, 3), (), {}),
    "numpy.rot90": ((2, 3), (), {}),
    "numpy.pad": ((2,), (1,), {}),
    "numpy.split": ((4,), (2,), {}),
    "numpy.array_split": ((4,), (3,), {}),
    "numpy.take": ((4,), (array("int32", 2),), {}),
    "numpy.take_along_axis": ((4,), (array("int32", 2),), {}),
    "numpy.delete": ((4,), (1,), {}),
    "numpy.concatenate": ((2, 3), (), {}),
    "numpy.stack": ((2, 3), (), {}),
    "numpy.vstack": ((2, 3), (), {}),
    "numpy.column_stack": ((2, 3), (), {}),
    "numpy.nonzero": ((2, 3), (), {"size": 2}),
    "numpy.argwhere": ((2, 3), (), {"size": 2}),
    "numpy.unique": ((3,), (True, True, True), {"size": 2}),
    "Array.T": ((2, 3), (), {}),
}


def by_dtype(x64: bool) -> Iterator[Call]:
    every = elements(x64)
    for dtype, weak in every:
        for name, (shape, args, kwargs) in PASSING.items():
            yield Call(name, (ShapedArray(shape, dtype, weak), *args), kwargs)
        square, vector = ShapedArray((2, 2), dtype, weak), ShapedArray((3,), dtype, weak)
        yield Call("numpy.diagonal", (square,))
        yield Call("numpy.diagonal", (square, 1))
        yield Call("numpy.repeat", (vector, 2))
        yield Call("numpy.repeat", (vector, 0))
        yield Call("numpy.repeat", (vector, NumPyArray((3,), "int32")), {"total_repeat_length": 5})
        yield Call("numpy.repeat", (vector, array("int32", 3)), {"total_repeat_length": 0})
        yield Call("numpy.take_along_axis", (ShapedArray((0,), dtype, weak), array("int32", 2)))
        yield Call("numpy.insert", (vector, 1, 2))
        yield Call("numpy.concatenate", ((vector, vector),), {"dtype": int8})
        yield Call("numpy.nonzero", (vector,), {"size": 2, "fill_value": ShapedArray((), dtype, weak)})
        yield Call("numpy.searchsorted", (vector, vector))
        yield Call("numpy.digitize", (vector, vector))
        yield Call("numpy.isin", (vector, vector), {"method": "binary_search"})
        for mode in ("edge", "wrap", "symmetric", "mean", "maximum", "linear_ramp", "empty"):
            yield Call("numpy.pad", (vector, 1, mode))
        # as the indices
        for mode in ("fill", "wrap", "clip"):
            yield Call("numpy.take", (array(F, 4), vector), {"mode": mode})
        yield Call("numpy.take_along_axis", (array(F, 4), vector))
        if "int" in dtype:
            yield Call("numpy.delete", (array(F, 4), vector), {"assume_unique_indices": True})


@pytest.mark.parametrize("x64", [False, True])
def test_every_dtype(x64: bool) -> None:
    n, lines = differences(by_dtype(x64), x64=x64)
    print(f"{n} calls compared, {len(lines)} differ")
    assert lines == []
    assert n > 1800


PAIRED: dict[str, Callable[[ShapedArray, ShapedArray], tuple[Any, ...]]] = {
    "numpy.concatenate": lambda a, b: ((a, b),),
    "numpy.stack": lambda a, b: ([a, b],),
    "numpy.append": lambda a, b: (a, b),
    "numpy.searchsorted": lambda a, b: (a, b),
    "numpy.isin": lambda a, b: (a, b),
}


@pytest.mark.parametrize(
    ("name", "x64", "mode"),
    [
        ("numpy.concatenate", False, "standard"),
        ("numpy.concatenate", True, "standard"),
        ("numpy.concatenate", False, "strict"),
        ("numpy.stack", True, "standard"),
        ("numpy.append", False, "standard"),
        ("numpy.searchsorted", False, "standard"),
        ("numpy.isin", True, "standard"),
    ],
)
def test_every_pair_of_dtypes(name: str, x64: bool, mode: Any) -> None:
    every = elements(x64)
    pairs = (Call(name, PAIRED[name](ShapedArray((2,), *a), ShapedArray((2,), *b))) for a, b in product(every, every))
    n, lines = differences(pairs, x64=x64, mode=mode)
    print(f"{name}: {n} calls compared, {len(lines)} differ")
    assert lines == []
    assert n == len(every) ** 2 > 900


SHAPES: tuple[tuple[int, ...], ...] = ((), (1,), (4,), (0,), (2, 3), (3, 1), (0, 3), (2, 3, 4), (1, 2, 1), (2, 1, 0, 3))


def reshaping() -> Iterator[Call]:
    for shape in SHAPES:
        x = array(F, *shape)
        for new in (
            -1, (-1,), (), (1,), 4, (2, 3), (3, 2), (6, -1), (-1, 2), (2, -1, 1), (0, -1), (0,), (3, 0), (24,),
            (-1, -1), (-2, -3), (2, -3), [4, 6], 1.0, (1.0,), None, "a", (True,), (2, "a"),
        ):  # fmt: skip
            yield Call("numpy.reshape", (x, new))
            yield Call("Array.reshape", (x, new))
        yield Call("Array.reshape", (x, 2, -1))
        yield Call("Array.reshape", (x,))
        yield Call("Array.reshape", (x, 3, 2), {"order": "F"})
        for order in ("C", "F", "A", "K", "Z", None):
            yield Call("numpy.ravel", (x, order))
            yield Call("numpy.reshape", (x, -1, order))
            yield Call("numpy.reshape", (NumPyArray(shape, F), -1, order))
        yield Call("Array.flatten", (x,))
        for axis in (None, 0, 1, -1, 2, 5, (0, 1), (0, 2), [0], (), (0, 0), (0, -1), 1.0, "a", True):
            yield Call("numpy.squeeze", (x, axis))
            yield Call("numpy.expand_dims", (x, axis))
        for name in ("numpy.atleast_1d", "numpy.atleast_2d", "numpy.atleast_3d"):
            yield Call(name, (x,))
            yield Call(name, (x, 1))
            yield Call(name)
        for new in (5, (2, 2), (0,), (), (-1,), (2, -1), 1.5, [2, 2]):
            yield Call("numpy.resize", (x, new))
    for value in (1, 2.0, True, NumPyArray((2, 3), "float64"), NumPyArray((), "int8"), None, [1, 2]):
        for new in ((1,), (3, 2), 6, (-1, 2), (7,), (-1, 0), (-1, -1), 1.0):
            yield Call("numpy.reshape", (value, new))
        yield Call("numpy.ravel", (value,))
        yield Call("numpy.squeeze", (value,))


def permuting() -> Iterator[Call]:
    for shape in SHAPES:
        x = array(F, *shape)
        for axes in (
            None,
            (0,),
            (1, 0),
            (0, 1),
            (-1, 0),
            (2, 0, 1),
            [0, 2, 1],
            (0, 0),
            (0, 0, 1),
            (3, 0, 1),
            (),
            1,
            "ab",
            (1.0, 0),
        ):
            yield Call("numpy.transpose", (x, axes))
            yield Call("numpy.permute_dims", (x, axes))
            yield Call("Array.transpose", (x, axes))
        yield Call("Array.transpose", (x,))
        yield Call("Array.transpose", (x, 1, 0))
        yield Call("numpy.matrix_transpose", (x,))
        for pair in ((0, 1), (-1, 0), (0, 0), (1, 2), (0, 4), (None, 0), (True, 0), (1.0, 0), ([0], 1), ("a", 0)):
            yield Call("numpy.swapaxes", (x, *pair))
            yield Call("numpy.moveaxis", (x, *pair))
        for places in (
            ((0, 1), (1, 0)),
            ((0, 1), (-1, -2)),
            ((0, 0), (0, 1)),
            ((0, 1), (0,)),
            ((0, 1), (1, 1)),
            ([0, 1], [2, 1]),
        ):
            yield Call("numpy.moveaxis", (x, *places))
        for start in ((0, 0), (2, 0), (0, 2), (0, 3), (1, -1), (-1, 1), (5, 0), (0, -3), (0.0, 0)):
            yield Call("numpy.rollaxis", (x, *start))
        for flipped in (None, 0, 1, -1, (0, 1), (0, 0), [0], (), 3, 1.0, "a"):
            yield Call("numpy.flip", (x, flipped))
        yield Call("numpy.fliplr", (x,))
        yield Call("numpy.flipud", (x,))
        for k, plane in product((0, 1, 2, -1, 1.0), ((0, 1), (1, 2), (-1, 0), (0, 0), (0,), (0, 1, 2), (0, 3))):
            yield Call("numpy.rot90", (x, k, plane))
        yield Call("numpy.rot90", (x, 1, 0))
        yield Call("numpy.rot90", (x, 1, [0, 1]))
        for shift, along in product(
            (1, (1, 2), (1,), [1, 2], (1, 2, 3), array("int32"), array("int32", 2), array("int32", 1, 2), 1.5, None),
            (None, 0, (0, 1), 3, (0, 0)),
        ):
            yield Call("numpy.roll", (x, shift, along))


def joining() -> Iterator[Call]:
    xs = [array(F, *s) for s in SHAPES]
    for a, b in product(xs, xs):
        for along in (0, 1, -1, None):
            yield Call("numpy.concatenate", ((a, b), along))
        yield Call("numpy.stack", ((a, b),))
        for name in ("vstack", "hstack", "dstack", "column_stack"):
            yield Call(f"numpy.{name}", ((a, b),))
    for shape in SHAPES:
        x, y = array(F, *shape), array("int8", *shape)
        axes: tuple[Any, ...] = (0, 1, -1, 2, None, 5, -4, 1.0, (0,), "a")
        for axis in axes:
            yield Call("numpy.concatenate", ([x, y, x], axis))
            yield Call("numpy.concat", ([x, y],), {"axis": axis})
            yield Call("numpy.append", (x, y, axis))
            yield Call("numpy.concatenate", (x, axis))
            if axis is not None:
                yield Call("numpy.stack", ([x, y, x], axis))
                yield Call("numpy.stack", (x, axis))
        for name in ("concatenate", "stack", "vstack", "hstack", "dstack"):
            yield Call(f"numpy.{name}", (x,), {"dtype": float32})
            yield Call(f"numpy.{name}", ([x, y],), {"dtype": int})
        yield Call("numpy.column_stack", (x,))
        yield Call("numpy.append", (x, 1))
        yield Call("numpy.append", (x, [1]))
        yield Call("numpy.block", ([[x, y], [y, x]],))
        yield Call("numpy.block", ([[x], [y, x]],))
        yield Call("numpy.block", ([x, 1],))
        yield Call("numpy.block", ([x, [y]],))
    for name in ("concatenate", "stack", "vstack", "hstack", "dstack", "column_stack", "block"):
        for arrays in ((), [], 3, None, (1, 2), [1, 2.0], [[1], [2]], [None], NumPyArray((2, 3), "int64")):
            yield Call(f"numpy.{name}", (arrays,))
    yield Call("numpy.concatenate", ([array(F, 2)],), {"dtype": "nonsense"})
    yield Call("numpy.stack", ([array(F, 2)], 0, 1))


def splitting() -> Iterator[Call]:
    parts: tuple[Any, ...] = (1, 2, 3, 0, -1, (1,), (1, 2), [0, 2], (), (2, 1), (5,), (-1,), 2.0, "a", None)
    for shape in SHAPES:
        x = array(F, *shape)
        for into, axis in product(parts, (0, 1, -1, 3)):
            yield Call("numpy.split", (x, into, axis))
            yield Call("numpy.array_split", (x, into, axis))
        for into in parts:
            for name in ("hsplit", "vsplit", "dsplit"):
                yield Call(f"numpy.{name}", (x, into))
        for number in (0, 1, -1, 3, 1.0):
            yield Call("numpy.unstack", (x,), {"axis": number})


def stretching() -> Iterator[Call]:
    for shape in SHAPES:
        x = array(F, *shape)
        for to in (
            (),
            4,
            (4,),
            (1,),
            (2, 3),
            (2, 3, 4),
            (3, 3),
            (0, 3),
            [5, 2, 3, 4],
            (2, 1, 0, 3),
            1.0,
            (2, -3),
            (-1,),
            None,
        ):
            yield Call("numpy.broadcast_to", (x, to))
        for other in SHAPES:
            yield Call("numpy.broadcast_arrays", (x, array("int8", *other)))
            yield Call("numpy.broadcast_shapes", (shape, other))
        for reps in (2, 0, (2,), (2, 3), [1, 2, 3, 4], (), 1.5, True, None):
            yield Call("numpy.tile", (x, reps))
        for repeats, axis in product((2, 0, 1, -1, True), (None, 0, 1, -1, 3)):
            yield Call("numpy.repeat", (x, repeats, axis))
            yield Call("Array.repeat", (x, repeats, axis), {"total_repeat_length": 7})
        for each, axis in product(((3,), (1,), (4,)), (None, 0, 1, 3)):
            yield Call("numpy.repeat", (x, array("int32", *each), axis), {"total_repeat_length": 5})
            yield Call("numpy.repeat", (x, array("int32", *each), axis), {"total_repeat_length": 0})
        yield Call("numpy.repeat", (x, [1, 2]))
        for width in (
            1, 0, (1, 2), ((1, 2),), ((1, 2), (3, 4)), ((0, 0), (1, 0), (0, 2)), [1], [[1, 2]], -1, (1, -1),
            (1, 2, 3), 1.5,
            "a", None, True, ((1, 2), (3,)), (), ((1, 2), 3),
        ):  # fmt: skip
            yield Call("numpy.pad", (x, width))
        for mode in (
            "edge",
            "wrap",
            "reflect",
            "symmetric",
            "maximum",
            "minimum",
            "mean",
            "median",
            "empty",
            "foo",
            "linear_ramp",
        ):
            yield Call("numpy.pad", (x, 2, mode))
            yield Call("numpy.pad", (x, 1), {"mode": mode, "constant_values": 2})
        yield Call("numpy.pad", (x, 1), {"constant_values": 2.5})
    yield Call("numpy.broadcast_shapes")
    yield Call("numpy.broadcast_shapes", (3, (2, 1), [1]))
    yield Call("numpy.broadcast_shapes", (2.0,))
    yield Call("numpy.broadcast_arrays")


def selecting() -> Iterator[Call]:
    indices = [array("int32", *s) for s in SHAPES] + [0, True, 1.5, array(F), NumPyArray((2,), "int64"), None, [1]]
    for shape in SHAPES:
        x = array(F, *shape)
        for at, axis in product(indices, (None, 0, 1, -1, 3)):
            yield Call("numpy.take", (x, at, axis))
            yield Call("numpy.take_along_axis", (x, at, axis))
        for mode in ("fill", "wrap", "clip", "raise", "foo"):
            yield Call("numpy.take", (x, array("int32", 2)), {"mode": mode})
            yield Call("numpy.take_along_axis", (x, array("int32", *shape), 0), {"mode": mode})
        yield Call("numpy.take", (x, 0), {"out": x})
        yield Call("numpy.take", (x, 0, 0.5))
        for offset, axes in product((0, 1, -1, 5, 1.0), ((), (1, 0), (0, -1), (0, 0), (0, 3))):
            yield Call("numpy.diagonal", (x, offset, *axes))
        for obj, axis in product(
            (0, 1, -1, 5, slice(1, None), slice(None, None, 2), slice(0, 0), [0], 1.5), (None, 0, 1, 3)
        ):
            yield Call("numpy.delete", (x, obj, axis))
        yield Call("numpy.delete", (x, array("int32", 2)), {"assume_unique_indices": True})
        for obj, values, axis in product(
            (0, 1, slice(0, 2), array("int32", 2), array("int32", 1), 1.5, array("int32", 1, 1)),
            (1, array(F, 2), array(F, 3), array(F, 2, 3)),
            (None, 0, 1, 3),
        ):
            yield Call("numpy.insert", (x, obj, values, axis))
    for mode in ("promise_in_bounds", "one_hot", "drop"):
        yield Call("numpy.take_along_axis", (array(F, 3), array("int32", 2)), {"mode": mode})


def searching() -> Iterator[Call]:
    for shape in SHAPES:
        x = array(F, *shape)
        for other in SHAPES:
            y = array("int8", *other)
            yield Call("numpy.searchsorted", (x, y))
            yield Call("numpy.digitize", (y, x))
            yield Call("numpy.isin", (x, y))
        for size, fill in product((0, 2, -1, 1.5), (None, 0, 0.5, (1, 2), array(F, 2))):
            yield Call("numpy.nonzero", (x,), {"size": size, "fill_value": fill})
            yield Call("numpy.flatnonzero", (x,), {"size": size, "fill_value": fill})
            yield Call("numpy.argwhere", (x,), {"size": size, "fill_value": fill})
        yield Call("Array.nonzero", (x,), {"size": 2})
        yield Call("numpy.where", (x,), {"size": 2})
        for axis, flags in product((None, 0, -1, 3), ((), (True,), (False, True), (False, False, True), (1, 1, 1))):
            yield Call("numpy.unique", (x, *flags), {"axis": axis, "size": 2, "fill_value": 0})
            yield Call("numpy.unique", (x, *flags), {"axis": axis, "size": 2})
        yield Call("numpy.unique", (x,), {"size": 0})
        for method in ("auto", "compare_all", "binary_search", "sort", "foo"):
            yield Call("numpy.isin", (x, array(F, 2)), {"method": method})
    v = array(F, 3)
    for side, method in product(("left", "right", "up"), ("scan", "sort", "compare_all", "scan_unrolled", "foo")):
        yield Call("numpy.searchsorted", (v, v, side), {"method": method})
    yield Call("Array.searchsorted", (v, 1.0))
    yield Call("numpy.searchsorted", (v, v), {"sorter": array("int32", 3)})
    yield Call("numpy.digitize", (v, v), {"right": True, "method": "sort"})


GROUPS = (reshaping, permuting, joining, splitting, stretching, selecting, searching)


@pytest.mark.parametrize("group", GROUPS, ids=lambda g: g.__name__)
def test_shapes_and_static_arguments(group: Any) -> None:
    n, lines = differences(group())
    print(f"{group.__name__}: {n} calls compared, {len(lines)} differ")
    assert lines == []
    assert n > 400


def sized_by_values() -> Iterator[Call]:
    """Calls whose result has a size that only the values tell."""
    for shape in SHAPES:
        x = array(F, *shape)
        for name in ("numpy.nonzero", "numpy.flatnonzero", "numpy.argwhere", "Array.nonzero", "numpy.where"):
            yield Call(name, (x,))
        for axis, flags in product((None, 0, -1), ((), (True,), (False, True), (False, False, True), (1, 1, 1))):
            yield Call("numpy.unique", (x, *flags), {"axis": axis})
        for axis in (None, 0, 1):
            yield Call("numpy.repeat", (x, NumPyArray((3,), "int32"), axis))
            yield Call("numpy.delete", (x, NumPyArray((2,), "int32"), axis))
            yield Call("numpy.delete", (x, NumPyArray((3,), "bool"), axis))
        yield Call("numpy.reshape", (x, (NumPyArray((), "int32"), -1)))
        yield Call("numpy.split", (x, NumPyArray((2,), "int64")))
        yield Call("numpy.tile", (x, NumPyArray((2,), "int64")))


def test_sizes_that_depend_on_values() -> None:
    asked = [(call, rule_says(call)) for call in sized_by_values()]
    assert len(asked) > 300
    told = [repr(call) for call, _ in asked]
    assert not [text for text in told if " at 0x" in text], "an address is another one in each run"
    digest = digest_of(("sizes by values", *told, *(fingerprint(ours) for _, ours in asked)))
    if agreed(digest):
        return
    for call, ours in asked:
        real = jax_says(call, eager=True)
        if not isinstance(real, Raised):
            assert describes(ours, real), f"{call}: jax says {show(real)}, the rule says {show(ours)}"
    print(f"{len(asked)} calls compared")
    record(digest)


N, M = SymbolicDim("n"), SymbolicDim("m")


@pytest.mark.parametrize(
    ("name", "shape", "args", "result"),
    [
        ("numpy.reshape", (N, 4), ((N, 2, 2),), (N, 2, 2)),
        ("numpy.reshape", (N, 4), ((N, -1),), (N, 4)),
        ("numpy.reshape", (N, 4), ((-1, 4),), (N, 4)),
        ("numpy.reshape", (N, 4), ((-1, 2),), (add_dims((N, N)), 2)),
        ("numpy.reshape", (N, M), ((M, -1),), (M, N)),
        ("numpy.reshape", (6,), ((Scalar("int"), 3),), (2, 3)),
        ("numpy.reshape", (None, 4), (UNKNOWN,), None),
        ("numpy.ravel", (N, 1), (), (N,)),
        ("numpy.ravel", (N, 2), (), (add_dims((N, N)),)),
        ("numpy.transpose", (N, 3), (), (3, N)),
        ("numpy.moveaxis", (N, 3, M), (0, -1), (3, M, N)),
        ("numpy.squeeze", (N, 1), (1,), (N,)),
        ("numpy.squeeze", (N, 1), (), None),
        ("numpy.expand_dims", (N,), (0,), (1, N)),
        ("numpy.append", (N, 3), (ShapedArray((0, 3), F), 0), (N, 3)),
        ("numpy.append", (N, 3), (ShapedArray((2, None), F), 0), (add_dims((N, 2)), 3)),
        ("numpy.append", (2, None), (ShapedArray((2, None), F), 1), (2, None)),
        ("numpy.broadcast_to", (3,), ((N, 3),), (N, 3)),
        ("numpy.tile", (N,), ((2, 1),), (2, N)),
        ("numpy.take", (N, M), (ShapedArray((5,), "int32"), 0), (5, M)),
        ("numpy.flip", (N, M), (UNKNOWN,), (N, M)),
        ("numpy.pad", (N, 3), (((0, 0), (1, 1)),), (N, 5)),
    ],
)
def test_named_and_unknown_sizes(name: str, shape: Any, args: tuple[Any, ...], result: Any) -> None:
    assert rule_says(Call(name, (ShapedArray(shape, F), *args))) == ShapedArray(result, F)


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("numpy.reshape", (ShapedArray((None, 4), F), (3, 5))),
        ("numpy.reshape", (ShapedArray((15,), F), (Scalar("int"), UNKNOWN, 4))),
        ("numpy.concatenate", ((ShapedArray((N, 3), F), ShapedArray((M, 4), F)),)),
        ("numpy.transpose", (ShapedArray((N, None), F), (0, 1, 2))),
        ("numpy.split", (ShapedArray((None, N), F), 2, 2)),
        ("numpy.squeeze", (ShapedArray((None, 3), F), 1)),
        ("Array.at.set", (ShapedArray((2, None), F), (0, 0), ShapedArray((3,), F))),
    ],
)
def test_mistakes_that_are_certain_without_all_sizes(name: str, args: tuple[Any, ...]) -> None:
    assert isinstance(rule_says(Call(name, args)), Raised)


def calls() -> Iterator[Call]:
    """Representative calls of the family."""
    yield from list(by_dtype(False))[::31]
    for group in GROUPS:
        yield from list(group())[::17]
