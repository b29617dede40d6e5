"""Indexing of NumPy arrays, also of unknown sizes and by indices that are not known.

Source: https://numpy.org/doc/stable/user/basics.indexing.html.
"""

from __future__ import annotations

import ast
import warnings
from typing import Any

from arraytyping.checker.flow.engines.numpy_array_likes import dtype_of, shape_of
from arraytyping.checker.flow.engines.numpy_index_shapes import indexed_shape
from arraytyping.checker.flow.engines.numpy_ufuncs import error_code
from arraytyping.checker.flow.engines.numpy_values import (
    KEPT,
    MOST,
    NotConcrete,
    NotPossible,
    concrete,
    contains_traced,
    describe,
    real_dtype,
)
from arraytyping.checker.flow.engines.numpy_views import forget, link, write
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import MISSING, ArrayValue, ListValue, NumPyValue, ScalarValue, Unknown, Value
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.avals import Shape, shape_tuple_str, size_of
from arraytyping.semantics.rules.errors import RuleError
from arraytyping.semantics.sizes.dims import differ

__all__ = ["getitem", "iterate", "setitem"]


def getitem(it: Interpreter, value: NumPyValue, index: Value, node: ast.AST | None) -> Value:
    """`value[index]`."""
    import numpy as np

    if (failed := _refused(it, index, node)) is not None:
        return failed
    index = _unwrapped(index)
    try:
        real = concrete(index)
    except NotConcrete:
        real = MISSING
    if real is not MISSING:
        array: Value = None
        if value.data is not None:
            array = concrete(value)
        elif _is_known(value):
            # Elements are not looked at; a view of one element costs nothing.
            assert value.shape is not None
            assert value.dtype is not None
            sizes: Any = value.shape
            try:
                array = np.broadcast_to(np.zeros((), real_dtype(value.dtype)), sizes)
                if value.is_scalar:
                    array = array[()]
            except NotPossible:
                array = None
        if array is not None:
            return _real(it, value, array, real, node)
    known, dtype = value.shape, value.dtype
    if known is None and value.rows is not None and _needs_items(index):
        known, dtype = value.rows  # empty it would raise
    try:
        shape = None if known is None else indexed_shape(known, index)
    except RuleError as error:
        return it.fail(node, error.code, f"IndexError: {error.message}")
    parts = index if isinstance(index, tuple) else (index,)
    is_scalar = shape == () and not any(p is Ellipsis for p in parts)
    if dtype == "object" and shape == ():
        return it.unknown("an element of an array of objects")
    result = NumPyValue(shape, dtype if dtype != "object" else None, is_scalar)
    result.limits = value.limits
    if known is None and value.rows is not None and isinstance(index, slice):
        rows = indexed_shape(value.rows[0], index)
        result.rows = None if rows is None else (rows, value.rows[1])
    link(it, [value], result)
    return result


def _needs_items(index: Value) -> bool:
    """Whether an index is refused by an array of one axis that has no items."""
    parts = [p for p in (index if isinstance(index, tuple) else (index,)) if p is not None]
    axes = [p for p in parts if p is not Ellipsis]
    if len(axes) != 1:
        return len(axes) > 1
    (part,) = axes
    if isinstance(part, ScalarValue):
        return part.kinds == (int,)
    if isinstance(part, NumPyValue | ArrayValue):
        shape = shape_of(part)
        is_whole = (dtype_of(part) or "").startswith(("int", "uint"))
        return is_whole and shape is not None and all(isinstance(d, int) and d > 0 for d in shape)
    return type(part) is int


def _real(it: Interpreter, value: NumPyValue, array: Any, index: Value, node: ast.AST | None) -> Value:
    import numpy as np

    shape = tuple(int(d) for d in array.shape)
    if not _is_basic(index) and (size_of(indexed := _advanced_shape(shape, index)) or 0) > MOST:
        return NumPyValue(indexed, value.dtype)
    try:
        result = array[index]
    except (IndexError, ValueError, TypeError) as error:
        code = error_code(error)
        return it.fail(node, "array-dim" if isinstance(error, IndexError) else code, f"{type(error).__name__}: {error}")
    except Exception as error:
        swallow(error)
        return it.unknown(f"indexing failed: {type(error).__name__}")
    if not isinstance(result, np.ndarray | np.generic):
        return it.unknown("an element of an array of objects")
    made = describe(it, result, value.data is not None)
    if isinstance(made, NumPyValue):
        made.limits = value.limits
    if _is_basic(index):
        link(it, [value], made)
    return made


