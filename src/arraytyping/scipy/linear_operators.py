"""What the solvers of linear equations share: matrices and functions as linear operators, and trees as vectors.

Source: https://docs.jax.dev/en/latest/jax.scipy.html#module-jax.scipy.sparse.linalg.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from arraytyping import tree
from arraytyping.basearray import Array
from arraytyping.lax import Precision
from arraytyping.numpy import dot, imag, iscomplexobj, real, result_type, sqrt, vdot, zeros_like
from arraytyping.numpy.conversion import asarray

__all__ = [
    "Operator", "added", "common_dtype", "identity", "inner_product", "norm", "operator_of", "scaled", "size_of",
    "squared_norm", "started", "subtracted",
]  # fmt: skip

Operator = Callable[[Any], Any]


def identity(x: Any) -> Any:
    """No preconditioner."""
    return x


def operator_of(given: Any) -> Operator:
    """The function that a linear operator is.

    Raises:
        ValueError: for a matrix that is not square.
        TypeError: for what multiplies nothing.
    """
    if callable(given):
        return given  # type: ignore[no-any-return]
    is_array = isinstance(given, np.ndarray | Array)
    if not is_array and not hasattr(given, "__matmul__"):
        raise TypeError(f"linear operator must be either a function or ndarray: {given}")
    if hasattr(given, "shape") and (len(given.shape) != 2 or given.shape[0] != given.shape[1]):
        raise ValueError(f"linear operator must be a square matrix, but has shape: {given.shape}")
    if is_array:
        return functools.partial(dot, given, precision=Precision.HIGHEST)
    return functools.partial(operator.matmul, given)


def started(b: Any, x0: Any) -> tuple[Any, Any]:
    """Both sides as trees of arrays; a solution begins with zeros.

    Raises:
        ValueError: for trees or shapes that differ.
    """
    b = tree.map(asarray, b)
    x0 = tree.map(zeros_like, b) if x0 is None else tree.map(asarray, x0)
    ours, theirs = tree.structure(x0), tree.structure(b)
    if ours != theirs:
        raise ValueError(f"x0 and b must have matching tree structure: {ours} vs {theirs}")
    shapes = [[x.shape for x in tree.leaves(t)] for t in (x0, b)]
    if shapes[0] != shapes[1]:
        raise ValueError(f"arrays in x0 and b must have matching shapes: {shapes[0]} vs {shapes[1]}")
    return b, x0


def size_of(x: Any) -> int:
    """The numbers in a tree."""
    return sum(leaf.size for leaf in tree.leaves(x))


def common_dtype(x: Any) -> Any:
    """The dtype that all leaves are promoted to."""
    return result_type(*tree.leaves(x))


def added(x: Any, y: Any) -> Any:
    """The sum of two trees."""
    return tree.map(operator.add, x, y)


def subtracted(x: Any, y: Any) -> Any:
    """The difference of two trees."""
    return tree.map(operator.sub, x, y)


def scaled(factor: Any, x: Any) -> Any:
    """The tree times a number."""
    return tree.map(lambda leaf: factor * leaf, x)


def inner_product(x: Any, y: Any) -> Any:
    """The inner product of two trees, the first conjugated."""
    return sum(tree.leaves(tree.map(functools.partial(vdot, precision=Precision.HIGHEST), x, y)))


def _real_product(x: Any, y: Any) -> Any:
    product = vdot(real(x), real(y), precision=Precision.HIGHEST)
    if iscomplexobj(x) or iscomplexobj(y):
        product = product + vdot(imag(x), imag(y), precision=Precision.HIGHEST)
    return product


def squared_norm(x: Any, y: Any) -> Any:
    """The real part of the inner product: of a tree with itself the square of its norm."""
    return sum(tree.leaves(tree.map(_real_product, x, y)))


def norm(x: Any) -> Any:
    """The norm of a tree."""
    return sqrt(squared_norm(x, x))
