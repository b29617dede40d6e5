"""Tangents and cotangents: which space they live in, and the symbolic zero.

An integer or a bool has no direction to move in: its tangent is of the dtype `float0`, which holds nothing, and here
always a `Zero`.

Source: https://docs.jax.dev/en/latest/autodidax.html; JEP 4008 and `float0`,
https://docs.jax.dev/en/latest/_autosummary/jax.jvp.html.
"""

from __future__ import annotations

from typing import Any

from arraytyping.runtime.varying import tangent_type
from arraytyping.scalars import KINDS
from arraytyping.semantics.avals import ShapedArray
from arraytyping.semantics.operations import OPERATIONS

__all__ = ["Zero", "has_tangent", "instantiate", "is_zero", "tangent_aval"]


class Zero:
    """A tangent or cotangent that is known to be zero without computing it."""

    __slots__ = ("aval",)

    def __init__(self, aval: ShapedArray) -> None:
        self.aval: ShapedArray = aval

    def __repr__(self) -> str:
        return f"Zero({self.aval})"


def is_zero(tangent: Any) -> bool:
    """Whether a tangent is symbolically zero."""
    return type(tangent) is Zero


def has_tangent(aval: ShapedArray) -> bool:
    """Whether values of this dtype can be differentiated."""
    assert aval.dtype is not None
    return KINDS[aval.dtype] in "fc"


def tangent_aval(aval: ShapedArray) -> ShapedArray:
    """The abstract value of a tangent of a differentiable value: its own, strong."""
    return tangent_type(aval)


def instantiate(tangent: Any) -> Any:
    """The tangent as an array: zeros where it is a symbolic zero."""
    if type(tangent) is Zero:
        return OPERATIONS.full_of(0, tangent.aval)
    return tangent