def _advanced_shape(shape: Shape, index: Value) -> Shape:
    from arraytyping.checker.flow.engines.numpy_values import from_array

    def wrap(v: Value) -> Value:
        return (
            from_array(v) if hasattr(v, "dtype") and hasattr(v, "shape") else ListValue(v) if isinstance(v, list) else v
        )

    try:
        found = indexed_shape(shape, tuple(map(wrap, index)) if isinstance(index, tuple) else wrap(index))
    except Exception as error:
        swallow(error)
        return ()
    return () if found is None else found


def _is_basic(index: Value) -> bool:
    import numpy as np

    parts = index if isinstance(index, tuple) else (index,)
    return all(
        p is None or p is Ellipsis or (isinstance(p, slice | int | np.integer) and not isinstance(p, bool))
        for p in parts
    )


def _is_known(value: NumPyValue) -> bool:
    return (
        value.dtype is not None
        and value.dtype != "object"
        and value.shape is not None
        and all(isinstance(d, int) for d in value.shape)
    )


def _refused(it: Interpreter, index: Value, node: ast.AST | None) -> Unknown | None:
    tracer = contains_traced([index])
    if tracer is not None:
        message = f"a NumPy array cannot be indexed by the tracer {tracer.aval}, which has no value yet"
        return it.fail(node, "array-traced", message)
    return None


def _unwrapped(index: Value) -> Value:
    """The index with 0-d arrays of integers that are known as ints, in slices too."""
    if isinstance(index, tuple):
        return tuple(map(_unwrapped, index))
    if isinstance(index, slice):
        return slice(*map(_unwrapped, (index.start, index.stop, index.step)))
    if isinstance(index, NumPyValue) and index.shape == () and index.data is not None and index.data.dtype.kind in "iu":
        return int(index.data)
    if isinstance(index, ArrayValue) and index.aval.shape == () and type(index.aval.value) is int:
        return index.aval.value
    return index


def setitem(it: Interpreter, owner: NumPyValue, index: Value, value: Value, node: ast.AST | None) -> None:
    """`owner[index] = value`."""
    if (_refused(it, index, node)) is not None:
        forget(it, owner)
        return
    tracer = contains_traced([value])
    if tracer is not None:
        forget(it, owner)
        message = f"a tracer {tracer.aval} cannot be stored in a NumPy array; use a JAX array and x.at[i].set(y)"
        it.fail(node, "array-traced", message)
        return
    index = _unwrapped(index)
    if owner.data is not None:
        try:
            real, new = concrete(index), concrete(value)
        except NotConcrete:
            pass
        else:
            data = owner.data.copy()
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    data[real] = new
            except (IndexError, ValueError, TypeError, OverflowError) as error:
                code = "array-dim" if isinstance(error, IndexError) else error_code(error)
                it.fail(node, code, f"{type(error).__name__}: {error}")
                forget(it, owner)
            except Exception as error:
                swallow(error)
                forget(it, owner)
            else:
                write(it, owner, data)
            return
    forget(it, owner)
    if owner.shape is None or owner.dtype is None or owner.dtype == "object":
        return
    hidden = NumPyValue(owner.shape, owner.dtype)
    with_failures = getitem(it, hidden, index, node)
    if not isinstance(with_failures, NumPyValue) or with_failures.shape is None:
        return
    target, source = with_failures.shape, shape_of(value)
    if source is None:
        return
    while len(source) > len(target) and source[0] == 1:
        source = source[1:]
    # A leading size that is not known may be 1.
    fits = all(not differ(a, b) or not differ(a, 1) for a, b in zip(reversed(source), reversed(target)))
    extra = source[: max(len(source) - len(target), 0)]
    if not fits or any(differ(d, 1) for d in extra):
        it.fail(
            node,
            "array-shape",
            f"ValueError: could not broadcast an array of shape {shape_tuple_str(source)} "
            f"into the shape {shape_tuple_str(target)}",
        )


def iterate(it: Interpreter, value: NumPyValue, node: ast.AST | None) -> tuple[list[Value] | None, Value]:
    """The items along the first dimension, or None and what describes each of them."""
    if value.shape == ():
        return None, it.fail(node, "array-dim", "TypeError: an array of rank 0 cannot be iterated")
    if value.shape is None:
        return None, NumPyValue(None, value.dtype)
    first = value.shape[0]
    if value.data is not None:
        return [getitem(it, value, i, node) for i in range(value.data.shape[0])], MISSING
    if value.dtype == "object" and len(value.shape) == 1:
        return None, it.unknown("an element of an array of objects")
    item = NumPyValue(value.shape[1:], value.dtype, len(value.shape) == 1)
    item.limits = value.limits
    link(it, [value], item)
    if isinstance(first, int) and first <= KEPT:
        return [item] * first, MISSING
    return None, item
