"""What NumPy gives on dummies, which stand for arrays whose elements are not known.

Where sizes are unknown, a rule gives the shape, and NumPy the dtype, on arrays of size 1.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any, Final

from arraytyping.checker.flow.engines.numpy_arguments import RULES, Arguments, Unknowable, same_dtype
from arraytyping.checker.flow.engines.numpy_array_likes import dtype_of, shape_of
from arraytyping.checker.flow.engines.numpy_bounds import has_huge_numbers
from arraytyping.checker.flow.engines.numpy_signatures import ARRAYS, SIZED_BY_ELEMENTS
from arraytyping.checker.flow.engines.numpy_ufuncs import error_code
from arraytyping.checker.flow.engines.numpy_values import (
    FILLS,
    NotConcrete,
    NotPossible,
    concrete,
    describe,
    dtype_name,
    instantiate,
    real_dtype,
)
from arraytyping.checker.flow.state.fresh_sizes import fresh_size
from arraytyping.checker.flow.state.interpreter import Interpreter
from arraytyping.checker.flow.values import ArrayValue, ListValue, NumPyValue, ScalarValue, Unknown, Value
from arraytyping.checker.swallowed import swallow
from arraytyping.semantics.sizes.dims import as_dim

__all__ = ["ask_on_dummies", "by_rule", "of_unknown_rank"]

_SHAPE_WORDS: Final = (
    "shape", "axis", "axes", "broadcast", "dimension", "-d", "square", "cast", "could not convert", "split",
    "not aligned", "mismatch", "size", "length", "ufunc", "dtype", "subscript", "operand", "must be 1", "must be 2",
    "argument", "repeated", "transpose", "permutation",
)  # fmt: skip
_SEVERAL_NAMES: Final = """
    linalg.svd linalg.eigh linalg.qr linalg.eig linalg.slogdet linalg.lstsq average nonzero polyfit unique
    histogram intersect1d gradient linspace modf divmod frexp
"""
_FILLED: Final = ("zeros", "ones", "empty")
"""Functions of a shape, whose dtype is float64 whatever that is."""
_SPLIT: Final = ("split", "array_split", "hsplit", "vsplit", "dsplit")
_ALONG_AXIS: Final = _SPLIT[:2]
_SEVERAL: Final = frozenset(_SEVERAL_NAMES.split())


def ask_on_dummies(it: Interpreter, function: Any, name: str, arguments: Arguments, node: ast.AST | None) -> Value:
    """NumPy's answer on dummies; None if there are none for these arguments."""
    import numpy as np

    errors: list[Exception] = []
    fills = FILLS if not name.startswith("linalg") else ("diagonal", "mixed", "ones", "zeros")
    for fill in fills:
        try:
            args, kwargs = _dummies(arguments, ARRAYS[name], functools.partial(_filled, fill))
        except (NotPossible, NotConcrete):
            return None
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                result = function(*args, **kwargs)
        except Exception as error:
            swallow(error)
            errors.append(error)
            continue
        return describe(it, result, False)
    first = errors[0]
    text = str(first)
    certain = isinstance(first, TypeError | ValueError | IndexError) and all(type(e) is type(first) for e in errors)
    if certain and any(word in text.lower() for word in _SHAPE_WORDS):
        if name in RULES:
            with contextlib.suppress(Unknowable):
                RULES[name].shapes(arguments)  # its message is clearer, where it finds the mistake
        return it.fail(node, error_code(first), f"{type(first).__name__}: {text}")
    return it.unknown(f"numpy.{name} refuses dummies: {type(first).__name__}")


def _filled(fill: str, value: Value, name: str) -> Value:
    return instantiate(value, fill)


def _dummies(
    arguments: Arguments, arrays: frozenset[str], make: Callable[[Any, str], Any]
) -> tuple[tuple[Value, ...], dict[str, Value]]:
    bound = arguments.bound
    made = inspect.BoundArguments(bound.signature, {})
    for name, value in bound.arguments.items():
        kind = bound.signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_KEYWORD:
            made.arguments[name] = {k: make(v, k) if k in arrays else concrete(v) for k, v in value.items()}
        elif name in arrays:
            made.arguments[name] = make(value, name)
        else:
            made.arguments[name] = concrete(value)
    return made.args, made.kwargs


