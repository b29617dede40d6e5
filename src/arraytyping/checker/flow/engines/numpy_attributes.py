"""Attributes of NumPy arrays and scalars."""

from __future__ import annotations

import ast
from typing import Final

from arraytyping.checker.flow.engines.numpy_calls import call_function
from arraytyping.checker.flow.engines.numpy_values import NotPossible, concrete, describe, real_dtype
from arraytyping.checker.flow.engines.numpy_views import forget, link
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.state.unknown_shapes import some_shape
from arraytyping.checker.flow.values import MISSING, IteratorValue, MethodOf, NumPyValue, ScalarValue, Value
from arraytyping.checker.flow.values.calls import Call
from arraytyping.semantics.avals import Dim
from arraytyping.semantics.sizes.dims import multiply_dims, of_dim

__all__ = ["attribute", "from_dim"]

_FORGETTING: Final = frozenset({"flat", "data", "ctypes", "base", "__array_interface__"})


def from_dim(dim: Dim) -> Value:
    """A size as a value of the program."""
    if isinstance(dim, int):
        return dim
    return ScalarValue(int, size=of_dim(dim))


def attribute(it: Interpreter, value: NumPyValue, name: str, node: ast.AST | None) -> Value:
    """An attribute of an array; MISSING if there is none."""
    import numpy as np

    shape = value.shape
    if name == "shape":
        return some_shape() if shape is None else tuple(map(from_dim, shape))
    if name == "ndim":
        return ScalarValue(int) if shape is None else len(shape)
    if name == "size":
        return ScalarValue(int) if shape is None else from_dim(multiply_dims(shape))
    if name in ("dtype", "itemsize"):
        if value.dtype is None:
            return it.unknown("a dtype that is not known") if name == "dtype" else ScalarValue(int)
        try:
            dtype = real_dtype(value.dtype)
        except NotPossible:
            return it.unknown("a dtype that is not known")
        return dtype if name == "dtype" else int(dtype.itemsize)
    if name == "nbytes":
        return it.binary("mul", attribute(it, value, "size", node), attribute(it, value, "itemsize", node), node)
    if name in ("T", "mT"):
        if shape is None:
            return NumPyValue(None, value.dtype)
        if name == "mT" and len(shape) < 2:
            return it.fail(node, "array-dim", "ValueError: matrix transpose with ndim < 2 is undefined")
        return call_function(
            it,
            np.transpose if name == "T" else np.matrix_transpose,
            "transpose" if name == "T" else "matrix_transpose",
            Call([value], {}, node),
        )
    if name in ("real", "imag"):
        return _part(it, value, name)
    holder = np.generic if value.is_scalar else np.ndarray
    if value.is_scalar and value.dtype is not None:
        try:
            holder = real_dtype(value.dtype).type
        except NotPossible:
            return it.unknown("a dtype that is not known")
    if not hasattr(holder, name):
        # Where no rank is known, it may be a scalar.
        return it.unknown(f"attribute {name}") if shape is None or value.dtype is None else MISSING
    if name in _FORGETTING:
        forget(it, value)
        if name == "flat":
            return IteratorValue(None, NumPyValue((), value.dtype, True))
        return it.unknown(f"attribute {name} of an array")
    if callable(getattr(holder, name)):
        return MethodOf(value, name)
    return it.unknown(f"attribute {name} of an array")


def _part(it: Interpreter, value: NumPyValue, name: str) -> Value:
    if value.data is not None:
        result = describe(it, getattr(concrete(value), name), True)
    else:
        dtype = {"complex64": "float32", "complex128": "float64"}.get(value.dtype or "", value.dtype)
        result = NumPyValue(value.shape, dtype, value.is_scalar)
    link(it, [value], result)
    return result
