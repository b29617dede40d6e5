"""Zeros that a custom rule sees as such, and which arguments of a rule are differentiated: `symbolic_zeros=True`.

Source: https://docs.jax.dev/en/latest/_autosummary/jax.custom_jvp.defjvp.html;
https://docs.jax.dev/en/latest/_autosummary/jax.custom_vjp.defvjp.html.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from arraytyping.runtime import tree
from arraytyping.runtime.array_likes import array_from
from arraytyping.runtime.np_dtypes import float0, np_dtype
from arraytyping.runtime.tracing.tangents import Zero, has_tangent, instantiate, is_zero
from arraytyping.runtime.transformations.differentiation import float0_zeros
from arraytyping.semantics.avals import ShapedArray

__all__ = ["CustomVJPPrimal", "SymbolicZero", "as_seen", "custom_vjp_primal_tree_values", "zero_from_primal"]


class SymbolicZero:
    """A tangent or cotangent that is known to be zero, as the rule of a program gets it and may give it."""

    __slots__ = ("aval",)

    def __init__(self, aval: ShapedArray) -> None:
        self.aval: ShapedArray = aval

    def __repr__(self) -> str:
        return "SymbolicZero"

    def __getattr__(self, name: str) -> Any:
        return getattr(self.aval, name)

    @property
    def shape(self) -> tuple[Any, ...]:
        """The shape of the zero."""
        assert self.aval.shape is not None
        return self.aval.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the zero: float0 where the value is an integer."""
        assert self.aval.dtype is not None
        return np_dtype(self.aval.dtype) if has_tangent(self.aval) else float0

    @staticmethod
    def from_primal_value(value: Any) -> SymbolicZero:
        """The zero tangent of a value."""
        return SymbolicZero(array_from(value).aval)


@dataclass(slots=True)
class CustomVJPPrimal:
    """An argument of a forward pass with `symbolic_zeros`: its value, and whether it is differentiated."""

    value: Any
    perturbed: bool


def custom_vjp_primal_tree_values(tree_of_primals: Any) -> Any:
    """The values of a tree of `CustomVJPPrimal`.

    Raises:
        TypeError: for another leaf.
    """

    def value(leaf: Any) -> Any:
        if type(leaf) is not CustomVJPPrimal:
            raise TypeError(f"unexpected leaf type {type(leaf)}")
        return leaf.value

    return tree.map(value, tree_of_primals)


def zero_from_primal(val: Any, symbolic_zeros: bool = False) -> Any:
    """The zero tangents of a tree of values, as arrays or as `SymbolicZero`."""

    def zero(leaf: Any) -> Any:
        aval = array_from(leaf).aval
        if symbolic_zeros:
            return SymbolicZero(aval)
        return instantiate(Zero(aval)) if has_tangent(aval) else float0_zeros(aval)

    return tree.map(zero, val)


def as_seen(tangent: Any, symbolic_zeros: bool) -> Any:
    """A tangent or cotangent as a rule gets it; that of an integer is of the dtype float0."""
    if not is_zero(tangent):
        return tangent
    if symbolic_zeros:
        return SymbolicZero(tangent.aval)
    return instantiate(tangent) if has_tangent(tangent.aval) else float0_zeros(tangent.aval)
