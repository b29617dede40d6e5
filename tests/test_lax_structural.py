"""The functions of `jax.lax` that reshape, permute, join, slice, pad, gather, scatter and decompose, against JAX."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from math import prod
from typing import Any

import jax
import pytest
from oracle import Call, Raised, array, differences, elements, jax_says, rule_says, show, sizes

from arraytyping.scalars import bfloat16, float32, float64, int4
from arraytyping.semantics.avals import UNKNOWN, Alternatives, NumPyArray, Scalar, ShapedArray, SymbolicDim
from arraytyping.semantics.rules.dimension_numbers import GatherDimensionNumbers, ScatterDimensionNumbers

F = "float32"
ROWS = GatherDimensionNumbers((1,), (0,), (0,))
"""Rows of a matrix, at one index each."""
INTO_ROWS = ScatterDimensionNumbers((1,), (0,), (0,))
INDEX, INDICES = array("int32"), array("int32", 2, 1)
SCATTERS = ("scatter", "scatter_add", "scatter_sub", "scatter_mul", "scatter_min", "scatter_max")


# Functions of one array: its shape, and the arguments after it.
OF_ONE: dict[str, tuple[tuple[int, ...], tuple[Any, ...], dict[str, Any]]] = {
    "lax.broadcast": ((3,), ((2,),), {}),
    "lax.broadcast_in_dim": ((3,), ((2, 3), (1,)), {}),
    "lax.broadcast_to_rank": ((3,), (3,), {}),
    "lax.broadcast_like": ((3,), (array("int8", 2, 3),), {}),
    "lax.reshape": ((2, 3), ((3, 2), (1, 0)), {}),
    "lax.squeeze": ((2, 1), ((1,),), {}),
    "lax.expand_dims": ((2, 3), ((0,),), {}),
    "lax.collapse": ((2, 3), (0,), {}),
    "lax.tile": ((2, 3), ((2, 2),), {}),
    "lax.transpose": ((2, 3), ((1, 0),), {}),
    "lax.rev": ((2, 3), ((0,),), {}),
    "lax.concatenate": ((2, 3), (0,), {}),
    "lax.split": ((3,), ((1, 2),), {}),
    "lax.stack": ((2, 3), (), {}),
    "lax.unstack": ((2, 3), (), {}),
    "lax.slice": ((3,), ((0,), (2,)), {}),
    "lax.slice_in_dim": ((3,), (0, 2), {}),
    "lax.index_in_dim": ((3,), (0,), {"keepdims": False}),
    "lax.dynamic_slice": ((3,), ((INDEX,), (2,)), {}),
    "lax.dynamic_slice_in_dim": ((3,), (INDEX, 2), {}),
    "lax.dynamic_index_in_dim": ((3,), (INDEX,), {}),
    "lax.gather": ((3, 4), (INDICES, ROWS, (1, 4)), {"mode": "fill"}),
    "lax.scatter_apply": ((3, 4), (INDICES, jax.lax.stop_gradient, INTO_ROWS), {"update_shape": (2, 4)}),
    "lax.fft": ((4,), ("fft", (4,)), {}),
    "lax.linalg.cholesky": ((3, 3), (), {}),
    "lax.linalg.qr": ((3, 2), (), {"pivoting": True}),
    "lax.linalg.eigh": ((3, 3), (), {}),
    "lax.linalg.svd": ((3, 2), (), {}),
    "lax.linalg.lu": ((3, 2), (), {}),
    "lax.linalg.lu_pivots_to_permutation": ((3,), (4,), {}),
}


def by_dtype(x64: bool) -> Iterator[Call]:
    """Every function on every dtype, also as its indices."""
    for dtype, weak in elements(x64):

        def of(*shape: int, dtype: str = dtype, weak: bool = weak) -> ShapedArray:
            return ShapedArray(shape, dtype, weak)

        for name, (shape, args, kwargs) in OF_ONE.items():
            yield Call(name, (of(*shape), *args), kwargs)
        yield Call("lax.linalg.cholesky", (of(3, 3),), {"symmetrize_input": False})
        yield Call("lax.linalg.eigh", (of(3, 3),), {"symmetrize_input": False})
        yield Call("lax.linalg.svd", (of(3, 2),), {"compute_uv": False})
        for transform, length in (("ifft", 4), ("rfft", 4), ("irfft", 6)):
            yield Call("lax.fft", (of(4), transform, (length,)))
            yield Call("lax.fft", (of(4), transform, ()))
        yield Call("lax.pad", (of(3), of(), ((1, 1, 0),)))
        yield Call("lax.linalg.triangular_solve", (of(3, 3), of(3)))
        yield Call("lax.dynamic_update_slice_in_dim", (of(3), of(2), INDEX, 0))
        for scatter in SCATTERS:
            yield Call(f"lax.{scatter}", (of(3, 4), INDICES, of(2, 4), INTO_ROWS))
        for computation in (jax.lax.add, jax.lax.max, jax.lax.min):
            for init in (0, 0.0, -float("inf"), float("inf"), False, True, of()):
                if not (isinstance(init, ShapedArray) and weak):  # its value might be known, were it not traced
                    yield Call("lax.reduce_window", (of(3), init, computation, (2,)))
        # As indices.
        for allowed in (True, False):
            yield Call("lax.dynamic_slice", (array(F, 3), (of(),), (2,)), {"allow_negative_indices": allowed})
            for name in ("slice", "slice_in_dim", "index_in_dim"):
                at = (of(),) if name == "slice" else of()
                x = ShapedArray((3,), F, True), ShapedArray((1,), F, True)
                axis = () if name == "slice" else (0,)
                yield Call(f"lax.dynamic_update_{name}", (*x, at, *axis), {"allow_negative_indices": allowed})
        yield Call("lax.dynamic_slice", (array(F, 3, 4), of(2), (2, 2)))
        yield Call("lax.dynamic_slice_in_dim", (array(F, 3, 4), of(), 2, 1))
        yield Call("lax.dynamic_index_in_dim", (array(F, 3, 4), of(), 1, False))
        yield Call("lax.gather", (array(F, 3, 4), of(2, 1), ROWS, (1, 4)))
        yield Call("lax.scatter", (array(F, 3, 4), of(2, 1), array(F, 2, 4), INTO_ROWS))


@pytest.mark.parametrize("x64", [False, True])
def test_every_dtype(x64: bool) -> None:
    n, lines = differences(by_dtype(x64), x64=x64, at_once=True)
    print(f"{n} calls compared, {len(lines)} differ")
    assert lines == [], "\n".join(lines)
    assert n > 2400


OF_TWO: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    "lax.pad": lambda of: (of(0, 3), of(1), ((1, 0, 1),)),
    "lax.concatenate": lambda of: ((of(0, 2), of(1, 3)), 0),
    "lax.stack": lambda of: ((of(0, 2), of(1, 2)),),
    "lax.dynamic_slice": lambda of: (array(F, 3, 4), (of(0), of(1)), (1, 1)),
    "lax.dynamic_update_slice": lambda of: (of(0, 3), of(1, 2), (INDEX,)),
    "lax.scatter": lambda of: (of(0, 3, 4), INDICES, of(1, 2, 4), INTO_ROWS),
    "lax.scatter_add": lambda of: (of(0, 3, 4), INDICES, of(1, 2, 4), INTO_ROWS),
    "lax.linalg.triangular_solve": lambda of: (of(0, 3, 3), of(1, 3, 3)),
}


def by_two_dtypes(name: str, x64: bool) -> Iterator[Call]:
    every = elements(x64)
    for pair in product(every, every):
        yield Call(name, OF_TWO[name](lambda i, *shape, pair=pair: ShapedArray(shape, *pair[i])))


@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("name", OF_TWO)
def test_every_pair_of_dtypes(name: str, x64: bool) -> None:
    n, lines = differences(by_two_dtypes(name, x64), x64=x64, at_once=True)
    print(f"{name}: {n} calls compared, {len(lines)} differ")
    assert lines == [], "\n".join(lines)
    assert n == len(elements(x64)) ** 2 > 900


SHAPES: tuple[tuple[int, ...], ...] = ((), (1,), (4,), (0,), (2, 3), (3, 1), (0, 3), (2, 3, 4), (1, 2, 1))
NO_ARRAYS: tuple[Any, ...] = (1, 2.0, True, NumPyArray((2, 3), "float64"), NumPyArray((), "int8"))
NO_INTS: tuple[Any, ...] = (1, 1.5, None, (1.5,), ("a",), (None,))
"""What is no sequence of integers."""


def broadcasting() -> Iterator[Call]:
    for x in (*[array(F, *s) for s in SHAPES], *NO_ARRAYS):
        for added in ((), (2,), [2, 0], (-1,), *NO_INTS):
            yield Call("lax.broadcast", (x, added))
        for rank in (0, 1, 2, 3, -1, True, None, 2.0, 5.0, "a"):
            yield Call("lax.broadcast_to_rank", (x, rank))
        for target in ((), (4,), (2, 3), [2, 3], (4, 1), (2, 3, 4), (3, -1), (2, 0, 3), *NO_INTS):
            for dims in ((), (0,), (1,), [1], (0, 1), (1, 0), (1, 2), (0, 0), (-1,), (3,), *NO_INTS[:2]):
                yield Call("lax.broadcast_in_dim", (x, target, dims))
        for other in SHAPES:
            yield Call("lax.broadcast_like", (x, array("int8", *other)))
    shapes: tuple[Any, ...] = (*SHAPES, [2, 1], 3, (-1,), (1.5,), None)
    for pair in product(shapes, shapes[:11]):
        yield Call("lax.broadcast_shapes", pair)
    for one in shapes:
        yield Call("lax.broadcast_shapes", (one,))
    yield Call("lax.broadcast_shapes")
    yield Call("lax.broadcast_shapes", ((3, 1), (1, 4), (2, 1, 1)))


def everything() -> Iterator[tuple[Any, tuple[int, ...]]]:
    """Arrays of all shapes and what is none, each with its shape as JAX reads it."""
    yield from ((array(F, *s), s) for s in SHAPES)
    yield from ((x, sizes(x.shape) if isinstance(x, NumPyArray) else ()) for x in NO_ARRAYS)


def reshaping() -> Iterator[Call]:
    for x, shape in everything():
        size = prod(shape)
        for new in ((size,), size, [1, size], (size, 1, 1), (-1,), (-size, -1), (1.5,), None, "a", ("a",)):
            yield Call("lax.reshape", (x, new))
        for order in ((0,), (0, 1), (1, 0), [1, 0], (2, 0, 1), (1, 1), (5,), 0, 1, (), (-1, 0), 1.0, (1.0, 0), "a"):
            yield Call("lax.reshape", (x, (size,), order))
        for axes in ((), (0,), (1,), (-1,), [0], (0, 1), (0, 2), (0, 0), (0, -1), (3,), *NO_INTS):
            yield Call("lax.squeeze", (x, axes))
            yield Call("lax.expand_dims", (x, axes))
        for bounds in ((0,), (1,), (-1,), (0, 0), (0, 1), (1, 2), (1, 0), (-2, -1), (0, 9), (None,), (None, 1), (1.0,)):
            yield Call("lax.collapse", (x, *bounds))
        for reps in ((), (2,), (0,), [2, 1], (1, 2), (2, 3, 1), *NO_INTS):
            yield Call("lax.tile", (x, reps))
    for dtype in (F, float32, float64, int, float, complex, bool, bfloat16, int4, None, "nonsense", 3):
        for asked in ((), 3, (2, 3), (0,), (1.5,), None, [2]):
            yield Call("lax.empty", (asked, dtype))


def permuting() -> Iterator[Call]:
    for x in (*[array(F, *s) for s in SHAPES], *NO_ARRAYS):
        for order in (
            (), (0,), (1, 0), [0, 1], (2, 0, 1), (0, 0), (-1, 0), (1, 2), (0, 1, 2, 3), range(2), (True, False),
            *NO_INTS,
        ):  # fmt: skip
            yield Call("lax.transpose", (x, order))
            yield Call("lax.rev", (x, order))
        for parts, axis in product(
            ((4,), (1, 3), [0, 4], (1, 1), (3, -1), (), (2,), *NO_INTS[:3]), (0, 1, -1, 3, None, 1.0)
        ):
            yield Call("lax.split", (x, parts, axis))
        for dim in (0, 1, 2, -1, True, 1.5, None, "a"):
            yield Call("lax.concatenate", (x, dim))
            yield Call("lax.concatenate", ([x], dim))
            yield Call("lax.concatenate", ((x, array(F, 2, 3)), dim))
            yield Call("lax.stack", (x, dim))
            yield Call("lax.stack", ([x], dim))
            yield Call("lax.stack", ((x, array(F, 2, 3)), dim))
            yield Call("lax.unstack", (x, dim))
    xs = [array(F, *s) for s in SHAPES]
    for a, b, dim in product(xs, xs, (0, 1, 2)):
        yield Call("lax.concatenate", ((a, b, a), dim))
        yield Call("lax.stack", ((a, b, a), dim))
    for operands in ((), [], None, 3, (None,), [[1.0]], (1.0, 2.0)):
        yield Call("lax.concatenate", (operands, 0))
        yield Call("lax.stack", (operands,))
        yield Call("lax.unstack", (operands,))
    for x in (None, [1, 2], "a"):
        yield Call("lax.transpose", (x, (0,)))
        yield Call("lax.split", (x, (2,)))
        yield Call("lax.broadcast", (x, (2,)))


def slicing() -> Iterator[Call]:
    for x, shape in everything():
        rank = len(shape)
        for start, limit, stride in product((0, 1, -1, 3), (0, 1, 2, 4, -1), (None, 1, 2, 0, -1)):
            strides = () if stride is None else ((stride,) * rank,)
            yield Call("lax.slice", (x, (start,) * rank, [limit] * rank, *strides))
        for bounds in (
            ((0,), (1,)), ((0, 0), (1, 1)), ((0, 0), (1, 1), (1,)), ((0, 0), (1,)), ((0,), (1,), (0, 1)), (0, (1,)),
            ((0.5,), (1,)), ((0,), None), ((0,), (1,), 1), ((True,), (True,)),
        ):  # fmt: skip
            yield Call("lax.slice", (x, *bounds))
        for in_dim in product((0, 1, -2, None, 7), (2, -1, None, 9), (1, 2, 0), (0, 1, -1, 2)):
            yield Call("lax.slice_in_dim", (x, *in_dim))
        for arguments in ((0.0, 1), (0, "a"), (0, 1, None), (0, 1, 1, 1.0), (0, 1, 1, None), (0, 1, -1)):
            yield Call("lax.slice_in_dim", (x, *arguments))
        for place in product((0, 1, -1, 7, 1.0, None, True), (0, 1, -1, 5, 1.0, "a", "0"), (True, False, None)):
            yield Call("lax.index_in_dim", (x, *place))
        for widths in product((0, 1, -1, -9), (2, -1), (0, 1, 2, -1)):
            yield Call("lax.pad", (x, array(F), (widths,) * rank))
        for config in (
            ((1, 1, 0),), ((1, 1, 0), (0, 0, 1)), [(0, 0, 0)] * rank, ((1, 1),) * rank, (1, 2), ((1.0, 0, 0),) * rank,
            None, ([1, 1, 0],) * rank, ((1, 1, 1, 1),), 1, ((0, 0, None),) * rank,
        ):  # fmt: skip
            yield Call("lax.pad", (x, 0.0, config))
        yield Call("lax.pad", (x, array(F, 1), ((0, 0, 0),) * rank))
        yield Call("lax.pad", (x, None, ((0, 0, 0),) * rank))
    yield Call("lax.pad", (array("int8", 2), 1, ((0, 0, 0),)))
    yield Call("lax.pad", (None, 1, ((0, 0, 0),)))


def dynamic_slicing() -> Iterator[Call]:
    i8 = array("int8")
    for x, shape in everything():
        rank = len(shape)
        for starts in (
            (INDEX,) * rank, [0] * rank, (-1,) * rank, (INDEX, i8), (0,), (0, 0), array("int32", 2),
            array("int8", rank), array("int32", 2, 2), INDEX, array(F, rank), (0.5,) * rank, (True,) * rank,
            (array("int32", 2),) * rank, 0, (2**40,) * rank, NumPyArray((rank,), "uint8"), None, (None,) * rank,
            (NumPyArray((), "int16"),) * rank,
        ):  # fmt: skip
            for allowed in (True, False, [False, True], None):
                more = {"allow_negative_indices": allowed}
                yield Call("lax.dynamic_slice", (x, starts, (1,) * rank), more)
                yield Call("lax.dynamic_update_slice", (x, array(F, *(1,) * rank), starts), more)
        for part in ((1,), (2, 2), (0, 3), [9], (1, -1), (1, 1, 1), 1, (), *NO_INTS):
            yield Call("lax.dynamic_slice", (x, (0,) * rank, part))
        for update in (*[array(F, *s) for s in SHAPES], 1.0, 1, None, NumPyArray((1,), F), array("int8", *(1,) * rank)):
            yield Call("lax.dynamic_update_slice", (x, update, (INDEX,) * rank))
            for axis in (0, 1, -1, 5, 1.0, None, "a", "1"):
                yield Call("lax.dynamic_update_slice_in_dim", (x, update, INDEX, axis))
                if not isinstance(update, float | int | None):
                    yield Call("lax.dynamic_update_index_in_dim", (x, update, 0, axis))
        indices = (INDEX, -1, 0.5, array("int32", 2), None, 2**40)
        for in_dim in product(indices, (1, 9, -1, None), (0, -1, 5, 1.0, None, "a")):
            yield Call("lax.dynamic_slice_in_dim", (x, *in_dim))
        for index, along, keep in product(indices, (0, 1, -1, 5, 1.0, "a"), (True, False)):
            yield Call("lax.dynamic_index_in_dim", (x, index, along, keep), {"allow_negative_indices": keep})
    for x in (None, [1.0]):
        yield Call("lax.dynamic_slice", (x, (0,), (1,)))
        yield Call("lax.dynamic_slice_in_dim", (x, 0, 1))
        yield Call("lax.dynamic_index_in_dim", (x, 0))
        yield Call("lax.dynamic_update_slice", (array(F, 3), x, (0,)))
    yield Call("lax.dynamic_update_index_in_dim", (array(F, 3), [1.0], 0, 0))
    yield Call("lax.dynamic_index_in_dim", (array(F, 3), 0, [0]))
    weak = ShapedArray((3,), F, True)
    for start in (ShapedArray((), "int32", True), INDEX, 0, array("uint8")):
        for name, at in (("slice", ([start],)), ("slice_in_dim", (start, 0)), ("index_in_dim", (start, 0))):
            for allowed in (True, False):
                update = 1.0 if name == "index_in_dim" else ShapedArray((2,), F, True)
                yield Call(f"lax.dynamic_update_{name}", (weak, update, *at), {"allow_negative_indices": allowed})


def windows() -> Iterator[Call]:
    for x in (*[array(F, *s) for s in SHAPES], ShapedArray((2, 3), F, True)):
        rank = len(x.shape or ())
        for window, strides in product((1, 2, 3, 0, -1), (None, 1, 2, 0)):
            steps = None if strides is None else (strides,) * rank
            for pads in ("VALID", "same", "SAME_LOWER", ((1, 0),) * rank, [(0, -3)] * rank):
                yield Call("lax.reduce_window", (x, 0.0, jax.lax.add, (window,) * rank, steps, pads))
        for base, reach in product((None, 1, 2, 3, 0, -1), repeat=2):
            dilations = (None if base is None else (base,) * rank, None if reach is None else [reach] * rank)
            yield Call("lax.reduce_window", (x, 0.0, jax.lax.max, (2,) * rank, (1,) * rank, "SAME", *dilations))
        for padding in (
            "foo", None, 1, ((1, 1, 1),) * rank, (1,) * rank, ((0, 0),), ((0, 0),) * 2, ((0.5, 0),) * rank,
            (("a", 0),) * rank,
        ):  # fmt: skip
            yield Call("lax.reduce_window", (x, 0.0, jax.lax.mul, (2,) * rank, (1,) * rank, padding))
        for ints in ((2,), (2, 2), 2, None, (1.5,) * rank, [2] * rank):
            yield Call("lax.reduce_window", (x, 0.0, jax.lax.add, ints, (1,) * rank))
            yield Call("lax.reduce_window", (x, 0.0, jax.lax.add, (2,) * rank, ints))
            yield Call("lax.reduce_window", (x, 0.0, jax.lax.add, (2,) * rank, ints, "SAME"))
            yield Call("lax.reduce_window", (x, 0.0, jax.lax.add, (2,) * rank, None, "VALID", ints))
            yield Call("lax.reduce_window", (x, 0.0, jax.lax.add, (2,) * rank, None, "VALID", None, ints))
        for init in (0, 1, 1.0, True, 0j, 1j, array(F, 2), None, (0.0,)):
            for computation in (jax.lax.add, jax.lax.mul, jax.lax.min):
                yield Call("lax.reduce_window", (x, init, computation, (2,) * rank))
    for operand in (1.0, 1, None, [1.0], (array(F, 2),)):
        yield Call("lax.reduce_window", (operand, 0.0, jax.lax.add, ()))
        yield Call("lax.reduce_window", (operand, 0.0, jax.lax.add, (), (), ()))


def transforms() -> Iterator[Call]:
    for x, shape in (*everything(), (array("complex64", 2, 3), (2, 3))):
        lasts = shape[-1:]
        halves = tuple(2 * d - 2 for d in lasts)
        for kind in ("fft", "IFFT", "rfft", "RFFT"):
            for lengths in (lasts, (), (3,), (2, 3), (2, 3, 4), (1, 2, 3, 4), [3], 3, None):
                yield Call("lax.fft", (x, kind, lengths))
        for lengths in (halves, (2, *halves), (9, *halves), ()):
            if all(d > 0 for d in lengths):
                yield Call("lax.fft", (x, "irfft", lengths))
        for other in ("foo", "Fft", 0, None, 1.0, ["fft"]):
            yield Call("lax.fft", (x, other, lasts))
    for none in (None, [1.0], "a"):
        yield Call("lax.fft", (none, "fft", (1,)))


def decompositions() -> Iterator[Call]:
    shapes = (*SHAPES, (3, 3), (2, 3, 3), (1, 3), (3, 2), (2, 3, 2), (0, 0), (4, 0))
    for x in (*[array(F, *s) for s in shapes], ShapedArray((3, 3), "complex64", True), *NO_ARRAYS, None, [[1.0]]):
        for symmetrize in (True, False):
            yield Call("lax.linalg.cholesky", (x,), {"symmetrize_input": symmetrize})
            for subset in (None, (0, 2), (0, 9), (1, 1), (0,), [0, 1], 3, (0, 1.5)):
                more = {"symmetrize_input": symmetrize, "subset_by_index": subset}
                yield Call("lax.linalg.eigh", (x,), more)
        for full, other in product((True, False), repeat=2):
            yield Call("lax.linalg.qr", (x,), {"full_matrices": full, "pivoting": other})
            for subset in (None, (0, 2), (0, 3), (1, 2), (0,), [0, 1], 3):
                more = {"full_matrices": full, "compute_uv": other, "subset_by_index": subset}
                yield Call("lax.linalg.svd", (x,), more)
        yield Call("lax.linalg.lu", (x,))
        pivots = ShapedArray(x.shape, "int32", False) if isinstance(x, ShapedArray) else x
        for size in (0, 2, 3, 9, 2.5, True, None, "a", array("int32"), -1):
            yield Call("lax.linalg.lu_pivots_to_permutation", (pivots, size))
        for other_shape, left in product(SHAPES + ((3, 3), (3,), (3, 2), (2, 3, 2), (1, 3, 3)), (True, False)):
            rank = len(x.shape or ()) if isinstance(x, ShapedArray) else 0
            if rank > 2 and len(other_shape) >= rank - 1 and other_shape[:1] != x.shape[:1]:
                continue  # leading dimensions that differ are found when it is compiled
            yield Call("lax.linalg.triangular_solve", (x, array(F, *other_shape)), {"left_side": left})


def gathering() -> Iterator[Call]:
    x, at = array(F, 3, 4), array("int32", 2, 1)
    numbers = GatherDimensionNumbers
    for mode in (
        None,
        "clip",
        "fill",
        "drop",
        "promise_in_bounds",
        "one_hot",
        "foo",
        1,
        (),
        jax.lax.GatherScatterMode.CLIP,
    ):
        yield Call("lax.gather", (x, at, ROWS, (1, 4)), {"mode": mode})
        for name in SCATTERS:
            yield Call(f"lax.{name}", (x, at, array(F, 2, 4), INTO_ROWS), {"mode": mode})
    for cut in ((1, 4), [1, 4], (1,), (1, 4, 1), 1, (2, 4), (1, 5), (1, 0), (0, 4), (1, -1), None, (1.5, 4), "ab"):
        for indices in (at, array("int32", 0, 1), array("int8", 5, 6, 1), array(F, 2, 1), array("int32", 2, 2), INDEX):
            yield Call("lax.gather", (x, indices, ROWS, cut))
    for dims in (
        numbers((1,), (0,), (0,)), numbers((0,), (0,), (0,)), numbers((2,), (0,), (0,)), numbers((), (0, 1), (0,)),
        numbers((1,), (0,), (1,)), numbers((1,), (1,), (0,)), numbers((1,), (0,), (2,)), numbers((1,), (0,), (0, 1)),
        numbers((-1,), (0,), (0,)), numbers((0, 1), (), (0,)), numbers((1, 0), (), (0,)),
        numbers((1,), (), (0,), (0,), (0,)), numbers((1,), (0,), (0,), (0,), (0,)), numbers((1,), (), (1,), (0,), (1,)),
        numbers((1,), (), (1,), (0,), (0, 1)), numbers((1,), (-1,), (0,)), numbers((1,), (0,), (-1,)),
        numbers([1], (0,), (0,)),  # type: ignore[arg-type]
        numbers(1, (0,), (0,)), None, 1, (1,), ((1,), (0,)),  # type: ignore[arg-type]
    ):  # fmt: skip
        for indices in (at, array("int32", 3, 1), array("int32", 1)):
            yield Call("lax.gather", (x, indices, dims, (1, 4)))
            into = ScatterDimensionNumbers(*dims) if isinstance(dims, GatherDimensionNumbers) else dims
            for updates in (array(F, 2, 4), array(F, 3, 4), array(F, 4)):
                yield Call("lax.scatter", (x, indices, updates, into))
                yield Call("lax.scatter_max", (x, indices, updates, into))
    for operand in (1.0, None, [1.0], NumPyArray((3, 4), "float64")):
        yield Call("lax.gather", (operand, at, ROWS, (1, 4)))
        yield Call("lax.scatter", (operand, at, array(F, 2, 4), INTO_ROWS))
        yield Call("lax.scatter", (x, at, operand, INTO_ROWS))
        yield Call("lax.scatter_apply", (operand, at, jax.lax.neg, INTO_ROWS))
    for shape in ((2, 4), (), (2, 5), -1, (2, -4), None, 1.5):
        yield Call("lax.scatter_apply", (x, at, jax.lax.neg, INTO_ROWS), {"update_shape": shape})


GROUPS = (
    broadcasting, reshaping, permuting, slicing, dynamic_slicing, windows, transforms, decompositions, gathering
)  # fmt: skip


@pytest.mark.parametrize("group", GROUPS, ids=lambda g: g.__name__)
def test_shapes_and_static_arguments(group: Any) -> None:
    n, lines = differences(group(), at_once=True)
    print(f"{group.__name__}: {n} calls compared, {len(lines)} differ")
    assert lines == [], "\n".join(lines)
    assert n > 200


def found_when_compiled() -> Iterator[Call]:
    """Mistakes that JAX finds when it compiles: its abstract evaluation alone lets them pass."""
    x, matrices = array(F, 3, 4), array(F, 5, 3, 3)
    for new in ((5,), (3, 5), (0, 4), ()):
        yield Call("lax.reshape", (x, new))
    yield Call("lax.reshape", (x, (12,), (1, 0, 0)))
    yield Call("lax.tile", (x, (-1, 2)))
    yield Call("lax.empty", ((-1,), F))
    for length in (-4, 0, 9):
        yield Call("lax.fft", (array("complex64", 3, 4), "irfft", (length,)))
    for other in ((4, 3, 2), (1, 3, 2), (4, 3)):
        yield Call("lax.linalg.triangular_solve", (matrices, array(F, *other)), {"left_side": True})
    yield Call("lax.linalg.eigh", (matrices,), {"subset_by_index": (2, 0)})
    yield Call("lax.linalg.svd", (matrices,), {"full_matrices": False, "subset_by_index": (2, 0)})


def test_what_is_found_when_it_is_compiled() -> None:
    for call in found_when_compiled():
        real, ours = jax_says(call, eager=True), rule_says(call)
        assert isinstance(real, Raised), f"{call}: jax says {show(real)}"
        assert isinstance(ours, Raised), f"{call}: the rule says {show(ours)}"
        assert ours.exception is real.exception or not issubclass(real.exception, ValueError)
        assert issubclass(ours.exception, ValueError | TypeError)


def test_the_type_of_a_transform_is_also_a_member_of_the_enumeration() -> None:
    for kind in jax.lax.FftType:
        call = Call("lax.fft", (array("complex64" if "R" not in kind.name else F, 4), kind, (6 if kind == 3 else 4,)))
        assert rule_says(call) == jax_says(call) != UNKNOWN


N, M = SymbolicDim("n"), SymbolicDim("m")


@pytest.mark.parametrize(
    ("name", "shape", "args", "result"),
    [
        ("lax.broadcast", (N,), ((M, 2),), (M, 2, N)),
        ("lax.broadcast_in_dim", (N,), ((M, N), (1,)), (M, N)),
        ("lax.broadcast_in_dim", (3,), ((UNKNOWN, UNKNOWN), (1,)), (None, 3)),
        ("lax.broadcast_in_dim", (3,), ((2, 3), UNKNOWN), (2, 3)),
        ("lax.broadcast_in_dim", (2, 3), ((5, 3), UNKNOWN), (None, 3)),
        ("lax.reshape", (N, 4), ((N, 2, 2),), (N, 2, 2)),
        ("lax.reshape", (6,), ((Scalar("int"), 3),), (2, 3)),
        ("lax.squeeze", (N, 1), ((1,),), (N,)),
        ("lax.expand_dims", (N,), ((0, -1),), (1, N, 1)),
        ("lax.collapse", (2, N, 1), (1, 3), (2, N)),
        ("lax.collapse", (2, 3, N), (0, 2), (6, N)),
        ("lax.tile", (N, 3), ((1, 2),), (N, 6)),
        ("lax.transpose", (N, M, 3), ((2, 0, UNKNOWN),), (3, N, None)),
        ("lax.rev", (N, M), (UNKNOWN,), (N, M)),
        ("lax.slice", (N, 5), ((0, 1), (N, 4)), (N, 3)),
        ("lax.slice_in_dim", (N, 5), (1, 3, 1, -1), (N, 2)),
        ("lax.slice_in_dim", (N, 5), (None, None), (N, 5)),
        ("lax.index_in_dim", (N, 5), (Scalar("int"), 0, False), (5,)),
        ("lax.dynamic_slice", (N, 5), (UNKNOWN, (2, N)), (2, N)),
        ("lax.dynamic_index_in_dim", (N, 5), (INDEX, 1, False), (N,)),
        ("lax.dynamic_update_slice", (N, M), (array(F, 1, 1), (0, 0)), (N, M)),
        ("lax.pad", (N, 3), (array(F), ((0, 0, 0), (1, 1, 1))), (N, 7)),
        ("lax.gather", (3, N), (ShapedArray((M, 1), "int32"), ROWS, (1, N)), (M, N)),
        ("lax.scatter_add", (N, M), (UNKNOWN, UNKNOWN, UNKNOWN), (N, M)),
        ("lax.reduce_window", (N, 8), (UNKNOWN, UNKNOWN, (1, 2), (1, 2)), (N, 4)),
        ("lax.fft", (N, 8), ("rfft", (8,)), (N, 5)),
        ("lax.linalg.triangular_solve", (N, 3, 3), (ShapedArray((None, M, 3), F),), (N, M, 3)),
    ],
)
def test_named_and_unknown_sizes(name: str, shape: Any, args: tuple[Any, ...], result: Any) -> None:
    said = rule_says(Call(name, (ShapedArray(shape, F), *args)))
    assert isinstance(said, ShapedArray)
    assert said.shape == result


def test_results_that_depend_on_what_is_unknown() -> None:
    x = ShapedArray((N, 3), F)
    assert rule_says(Call("lax.split", (x, (1, UNKNOWN), 1))) == (ShapedArray((N, 1), F), ShapedArray((N, 2), F))
    q, r = ShapedArray((N, N), F), ShapedArray((N, 3), F)
    pivots = ShapedArray((3,), "int32")
    assert rule_says(Call("lax.linalg.qr", (x,), {"pivoting": UNKNOWN})) == Alternatives(((q, r), (q, r, pivots)))
    assert rule_says(Call("lax.linalg.svd", (array(F, 2, 3),), {"compute_uv": False})) == array(F, 2)
    weak = ShapedArray((4,), F, True)
    assert rule_says(Call("lax.reduce_window", (weak, 0, UNKNOWN, (2,)))).weak_type is None
    assert rule_says(Call("lax.reduce_window", (weak, UNKNOWN, jax.lax.add, (2,)))).weak_type is None
    assert rule_says(Call("lax.reduce_window", (weak, 0.0, jax.lax.stop_gradient, (2,)))).weak_type is False


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("lax.broadcast_in_dim", (ShapedArray((None, 4), F), (3, 5), (0, 1))),
        ("lax.reshape", (ShapedArray((15,), F), (Scalar("int"), UNKNOWN, 4))),
        ("lax.transpose", (ShapedArray((N, None), F), (0, 1, 2))),
        ("lax.transpose", (ShapedArray(None, F), (0, 0, UNKNOWN))),
        ("lax.concatenate", ((ShapedArray((N, 3), F), ShapedArray((M, 4), F)), 0)),
        ("lax.concatenate", ((ShapedArray(None, F), ShapedArray(None, "int8")), 0)),
        ("lax.slice", (ShapedArray((None, 4), F), (0, UNKNOWN), (UNKNOWN, 5))),
        ("lax.slice_in_dim", (ShapedArray((N, None), F), 3, 2, 1, 1)),
        ("lax.dynamic_slice", (ShapedArray((None, 4), F), UNKNOWN, (UNKNOWN, 5))),
        ("lax.pad", (ShapedArray((None,), F), array("int8"), UNKNOWN)),
        ("lax.split", (ShapedArray((None, 3), F), (2, UNKNOWN, 2), 1)),
        ("lax.gather", (ShapedArray((None, 4), F), INDICES, ROWS, (1, 5))),
        ("lax.scatter", (array(F, 3, 4), INDICES, ShapedArray((None, 5), F), INTO_ROWS)),
        ("lax.reduce_window", (ShapedArray((None,), F), UNKNOWN, UNKNOWN, (2, UNKNOWN))),
        ("lax.linalg.cholesky", (ShapedArray((None, 3, 2), F),)),
        ("lax.fft", (ShapedArray((None, 4), F), UNKNOWN, (3, 4, UNKNOWN))),
    ],
)
def test_mistakes_that_are_certain_without_all_sizes(name: str, args: tuple[Any, ...]) -> None:
    assert isinstance(rule_says(Call(name, args)), Raised)


def calls() -> Iterator[Call]:
    """Representative calls of the family."""
    yield from list(by_dtype(False))[::29]
    for name, (shape, args, kwargs) in OF_ONE.items():
        yield Call(name, (array(F, *shape), *args), kwargs)
    for name, make in OF_TWO.items():
        yield Call(name, make(lambda i, *shape: ShapedArray(shape, F, True)))
    for scatter in SCATTERS:
        yield Call(f"lax.{scatter}", (array(F, 3, 4), INDICES, array(F, 2, 4), INTO_ROWS))
    numbers = (1,), (), (1,), (0,), (0,)
    yield Call("lax.gather", (array(F, 2, 4), array("int8", 2, 1), GatherDimensionNumbers(*numbers), (1, 3)))
    yield Call("lax.scatter", (array(F, 2, 4), array("int8", 2, 1), array(F, 2, 3), ScatterDimensionNumbers(*numbers)))
    for group in GROUPS:
        yield from list(group())[::61]
