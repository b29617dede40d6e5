"""Joins of arrays, of JAX and of NumPy, and of trees of them."""

from __future__ import annotations

from typing import Any

from arraytyping.checker.flow.state.aliases import link
from arraytyping.checker.flow.state.identity import identity
from arraytyping.checker.flow.state.joins.joining import JOIN, JOIN_CONTENTS, join
from arraytyping.checker.flow.state.joins.objects import join_same
from arraytyping.checker.flow.values import MISSING, SEVERAL_LIVES, ArrayValue, KeyOrigin, NumPyValue, TreeValue, Value
from arraytyping.checker.flow.values.origins import joined_origins
from arraytyping.semantics.avals import ShapedArray, join_shapes

__all__: list[str] = []


@JOIN(ArrayValue)
def _join_arrays(a: ArrayValue, b: ArrayValue) -> ArrayValue:
    x, y = a.aval, b.aval
    traced = a.traced or b.traced
    place = a.place if a.place == b.place else None
    alike = place == a.place and a.bounds == b.bounds and a.sharding == b.sharding
    if x == y and type(x.value) is type(y.value) and alike:
        return _one_of(a if a.traced == traced else b, a, b)
    same = x.dtype == y.dtype
    value = x.value if x.value == y.value and type(x.value) is type(y.value) else None
    weak = x.weak_type if same and x.weak_type == y.weak_type else None
    shape = join_shapes(x.shape, y.shape)
    joined = ArrayValue(ShapedArray(shape, x.dtype if same else None, weak, value), traced, a.origin).at(place)
    return _one_of(joined, a, b)


def _is_over(array: ArrayValue) -> bool:
    """Whether it is a tracer whose trace is over."""
    return array.life is not None and array.life.end is not None and not array.life.end.is_donated


def _one_of(alike: ArrayValue, a: ArrayValue, b: ArrayValue) -> ArrayValue:
    """One of two arrays, as an array of its own: what happened to either is not certain of it."""
    joined = alike.another()
    joined.origin = joined_origins(a.origin, b.origin, joined.aval)
    are_alike = a.life is b.life or (_is_over(a) and _is_over(b))
    joined.life = a.life if are_alike and alike.traced else SEVERAL_LIVES
    if joined.keys_shape is not None:
        joined.key = a.key if a.key is b.key is not None else KeyOrigin.several()
    return joined


@JOIN(NumPyValue)
def _join_numpy(a: NumPyValue, b: NumPyValue) -> Value:
    if a.is_scalar != b.is_scalar:
        return MISSING
    same = identity(a) == identity(b)
    if same and a.is_scalar:
        return a
    dtype = a.dtype if a.dtype == b.dtype else None
    joined = NumPyValue(join_shapes(a.shape, b.shape), dtype, a.is_scalar, a.data if same else None, a.origin)
    joined.is_data = a.is_data or b.is_data
    return joined if a.is_scalar else link(joined, a, b)


@JOIN_CONTENTS(NumPyValue)
def _join_numpy_contents(owner: NumPyValue, a: Any, b: Any) -> Value:
    return a[0] if a[0] is b[0] else None, join_shapes(a[1], b[1])


@JOIN(TreeValue)
def _join_trees(a: TreeValue, b: TreeValue) -> Value:
    if a.structure != b.structure:
        return join_same(a, b)
    return TreeValue(a.treedef, tuple(join(x, y) for x, y in zip(a.leaves, b.leaves)))
