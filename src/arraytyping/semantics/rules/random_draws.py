"""Rules of the family: random draws from given items: permutations, choices and categories, of `jax.random`.

Source: https://github.com/jax-ml/jax/blob/main/jax/_src/random/core.py.
"""

from __future__ import annotations

import math
from typing import Any

from arraytyping.semantics.avals import UNKNOWN, Dim, Scalar, Shape, ShapedArray, SymbolicDim, size_of
from arraytyping.semantics.rules.axes import canonicalize_axis
from arraytyping.semantics.rules.context import Context
from arraytyping.semantics.rules.dtype_kinds import ANY_FLOAT, ANY_INTEGER
from arraytyping.semantics.rules.errors import DimError, DtypeError, RuleError, ShapeError
from arraytyping.semantics.rules.operands import as_array, as_operand
from arraytyping.semantics.rules.random_arguments import asked_shape, check_parameters, one_key, whole_bytes
from arraytyping.semantics.rules.random_functions import check_mode
from arraytyping.semantics.rules.static_arguments import as_flag, as_size
from arraytyping.semantics.rules.table import rule

__all__: list[str] = []


@rule("random.permutation")
def permutation(
    cx: Context, key: Any, x: Any, axis: Any = 0, independent: Any = False, *, out_sharding: Any = None
) -> ShapedArray:
    """`jax.random.permutation`: of an array, or of the range of an int."""
    one_key("permutation", key)
    array = as_array(cx, x, "permutation", "x")
    if array.ndim is None:
        return ShapedArray(None, None)
    canonicalize_axis("permutation", axis, array.ndim or 1)
    if array.ndim:
        return ShapedArray(array.shape, array.dtype, array.weak_type)
    if array.dtype is not None and array.dtype not in ANY_INTEGER:
        raise DtypeError("permutation: x must be an integer or at least 1-dimensional; give an int or an array")
    return ShapedArray((_count(x),), cx.default("int"), False)


def _count(value: Any) -> Dim:
    """The length of a range; None if unknown."""
    if isinstance(value, ShapedArray):
        value = value.value
    if isinstance(value, SymbolicDim):
        return value
    if isinstance(value, float) and not math.isfinite(value):
        exception: type[Exception] = ValueError if math.isnan(value) else OverflowError
        raise DtypeError(f"choice: the length of a range is an integer, got {value}; give an int", exception)
    return max(int(value), 0) if isinstance(value, int | float) else None


@rule("random.choice")
def choice(
    cx: Context, key: Any, a: Any, shape: Any = (), replace: Any = True, p: Any = None, axis: Any = 0, mode: Any = None
) -> ShapedArray:
    """`jax.random.choice`: of the items of an array, or of the range of an int."""
    one_key("choice", key)
    if isinstance(shape, int | float | Scalar | SymbolicDim | None):
        raise ShapeError(f"choice: shape must be a sequence of ints, got {shape}; give a tuple")
    target = asked_shape("choice", shape)
    array = as_array(cx, a, "choice", "a")
    if array.ndim is None:
        return ShapedArray(None, None)
    along: int | None = None
    if array.shape:
        along = canonicalize_axis("choice", axis, array.ndim)
        population: Dim = None if along is None else array.shape[along]
    else:
        population = _count(a)
    draws = None if target is None else size_of(target)
    if draws == 0:
        return ShapedArray(target, array.dtype, False)
    certain = isinstance(draws, int)
    if certain and population == 0:
        raise ShapeError(
            "choice: there is nothing to choose from: a has no items, and samples are asked for", ValueError
        )
    if certain and as_flag(replace) is False and isinstance(population, int) and draws > population:  # type: ignore[operator]
        raise ShapeError(
            f"choice: cannot take a larger sample (size {draws}) than the population (size {population}) without "
            "replacement; set replace=True",
            ValueError,
        )
    if certain:
        _check_probabilities(cx, p, population)
    if array.shape == ():
        dtype, weak = cx.default("int"), False
        if not certain:
            return ShapedArray(target, dtype if array.dtype == dtype else None, False if array.dtype == dtype else None)
        return ShapedArray(target, dtype, weak)
    assert array.shape is not None
    if target is None or not certain or along is None:  # no draws at all give the shape that is asked for, alone
        return ShapedArray(None, array.dtype, array.weak_type if certain or array.weak_type is False else None)
    return ShapedArray((*array.shape[:along], *target, *array.shape[along + 1 :]), array.dtype, array.weak_type)


def _check_probabilities(cx: Context, p: Any, population: Dim) -> None:
    if p is None or p is UNKNOWN:
        return
    given = as_operand(cx, p, "choice", "p")
    if given.shape is None:
        return
    if len(given.shape) != 1 or (
        isinstance(population, int) and isinstance(given.shape[0], int) and given.shape[0] != population
    ):
        raise ShapeError(
            f"choice: p must be None or a 1D vector with the same size as a.shape[axis]; p is {given} and that is "
            f"{population}",
            ValueError,
        )


@rule("random.categorical")
def categorical(
    cx: Context, key: Any, logits: Any, axis: Any = -1, shape: Any = None, replace: Any = True, mode: Any = None, *,
    out_sharding: Any = None,
) -> ShapedArray:  # fmt: skip
    """`jax.random.categorical`: int32 without replacement, else the default integer."""
    one_key("categorical", key)
    array = as_operand(cx, logits, "categorical", "logits")
    along = as_size("categorical", "axis", axis)
    rank = array.ndim
    place: int | None = None
    if rank is not None and isinstance(along, int):
        if not -rank <= along < rank:
            raise DimError(f"categorical: axis {along} is out of bounds for logits of {rank} dimensions", IndexError)
        place = along % rank
    if array.shape is None:
        batch: Shape | None = None
    elif place is None:
        batch = (None,) * (len(array.shape) - 1) if array.shape else None
    else:
        batch = (*array.shape[:place], *array.shape[place + 1 :])
    target = batch
    if shape is not None:
        target = asked_shape("categorical", shape)
        check_parameters("categorical", target, batch)
    if array.dtype is not None:
        if array.dtype not in ANY_FLOAT:
            raise DtypeError(f"categorical: the logits must be floats, got {array.dtype}; convert them", ValueError)
        whole_bytes("categorical", array.dtype)
    check_mode("categorical", mode, ("highest", "high", "low"))
    flag = as_flag(replace)
    if flag is False:
        _check_count(target, batch, None if place is None or array.shape is None else array.shape[place])
    dtype = cx.default("int") if flag else "int32" if flag is False or cx.default("int") == "int32" else None
    return ShapedArray(target, dtype, False)


def _check_count(target: Shape | None, batch: Shape | None, categories: Dim) -> None:
    """Check that as many samples can be drawn without replacement."""
    if target is None or batch is None:
        return
    count = size_of(target[: len(target) - len(batch)])
    if isinstance(count, int) and isinstance(categories, int) and count > categories:
        raise RuleError(
            f"categorical: number of samples without replacement ({count}) cannot exceed number of categories "
            f"({categories})",
            ValueError,
        )