def _small(value: Value, name: str) -> Value:
    """A dummy of the same rank and dtype, of sizes 1."""
    import numpy as np

    if isinstance(value, NumPyValue | ArrayValue):
        shape, dtype = shape_of(value), dtype_of(value)
        if dtype is None or dtype == "object":
            raise NotPossible
        rank = 1 if shape is None else len(shape)
        is_index = name in ("indices", "multi_index")
        array = (np.zeros if is_index else np.ones)((1,) * rank, real_dtype(dtype))
        return array[()] if rank == 0 and isinstance(value, NumPyValue) and value.is_scalar else array
    if isinstance(value, ListValue | tuple):
        items = value if isinstance(value, tuple) else value.items
        if items is None:
            assert isinstance(value, ListValue)
            items = [value.element]
        made = [_small(v, name) for v in items]
        return made if isinstance(value, ListValue) else tuple(made)
    return 0 if name == "indices" and shape_of(value) == () else instantiate(value, "ones")


def by_rule(it: Interpreter, function: Value, name: str, arguments: Arguments, shapes: list[Any]) -> Value:
    """The results of these shapes, with the dtypes that NumPy gives on arrays of size 1."""
    if any(isinstance(s, int | type) for s in shapes):
        return ScalarValue(shapes[0], is_data=True) if isinstance(shapes[0], type) else shapes[0]
    dtypes = _dtypes(it, function, name, arguments, len(shapes))
    results = [NumPyValue(s, d, is_scalar and s == ()) for s, (d, is_scalar) in zip(shapes, dtypes)]
    sequence = RULES[name].sequence
    if sequence is not None:
        return sequence(results)
    return results[0] if len(results) == 1 else tuple(results)


def _dtypes(
    it: Interpreter, function: Any, name: str, arguments: Arguments, count: int
) -> list[tuple[str | None, bool]]:
    """The dtype of each result, and whether one of rank 0 is a scalar."""
    import numpy as np

    rule = RULES.get(name)
    if rule is not None and rule.dtype is not None:
        return [(rule.dtype(arguments), False)] * count
    if has_huge_numbers(arguments):
        return [(None, False)] * count
    try:
        args, kwargs = _dummies(arguments, ARRAYS.get(name) or SIZED_BY_ELEMENTS.get(name, frozenset()), _small)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            result = function(*args, **kwargs)
    except Exception as error:
        swallow(error)
        return [(None, False)] * count
    results = result if isinstance(result, tuple | list) else (result,)
    if len(results) == 1:
        results = tuple(results) * count
    found = [
        (dtype_name(r.dtype), isinstance(r, np.generic)) if isinstance(r, np.ndarray | np.generic) else (None, True)
        for r in results
    ]
    if len(found) < count:
        same = set(found)
        return [found[0]] * count if len(same) == 1 else [(None, False)] * count
    return found[:count]


def _is_split(name: str, arguments: Arguments) -> bool:
    """Whether it is an array that is split."""
    return name in _SPLIT and isinstance(arguments.given.get("ary"), NumPyValue)


def _some_part(array: NumPyValue, axis: Value, name: str) -> NumPyValue:
    """A part of an array that is split along an axis into nobody knows how many."""
    if (
        array.shape is None
        or name not in _ALONG_AXIS
        or type(axis) is not int
        or not -len(array.shape) <= axis < len(array.shape)
    ):
        return NumPyValue(None, array.dtype)
    axis %= len(array.shape)
    return NumPyValue((*array.shape[:axis], None, *array.shape[axis + 1 :]), array.dtype)


def _kept(name: str, arguments: Arguments) -> NumPyValue | None:
    """An array of the operand's dtype, where a function only arranges it by something unknown."""
    rule = RULES.get(name)
    if rule is None or rule.dtype is not same_dtype or rule.sequence is not None:
        return None
    operand = arguments.first
    return NumPyValue(None, operand.dtype) if isinstance(operand, NumPyValue) else None


def of_unknown_rank(it: Interpreter, function: Value, name: str, arguments: Arguments) -> Value:
    """What is left where not even the rank is known: perhaps the dtype."""
    if any(isinstance(v, Unknown) for v in arguments.given.values()) and "dtype" not in arguments.given:
        if name in _FILLED:
            return NumPyValue(None, "float64")
        if (kept := _kept(name, arguments)) is not None:
            return kept
        if not _is_split(name, arguments):
            return it.unknown(f"numpy.{name} of something unknown")
    if _is_split(name, arguments):
        return ListValue(None, _some_part(arguments.given["ary"], arguments.given.get("axis", 0), name))
    dtypes = (
        _dtypes(it, function, name, arguments, 1)
        if name in RULES and (name in ARRAYS or name in SIZED_BY_ELEMENTS)
        else [(None, False)]
    )
    if name == "nonzero" or (name == "where" and "x" not in arguments.given):  # one array for each axis, all as long
        return ListValue(None, NumPyValue((as_dim(fresh_size(it, "n")),), "int64"), tuple)
    if name in _SEVERAL or (name in RULES and RULES[name].sequence is not None):
        return it.unknown(f"numpy.{name} of an array of unknown rank")
    return NumPyValue(None, dtypes[0][0])
