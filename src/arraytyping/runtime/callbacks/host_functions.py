"""Functions of trees as programs call them: with arrays of NumPy, for tuples of these.

Source: `jax/_src/callback.py` of https://github.com/jax-ml/jax.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arraytyping import config
from arraytyping.runtime import tree
from arraytyping.runtime.core import EVAL
from arraytyping.runtime.np_dtypes import dtype_name_of, np_dtype
from arraytyping.semantics.avals import ShapedArray

__all__ = ["FlatCallback", "host_function", "result_avals_of"]


@dataclass(frozen=True, slots=True)
class FlatCallback:
    """A function of flat arguments; equal to another one of the same function and structure of arguments."""

    function: Callable[..., Any]
    in_tree: Any

    def __call__(self, *leaves: Any) -> list[Any]:
        """The leaves of the result."""
        args, kwargs = tree.unflatten(self.in_tree, leaves)
        return tree.leaves(self.function(*args, **kwargs))


def host_function(callback: Callable[..., Sequence[Any]], avals: Sequence[ShapedArray]) -> Callable[..., Any]:
    """What a program calls: it hands arrays of ours to the callback, whose results have to be of these types.

    Raises (when called, which the program tells as an error of its own):
        RuntimeError: if there are more or fewer results, or they have other shapes or dtypes.
    """

    def call(*given: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], ...]:
        outs = callback(*[EVAL.array_of(np.array(value)) for value in given])  # XLA's memory is lent for the call
        if len(outs) != len(avals):
            raise RuntimeError(
                f"Mismatched number of outputs from callback. Expected: {len(avals)}, Actual: {len(outs)}"
            )
        return tuple([_checked(i, out, aval) for i, (out, aval) in enumerate(zip(outs, avals))])

    return call


def _checked(number: int, out: Any, aval: ShapedArray) -> np.ndarray[Any, Any]:
    value, dtype = np.asarray(out), np_dtype(str(aval.dtype))
    if value.dtype != dtype and (name := dtype_name_of(value.dtype)) is not None:
        value = value.astype(np_dtype(config.promotion().canonicalize(name)))
    if value.shape != aval.shape:
        raise RuntimeError(
            f"Incorrect output shape for return value #{number}: Expected: {aval.shape}, Actual: {value.shape}"
        )
    if value.dtype != dtype:
        raise RuntimeError(
            f"Incorrect output dtype for return value #{number}: Expected: {dtype}, Actual: {value.dtype}"
        )
    return value


def result_avals_of(name: str, result_shape_dtypes: Any) -> tuple[tuple[ShapedArray, ...], Any]:
    """The types of the results that a callback is said to give, and their structure.

    Raises:
        TypeError: for a leaf without a shape and a dtype.
        ValueError: for a dtype of 64 bits while x64 is off.
    """
    leaves, structure = tree.flatten(result_shape_dtypes)
    avals = []
    for leaf in leaves:
        if not (hasattr(leaf, "shape") and hasattr(leaf, "dtype")):
            raise TypeError(
                f"{name}: result_shape_dtypes holds {leaf!r:.60} of type {type(leaf).__name__}; expected what has a "
                "shape and a dtype, such as ShapeDtypeStruct"
            )
        dtype = dtype_name_of(np.dtype(leaf.dtype))
        if dtype is None:
            raise TypeError(f"{name}: result_shape_dtypes has the dtype {leaf.dtype}; expected numbers or bool")
        if config.promotion().canonicalize(dtype) != dtype:
            raise ValueError(
                "result_shape_dtypes cannot specify 64-bit types when `jax_enable_x64` is disabled: "
                f"{name} was given {dtype}"
            )
        avals.append(ShapedArray(tuple(leaf.shape), dtype, False))
    return tuple(avals), structure
